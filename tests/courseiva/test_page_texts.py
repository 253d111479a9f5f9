"""`manage.py page_texts` lists every string of every page."""

from __future__ import annotations

from contextlib import nullcontext

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command

from courseiva.accounts.staff.groups import GROUPS, grant
from courseiva.demo.texts import tour as touring
from courseiva.demo.texts.rules.layout import layout_of
from courseiva.demo.texts.rules.pages import Page
from courseiva.demo.texts.rules.scripts import script_strings
from courseiva.demo.texts.rules.strings import Collection, json_strings, mail_strings, readable
from courseiva.demo.texts.tour import tour
from courseiva.demo.texts.walk import Met
from courseiva.management.commands import page_texts
from tests.support.pages import patterns

ANSWERS_NO_PAGE = {
    "a file or an answer for machines": {
        "healthz", "readyz", "metrics", "favicon", "manifest", "mark", "robots", "security-txt", "sitemap",
        "sitemap-site", "sitemap-exam", "sitemap-questions", "sitemap-more-questions", "feed", "errata-feed",
        "errata-json", "objectives-case", "worker", "module-notebook", "notebook-export", "results-csv",
        "export-json", "export-csv", "results-picture", "picture", "admin:questions_export",
        "export-discussion", "plan-calendar", "mfa_download_recovery_codes", "admin:jsi18n", "admin:autocomplete",
    },
    "an answer to our script, in JSON": {"claim", "save", "check", "device", "moderation-claim", "moderation-undo"},
    "leads to another page, or takes a form that does": {
        "app", "my-place", "thread-short", "drill", "plan", "outcome", "forget-guest", "module-read", "pause",
        "discard", "note", "star", "contrast-note", "contrast-star", "miss", "start-check", "highlight",
        "highlight-drop", "module-highlight", "flashcard-turn", "preset", "preset-drop", "afresh-undo",
        "plan-feed", "plan-read", "plan-reminders", "inbox-read", "moderation-appeal", "moderation-takedown",
        "moderation-author-decide", "moderation-reply-drop", "comment-helpful", "comment-follow",
        "moderation-lock", "moderation-suspend",
        "moderation-edit-out", "moderation-decide", "account_confirm_login_code", "mfa_login_webauthn", "admin:logout",
        "admin:login", "admin:view_on_site", "admin:questions_question_history",
        "admin:questions_question_desk_mail",
        "admin:questions_versionstatistics_change",
    },
    "a fragment that a page of its own shows as well": {
        "my-places", "account_who", "hint", "comment-preview", "admin:questions_question_look",
    },
    "one of Django's own that no page of ours links to": {
        "admin:questions_importjob_change", "admin:questions_picture_change",
    },
    "shows components to whoever designs them": {"styleguide"},
    "leads on to where a page has moved": {
        "guides/", "guides/<slug:slug>/", "exams/<slug:exam_slug>/topics/<slug:slug>/",
        "practice/sessions/<uuid:session_uuid>/items/<int:position>/bookmark/",
    },
    "not walked yet: wants a passkey, a sign-in that is halfway, an account without a password": {
        "mfa_authenticate", "mfa_edit_webauthn", "mfa_remove_webauthn", "mfa_reauthenticate_webauthn",
        "account_set_password", "admin:mfa_authenticator_change",
    },
    "not walked yet: asks again who it is, has no rows here, or answers a form of the editor": {
        "admin:account_emailaddress_change", "admin:accounts_user_change", "admin:auth_group_change",
        "admin:auth_user_password_change", "admin:practice_guestnetwork_change", "admin:questions_question_act",
        "admin:outbox_outgoingmail_change", "admin:outbox_refusedaddress_change", "admin:practice_outage_change",
        "admin:practice_reopening_change",
    },
}  # fmt: skip


@pytest.mark.soak
@pytest.mark.django_db
def test_every_page_of_the_site_is_in_the_texts() -> None:
    grant(apps, GROUPS)
    met = tour()
    assert met.failures == []
    shown = {name for name in patterns() if name in met.names}
    excused = set().union(*ANSWERS_NO_PAGE.values())
    unknown = {name for name in patterns() - shown - excused if not name.startswith("admin/") and not _closed(name)}
    assert unknown == set(), "give each of these a start in courseiva/demo/texts/starts.py, or say why it is no page"
    assert met.collection.pages["mails"]
    lines = [line for _, line in met.collection.lines()]
    assert len(lines) == len(set(lines)) > 1000
    assert not [line for line in lines if "⟦" in line or "⟧" in line]


def _closed(name: str) -> bool:
    """Return whether this is one of Django's own pages to add, delete or show history, which have Django's wording."""
    return name.startswith("admin:") and name.endswith(("_add", "_delete", "_history"))


def test_the_command_refuses_to_run_on_a_real_site(settings) -> None:
    settings.DEBUG = False
    with pytest.raises(CommandError):
        call_command("page_texts")


def test_the_command_says_how_many_pages_failed_once_it_has_printed(settings, monkeypatch, capsys) -> None:
    settings.DEBUG, settings.REDIS_URL = True, ""
    met = Met(failures=["/one/", "/two/"])
    met.collection.add("visitor: home", ["Said."])
    monkeypatch.setattr(page_texts, "tour", lambda: met)
    monkeypatch.setattr(page_texts, "on_a_throw_away_database", nullcontext)
    with pytest.raises(CommandError, match=r"^2 [^\n]+\n/one/\n/two/$") as error:
        call_command("page_texts")
    assert error.value.returncode == 1
    assert "Said." in capsys.readouterr().out


def test_the_admin_asks_nobody_again_who_they_are_however_long_the_tour_takes(settings, monkeypatch) -> None:
    settings.ACCOUNT_REAUTHENTICATION_TIMEOUT = 300
    waits = []

    class Slow:
        def __init__(self, who: str, met: Met) -> None:
            pass

        def go(self, starts: list[str]) -> None:
            waits.append(settings.ACCOUNT_REAUTHENTICATION_TIMEOUT)

    for name, made in {"make_bank": [], "make_people": {"administrator": "Ada"}, "make_affairs": None}.items():
        monkeypatch.setattr(touring, name, lambda *_, made=made: made)
    monkeypatch.setattr(touring, "starts_of", lambda *_: [])
    monkeypatch.setattr(touring, "Walk", Slow)
    tour()
    assert waits == [86400]
    assert settings.ACCOUNT_REAUTHENTICATION_TIMEOUT == 300


def test_a_string_ends_with_its_element_but_continues_through_inline_ones() -> None:
    page = Page("<h1>One <em>more</em> thing</h1><p>Text, <a href='/x/'>linked</a>.<button>Press</button>")
    assert page.strings == ["One more thing", "Text, linked.", "Press"]
    assert page.links == ["/x/"]


def test_adjacent_elements_are_separate_words() -> None:
    page = Page("<p><b>3</b>left<p><a>Tip</a><time>Monday</time><p>One<br>line<p>x<sub>2</sub>, <b>bold</b>.")
    assert page.strings == ["3 left", "Tip", "Monday", "One line", "x2, bold."]


def test_links_with_nothing_between_them_are_two_strings() -> None:
    page = Page("<p>See <a>it</a> <a>that</a> and <a>those</a></p>")
    assert page.strings == ["See it", "that and those"]


ROWS = """
.row, .bar > span { display: flex; gap: 1rem }
@media print { .figure { display: block; } .card:is(.tall, .wide) b { display: grid } }
.row::before, .unseen { content: ""; display: none }
.spoken { position: absolute !important }
"""


@pytest.mark.parametrize(
    ("html", "strings"),
    [
        ("<h2 class='head row'><b>Next</b> <span>what to do</span></h2>", ["Next", "what to do"]),
        ("<p class=row><b>A</b><b>✓ Right</b><span>an option</span><i>7</i>", ["A ✓ Right", "an option", "7"]),
        ("<p class=row><a>Start<span class=spoken> drill 1</span></a> <a>End</a>", ["Start drill 1", "End"]),
        ("<p>Half <span class=figure>of it</span> all</p>", ["Half", "of it", "all"]),
        ("<p class='card tall'>One <b>two</b></p><p class=card>One <b>more</b></p>", ["One", "two", "One more"]),
        ("<p class=bar><span>One <b>two</b></span></p><p><span>One <b>more</b></span>", ["One", "two", "One more"]),
        ("<p>Saved<span hidden>Not saved</span></p>", ["Saved", "Not saved"]),
    ],
)
def test_elements_the_stylesheet_separates_are_read_separately(html: str, strings: list[str]) -> None:
    assert Page(html, layout_of(ROWS)).strings == strings


def test_text_only_read_aloud_or_shown_later_is_listed() -> None:
    words = ["To the top", "↑", "A word", "Not sent yet."]
    page = Page("<a aria-label='{}' href='#'>{}</a><input placeholder='{}'><p data-words='{}'></p>".format(*words))
    assert page.strings == words


def test_a_form_is_read_as_a_browser_reads_it() -> None:
    page = Page(
        "<form method=post action=/go/><input name=a value=1><textarea name=b>two</textarea>"
        "<select name=c><option value=3><option value=4 selected></select>"
        "<input type=radio name=d value=5><button name=e value=6>Go</button></form>"
    )
    (form,) = page.forms
    assert (form.action, form.method, form.buttons) == ("/go/", "post", [("e", "6")])
    fields = [(each.name, each.value, each.is_chosen) for each in form.fields]
    assert fields == [("a", "1", True), ("b", "two", True), ("c", "4", True), ("d", "5", False)]


def test_the_names_of_time_zones_are_left_out() -> None:
    page = Page("<select name=z><option value=Europe/Oslo>Oslo<option value=x>Another one</select><p>After")
    assert page.strings == ["Another one", "After"]


def test_content_becomes_a_placeholder_and_a_string_of_it_alone_is_left_out() -> None:
    found = Collection()
    found.add("page", ["⟦title 3⟧", "Question 3: ⟦title 3⟧", "Question 4: ⟦title 4⟧"])
    found.add("other", ["Question 5: ⟦title 5⟧", "12%"])
    assert list(found.lines()) == [("page", "page | 1 | Question 3: {title}")]
    assert readable("Hello a.b@demo.courseiva.example") == "Hello {email address}"
    assert readable("See http://127.0.0.1:8000/reports/1/") == "See {link}"
    assert readable("rest of it⟧ and ⟦title 4") == "{content} and {title}"


@pytest.mark.parametrize(
    "strings",
    [
        ["Search · Courseiva", "Search"],
        ["open", "open (3)"],
        ["Reason", "Reason:"],
        ["Practice | note | Can add note", "Practice | note | Can delete note"],
    ],
)
def test_two_strings_with_the_same_words_are_listed_once(strings: list[str]) -> None:
    found = Collection()
    found.add("page", strings)
    (line,) = found.lines()
    assert line[1].endswith(strings[0].removesuffix(" · Courseiva"))


def test_a_scripts_literals_with_words_are_listed() -> None:
    source = """
// "A comment says nothing"
say("Not saved yet.", `Sent: ${count} of ${this.total}`, "div.row > a", "aria-label");
"""
    assert script_strings(source) == ["Not saved yet.", "Sent: {count} of {total}"]


def test_a_template_literal_is_one_string_whatever_it_contains() -> None:
    source = """
say(`${count === 1 ? "One field needs" : `${count} fields need`} attention. ${KEPT}`);  // or "no words at all"
say(`It took ${Math.round({ a: "}" }.a / 2)} s, ${answers(n)}`, "btn btn--big", `note note--${kind}`, "a, b:not([x])");
"""
    assert script_strings(source) == ["{count} fields need attention. {kept}", "It took {…} s, {answers}"]


def test_mails_and_json_responses_are_listed_too() -> None:
    assert mail_strings("Subject", "Hello,\n\ntwo\nlines\n") == ["Subject", "Hello,", "two lines"]
    assert json_strings('{"error": "Not this one.", "state": "saved", "n": [1, "Too late."]}') == [
        "Not this one.",
        "Too late.",
    ]
