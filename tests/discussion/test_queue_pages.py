"""Check who may open the moderators' pages, that texts are escaped, that decisions are plain forms, and undoing."""

from __future__ import annotations

import datetime as dt
import html
import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from courseiva.accounts.staff.groups import EDITORS, MODERATORS
from discussion.models import Act, Claim, Comment, Harm, Hit, LogEntry, Notice, Reason, State, Suspension, ThreadState
from discussion.moderation.acts.decide_many import Choice
from discussion.moderation.claim import CLAIM_TIME, take, take_next
from discussion.moderation.forms import TAKEN_OUT
from discussion.moderation.reads.filters import wanted_of
from discussion.moderation.reads.queue import PER_PAGE
from discussion.reactions.report import report_comment
from discussion.screening.rules.parts import FIRST_POST
from practice.sessions.ending.finish import finish
from tests.discussion.conftest import decide_now, in_group, person, row, seen
from tests.discussion.payloads import PAYLOADS
from tests.support.bank import NOW, add_questions
from tests.support.hooks import codes, messages, parsed, states, values
from tests.support.sessions import begin_mock, guest

HOME = "/moderation/"
SCRIPT = {"accept": "application/json"}
STATEMENTS = 20
ADDRESSES = [
    ("GET", "moderation", False),
    ("GET", "moderation-log", False),
    ("GET", "moderation-search", False),
    ("GET", "moderation-comment", True),
    ("POST", "moderation-claim", False),
    ("POST", "moderation-decide", False),
    ("POST", "moderation-undo", False),
    ("POST", "moderation-edit-out", True),
    ("POST", "moderation-lock", True),
    ("POST", "moderation-suspend", True),
]


@pytest.fixture
def held(version, alice) -> Comment:
    return hold(version, alice, "A first remark.")


def hold(version, author, text, *rules, **fields) -> Comment:
    fields.setdefault("created_at", timezone.now() - dt.timedelta(hours=1))
    fields.setdefault("state_at", fields["created_at"])
    made = row(version, author, text, state=State.HELD, **fields)
    for rule in rules or (FIRST_POST,):
        Hit.objects.create(comment=made, rule=rule, start=0, end=len(text), text=text)
    return made


def text_of(response) -> str:
    return html.unescape(re.sub(r"<[^>]*>", " ", response.content.decode()))


def state_of(comment: Comment) -> str:
    comment.refresh_from_db()
    return comment.state


def decide(desk, comment, follow=False, **fields):
    sent = {"comment": comment.pk, **seen_now(comment), **fields}
    return desk.post(reverse("moderation-decide"), sent, follow=follow)


def seen_now(*comments) -> dict[str, list[str]]:
    return {"seen": list(seen(*[each.pk for each in comments]).values())}


# Who gets in


@pytest.mark.parametrize(("method", "name", "of_comment"), ADDRESSES)
def test_only_moderators_can_open_the_moderators_pages(client_of, held, bob, mona, method, name, of_comment):
    address = reverse(name, args=[held.pk] if of_comment else [])
    editor = in_group("ed", EDITORS, is_staff=True)
    sent = {"comment": held.pk, "act": "approve", "next": "1", "on": "1"}
    for user, status in ((None, 302), (bob, 404), (held.author, 404), (editor, 404)):
        desk = client_of(user) if user else Client()
        answer = desk.get(address) if method == "GET" else desk.post(address, sent)
        assert answer.status_code == status, (name, user)
        assert "A first remark." not in answer.content.decode()
        if user is None:
            assert answer.headers["Location"].startswith(reverse("account_login"))
    assert state_of(held) == State.HELD
    assert not Claim.objects.exists()
    mine = client_of(mona)
    answer = mine.get(address) if method == "GET" else mine.post(address, sent)
    assert answer.status_code in {200, 302, 400}
    assert "no-store" in answer.headers["Cache-Control"]


def test_a_suspended_moderator_cannot_open_the_desk(desk, client_of, mona):
    def leads_to_the_desk():
        return f'href="{HOME}"' in desk.get(reverse("account_home")).content.decode()

    assert desk.get(HOME).status_code == 200
    assert leads_to_the_desk()
    suspension = Suspension.objects.create(
        user=mona, until=timezone.now() + dt.timedelta(days=1), reason="Slept.", made_at=timezone.now()
    )
    assert desk.get(HOME).status_code == 404
    assert not leads_to_the_desk()
    suspension.delete()
    assert desk.get(HOME).status_code == 200


def test_moderators_neither_edit_questions_nor_see_learners_results(desk, exam, version, alice):
    for name in ("admin:index", "admin:questions_question_changelist", "admin:practice_learner_changelist"):
        assert desk.get(reverse(name)).status_code in {302, 403}
    assert desk.get(reverse("admin:questions_question_change", args=[version.question_id])).status_code in {302, 403}
    add_questions(exam, 2)
    owner, _ = guest()
    session = begin_mock(owner, exam)
    finish(session.uuid, owner, NOW)
    for name in ("results", "booklet", "session"):
        assert desk.get(reverse(name, args=[session.uuid])).status_code == 404


def test_the_link_to_the_desk_is_shown_to_moderators_only_and_never_on_public_pages(client_of, desk, bob):
    assert f'href="{HOME}"' in desk.get(reverse("account_home")).content.decode()
    assert f'href="{HOME}"' not in client_of(bob).get(reverse("account_home")).content.decode()
    assert desk.get("/exams/").content == Client().get("/exams/").content


# What is shown


def test_a_card_shows_the_text_where_it_is_why_it_waits_and_its_author(desk, version, alice, bob, mona):
    top = row(version, bob, "The comment above.")
    text = "Write to me@here.example please"
    made = hold(version, alice, text, parent=top)
    Hit.objects.create(comment=made, rule="email", start=9, end=24, text="me@here.example")
    response = desk.get(HOME)
    said = text_of(response)
    for words in (version.title, "The comment above.", "Alice", "1\xa0hour"):
        assert words in said, words
    assert values(response, "data-rule") == [FIRST_POST, "email"]
    (card,) = response.context["page"].cards
    assert (card.record.approved, card.record.rejected, card.record.spam, card.record.waiting) == (0, 0, 0, 1)
    assert re.search(r'<mark\s+title="[^"]+">me@here\.example</mark> please', response.content.decode())
    assert alice.email not in said


def test_what_people_write_is_escaped_on_every_page(desk, version, alice, mona):
    for n, payload in enumerate(PAYLOADS):
        made, half = hold(version, alice, payload), len(payload) // 2
        start, end = (0, half) if n % 4 else (half, len(payload))
        Hit.objects.create(comment=made, rule="link", start=start, end=end, text=payload[start:end])
        if n % 2:
            decide_now([made.pk], Choice(Act.REJECT, Reason.OTHER, payload[:500]), mona, NOW)
    pages = [f"{HOME}?page={n}" for n in range(1, 4)] + [reverse("moderation-search"), reverse("moderation-log")]
    pages += [reverse("moderation-comment", args=[Comment.objects.latest("pk").pk])]
    for address in pages:
        body = desk.get(address).content.decode()
        assert not re.search(r"<(?:img|svg|iframe|object|embed|math|video|audio|style|base)\b(?![^>]*viewBox)", body), (
            address
        )
        assert not re.search(r"<script(?![^>]*(?:src=))", body)
        assert not re.search(r"\son\w+\s*=\s*[\"']", html_tags(body)), address
        assert "javascript:" not in "".join(re.findall(r'href="([^"]*)"', body)).lower()


def html_tags(body: str) -> str:
    """Return the tags alone, without the values of their attributes."""
    return " ".join(re.sub(r'"[^"]*"', '""', tag) for tag in re.findall(r"<[a-z][^>]*>", body))


def test_a_moderators_own_comment_says_that_another_decides_and_has_no_buttons(desk, version, mona):
    mine = hold(version, mona, "My own remark.")
    for address in (HOME, about("moderation-comment", mine)):
        page = desk.get(address)
        assert states(page) == ["own"]
        body = page.content.decode()
        for name in (f'value="{mine.pk}" form="bulk"', 'name="seen"', 'value="approve">Approve<', 'name="until"'):
            assert name not in body.partition('id="card-')[2], (address, name)
    page = decide(desk, mine, follow=True, act="approve")
    assert messages(page) == ["own"]
    assert state_of(mine) == State.HELD
    assert not Claim.objects.exists()


def test_a_page_of_comments_claimed_by_others_says_so(desk, version, bob):
    max_ = in_group("max", MODERATORS)
    rows = [hold(version, bob, f"Remark {n}.") for n in range(2)]
    take([each.pk for each in rows], max_, timezone.now())
    page = desk.get(HOME)
    assert "data-nothing>" in page.content.decode()
    left = [int(seconds) for seconds in re.findall(r'data-taken="(\d+)"', page.content.decode())]
    assert len(left) == 2
    assert all(CLAIM_TIME.total_seconds() - 60 < each <= CLAIM_TIME.total_seconds() for each in left)
    hold(version, bob, "One more.")
    assert "data-nothing hidden>" in desk.get(HOME).content.decode()


def test_reports_are_shown_with_readers_words_but_not_their_names(desk, version, alice, bob, mona):
    comment = row(version, alice, "It came up in mine.")
    report_comment(comment.pk, bob.pk, Harm.LEAK, "This is from a dump.", NOW)
    report_comment(comment.pk, person("carol").pk, Harm.LEAK, "", NOW)
    page = desk.get(HOME)
    (line,) = page.context["page"].cards[0].reports
    assert (line.harm, line.count) == (Harm.LEAK, 2)
    assert values(page, "data-harm") == [Harm.LEAK]
    assert states(page) == ["harm"]
    said = text_of(page)
    assert "This is from a dump." in said
    assert "Carol" not in said


@pytest.mark.parametrize("count", [1, 3 * PER_PAGE])
def test_the_statement_count_of_the_queue_does_not_grow_with_the_backlog(
    desk, version, mona, count, django_assert_num_queries
):
    top = row(version, None, "Top.")
    people = [person(f"p{n}") for n in range(5)]
    for n in range(count):
        made = hold(version, people[n % 5], f"Remark {n}.", parent=None if n % 2 else top)
        report_comment(row(version, None, "x").pk, people[n % 5].pk, Harm.SPAM, "", NOW) if n % 7 == 0 else None
        take([made.pk], mona, timezone.now()) if n % 3 == 0 else None
    with django_assert_num_queries(STATEMENTS):
        page = desk.get(HOME)
    assert page.context["page"].pages.paginator.count > count


@pytest.mark.parametrize("count", [1, 60])
def test_the_statement_counts_of_log_and_search_do_not_grow_with_their_rows(
    desk, version, alice, mona, count, django_assert_max_num_queries
):
    for n in range(count):
        decide_now([hold(version, alice, f"Remark {n}.", "link").pk], Choice(Act.SPAM), mona, NOW)
    for name in ("moderation-log", "moderation-search"):
        with django_assert_max_num_queries(10):
            assert desk.get(reverse(name)).status_code == 200


def test_after_a_refused_decision_the_pager_still_works(desk, version, bob):
    for n in range(PER_PAGE + 1):
        hold(version, bob, f"Remark {n}.")
    sent = {"view": "sort=newest", "upto": Comment.objects.latest("pk").pk}
    author = reverse("moderation-author", args=[bob.pk])
    for address, kept in ((HOME, "?sort=newest&page=2"), (author, "?page=2")):
        page = parsed(desk.post(f"{address}decide/", sent))
        (following,) = page.select(".pager a[rel=next]")
        assert following["href"] == address + kept
        assert desk.get(following["href"]).status_code == 200


def test_every_comment_is_on_exactly_one_page(desk, version):
    rows = [hold(version, person(f"p{n}"), f"remark-{n:03}.").pk for n in range(2 * PER_PAGE + 3)]
    seen = []
    for number in (1, 2, 3):
        seen += [card.comment.pk for card in desk.get(HOME, {"page": number}).context["page"].cards]
    assert sorted(seen) == rows


@pytest.mark.parametrize("query", ["?page=x", "?page=-1", "?page=99999999999999999999", "?done=a,b,9", "?show=none"])
def test_invalid_parameters_still_show_the_queue(desk, held, query):
    assert "A first remark." in text_of(desk.get(HOME + query))


# Deciding without script


@pytest.mark.parametrize(
    ("fields", "state"),
    [
        ({"act": "approve"}, State.VISIBLE),
        ({"act": "spam"}, State.SPAM),
        ({"reject": "leak"}, State.REMOVED),
        ({"reject": "other", "words": "Please say why."}, State.REMOVED),
    ],
)
def test_a_decision_is_a_form_and_the_next_page_offers_to_undo_it(desk, held, fields, state):
    page = decide(desk, held, follow=True, **fields)
    assert state_of(held) == state
    entry = LogEntry.objects.get()
    assert f'name="entry" value="{entry.pk}"' in page.content.decode()
    back = desk.post(reverse("moderation-undo"), {"entry": entry.pk}, follow=True)
    assert messages(back) == ["undone"]
    assert state_of(held) == State.HELD
    assert not Notice.objects.exists()


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({}, ("__all__", "act")),
        ({"act": "reject"}, ("__all__", "reason")),
        ({"reject": "other", "words": "  "}, ("__all__", "words")),
        ({"reject": "fate"}, ("reject", "invalid_choice")),
        ({"act": "lock"}, ("act", "invalid_choice")),
        ({"comment": ["x"], "act": "spam"}, ("comment", "most")),
        ({"comment": [], "act": "spam"}, ("comment", "required")),
        ({"comment": ["1"] * 51, "act": "spam"}, ("comment", "most")),
        ({"words": "x" * 501, "act": "spam"}, ("words", "max_length")),
    ],
)
def test_an_invalid_decision_is_refused_and_nothing_typed_is_lost(desk, held, fields, wrong):
    sent = {"comment": held.pk, "words": "My words."} | fields
    response = desk.post(reverse("moderation-decide"), sent)
    assert response.status_code == 400
    assert state_of(held) == State.HELD
    data = desk.post(reverse("moderation-decide"), sent, headers=SCRIPT)
    form = response.context["form"]
    field, code = wrong
    assert code in codes(form)[field]
    told = [str(error) for errors in form.errors.values() for error in errors]
    assert (data.status_code, data.json()["said"]) == (400, " ".join(told))
    if "words" not in fields:
        assert "My words." in text_of(response)


def test_several_comments_are_decided_at_once(desk, version, alice, bob):
    rows = [hold(version, alice, "One.", "link"), hold(version, bob, "Two.", "link")]
    sent = {"comment": [each.pk for each in rows], **seen_now(*rows), "reject": "advert"}
    desk.post(reverse("moderation-decide"), sent)
    assert [state_of(each) for each in rows] == [State.REMOVED] * 2
    assert LogEntry.objects.count() == 2


def test_a_comment_held_by_another_moderator_is_not_decided_and_the_page_says_who_holds_it(desk, client_of, held):
    max_ = in_group("max", MODERATORS)
    take([held.pk], max_, timezone.now())
    (shown,) = re.findall(
        r'<p class="claim"[^>]* data-state="taken">(.*?)</p>', desk.get(HOME).content.decode(), re.DOTALL
    )
    assert "Max" in shown
    assert f"{Claim.objects.get().until:%H:%M}" in shown
    page = decide(desk, held, follow=True, act="spam")
    assert messages(page) == ["taken"]
    assert "Max" in text_of(page)
    assert state_of(held) == State.HELD
    sent = {"comment": held.pk, "act": "spam", **seen_now(held)}
    data = desk.post(reverse("moderation-decide"), sent, headers=SCRIPT).json()
    assert data["entries"] == []
    assert "Max" in data["refused"][str(held.pk)]


def test_an_old_page_does_not_overrule_another_moderator(desk, held, version, alice):
    page = desk.get(HOME).content.decode()
    (shown,) = set(re.findall(r'name="seen" value="([^"]+)"', page))
    decide_now([held.pk], Choice(Act.APPROVE), in_group("max", MODERATORS), timezone.now())
    page = decide(desk, held, follow=True, act="spam", seen=shown)
    assert messages(page) == ["decided"]
    assert "Max" in text_of(page)
    text = {"text": "Other.", "reason": "other", "words": "Why.", "seen": shown}
    assert desk.post(about("moderation-edit-out", held), text).status_code == 400
    assert state_of(held) == State.VISIBLE
    for odd in ("", "x", f"{held.pk}", f"{held.pk}-visible-1", f"{held.pk}-visible-" + "9" * 5000):
        page = decide(desk, held, follow=True, act="spam", seen=odd)
        assert messages(page) == ["decided"]
    assert state_of(held) == State.VISIBLE
    about_it = desk.get(about("moderation-comment", held)).content.decode()
    (fresh,) = set(re.findall(r'name="seen" value="([^"]+)"', about_it))
    decide(desk, held, act="spam", seen=fresh)
    assert state_of(held) == State.SPAM


def test_the_response_to_the_script_lists_decided_and_released_comments(desk, held, version, alice):
    other = hold(version, alice, "Another.")
    sent = {"comment": held.pk, "act": "approve", **seen_now(held)}
    data = desk.post(reverse("moderation-decide"), sent, headers=SCRIPT).json()
    entry = LogEntry.objects.get()
    assert data == {"entries": [entry.pk], "settled": [held.pk, other.pk], "refused": {}}
    undone = desk.post(reverse("moderation-undo"), {"entry": [entry.pk]}, headers=SCRIPT).json()
    assert undone == {"entries": [entry.pk], "refused": {}}
    assert [state_of(each) for each in (held, other)] == [State.HELD] * 2


def test_nobody_is_offered_an_undo_of_another_moderators_act(desk, held):
    entry = decide_now([held.pk], Choice(Act.SPAM), in_group("max", MODERATORS), NOW).entries[0]
    assert 'name="entry"' not in desk.get(f"{HOME}?done={entry.pk}").content.decode()


def test_claiming_works_by_form_too(desk, held, mona):
    page = desk.post(reverse("moderation-claim"), {"next": "1"}, follow=True)
    assert states(page) == ["mine"]
    assert Claim.objects.get().moderator == mona
    page = desk.post(reverse("moderation-claim"), {"release": "1"}, follow=True)
    assert not Claim.objects.exists()
    desk.post(reverse("moderation-claim"), {"comment": [held.pk]})
    assert Claim.objects.get().comment == held
    data = desk.post(reverse("moderation-claim"), {"comment": ["999999"]}, headers=SCRIPT).json()
    assert (data["mine"], list(data["refused"])) == ([], ["999999"])
    assert not values(desk.get(HOME + "?show=mine"), "data-empty")


def test_the_next_comments_follow_the_filter_and_its_order(desk, version, alice, bob, mona):
    hold(version, alice, "See this page.", "link", created_at=timezone.now() - dt.timedelta(hours=9))
    now = timezone.now()
    older, newer = (hold(version, bob, f"Buy {n}.", "advert", created_at=now - dt.timedelta(hours=n)) for n in (5, 3))
    asked = "reason=rule-advert&sort=newest"
    page = desk.post(reverse("moderation-claim"), {"next": "1", "view": asked}, follow=True)
    assert set(Claim.objects.values_list("comment", flat=True)) == {older.pk, newer.pk}
    assert values(page, "data-card") == [str(newer.pk), str(older.pk)]
    assert take_next(1, in_group("max", MODERATORS), now, wanted_of({"reason": "rule-advert"})) == []


def test_a_filter_survives_a_decision_and_an_empty_result_is_explained(desk, version, alice, bob):
    link, other = hold(version, alice, "See this page.", "link"), hold(version, bob, "A remark.", "link", "advert")
    page = desk.get(HOME, {"reason": "rule-advert", "sort": "newest"})
    assert values(page, "data-card") == [str(other.pk)]
    assert values(page, "data-found") == ["1"]
    asked = "reason=rule-advert&sort=newest"
    assert set(re.findall(r'name="view" value="([^"]*)"', page.content.decode())) == {html.escape(asked)}
    done = decide(desk, other, act="spam", view=asked)
    assert done.headers["Location"] == f"{HOME}?{asked}&done={LogEntry.objects.get().pk}"
    page = desk.get(done.headers["Location"])
    assert values(page, "data-empty") == ["filtered"]
    assert not values(page, "data-card")
    assert values(desk.get(HOME), "data-card") == [str(link.pk)]


def test_an_invalid_view_redirects_to_the_whole_queue(desk, held):
    done = decide(desk, held, act="spam", view="reason=%00&sort=x&next=https://elsewhere.example&age=1")
    assert done.headers["Location"].startswith(f"{HOME}?")
    assert "elsewhere" not in done.headers["Location"]
    assert desk.get(done.headers["Location"]).status_code == 200


def test_an_empty_queue_says_so(desk):
    assert values(desk.get(HOME), "data-empty") == ["queue"]
    assert values(desk.get(HOME + "?show=mine"), "data-empty") == ["mine"]


# One comment


def about(name: str, comment: Comment) -> str:
    return reverse(name, args=[comment.pk])


def test_a_button_edits_words_out_and_leaves_the_rest(desk, version, alice):
    made = hold(version, alice, "Use 0700 900123 and shards.")
    Hit.objects.create(comment=made, rule="phone", start=4, end=15, text="0700 900123")
    address = about("moderation-edit-out", made)
    typed = {"text": made.text, "reason": "personal", "words": "A note.", **seen_now(made)}
    page = desk.post(address, {**typed, "cut": "0700 900123"})
    cut = page.context["edit_form"]["text"].value()
    assert cut == f"Use {TAKEN_OUT} and shards."
    assert (page.context["edit_form"]["words"].value(), state_of(made)) == ("A note.", State.HELD)
    page = desk.post(address, {**typed, "text": cut}, follow=True)
    assert (state_of(made), made.text) == (State.VISIBLE, cut)
    assert values(page, "data-act") == [Act.EDIT_OUT]
    assert "Use 0700 900123" not in Client().get(about("comment", made)).content.decode()


@pytest.mark.parametrize("fields", [{"reason": ""}, {"text": ""}, {"text": "A first remark."}, {"text": "[" * 40}])
def test_an_invalid_edit_is_shown_again_as_typed(desk, held, fields):
    sent = {"text": "A remark.", "reason": "other", "words": "My note."} | fields
    page = desk.post(about("moderation-edit-out", held), sent)
    assert page.status_code == 400
    assert "My note." in text_of(page)
    assert state_of(held) == State.HELD


def test_editing_out_for_the_reason_other_needs_a_message_and_keeps_what_was_typed(desk, held):
    sent = {"text": "Something else.", "reason": "other", "words": "  ", **seen_now(held)}
    page = desk.post(about("moderation-edit-out", held), sent)
    assert page.status_code == 400
    assert codes(page.context["edit_form"]) == {"words": ["words"]}
    assert "Something else." in text_of(page)
    assert state_of(held) == State.HELD
    desk.post(about("moderation-edit-out", held), {**sent, "words": "No names of colleagues, please."})
    assert Notice.objects.get().entry.words == "No names of colleagues, please."


@pytest.mark.parametrize(
    ("fields", "told"), [({"act": "spam"}, "0"), ({"act": "approve"}, "1"), ({"reject": "leak"}, "1")]
)
def test_the_page_after_a_decision_says_that_authors_are_told_only_if_they_are(desk, held, fields, told):
    page = decide(desk, held, follow=True, **fields)
    assert values(page, "data-told") == [told] == [str(Notice.objects.count())]


def test_the_page_after_a_decision_on_several_comments_counts_the_authors_who_are_told(desk, version, held, alice, bob):
    several = [held, hold(version, alice, "A second one."), hold(version, bob, "A third one.")]
    sent = {"comment": [each.pk for each in several], "act": "approve", **seen_now(*several)}
    page = desk.post(reverse("moderation-decide"), sent, follow=True)
    assert values(page, "data-told") == ["2"]


def test_a_thread_is_closed_and_opened_from_a_comment(desk, held):
    address = about("moderation-lock", held)
    page = desk.post(address, {"on": "1", "words": "Too heated."}, follow=True)
    assert values(page, "data-act") == [Act.LOCK]
    assert values(page, "data-told") == ["0"]
    assert ThreadState.objects.get().reason == "Too heated."
    assert desk.post(address, {"on": "1", "words": "Again."}).status_code == 400
    desk.post(address, {"on": "0"})
    assert ThreadState.objects.get().locked_at is None


def test_an_author_can_be_suspended_until_a_given_day(desk, held, alice):
    day = timezone.now().date() + dt.timedelta(days=9)
    page = desk.post(about("moderation-suspend", held), {"until": day, "words": "Insults."}, follow=True)
    made = Suspension.objects.get()
    assert (made.user, made.until.date(), made.reason) == (alice, day, "Insults.")
    desk.post(reverse("moderation-undo"), {"entry": LogEntry.objects.get().pk})
    made.refresh_from_db()
    assert made.lifted_at is not None
    assert page.status_code == 200


@pytest.mark.parametrize(
    "fields",
    [{"until": "2020-01-01"}, {"until": "soon"}, {"until": "9999-12-31"}, {"words": ""}, {"until": ""}],
)
def test_a_suspension_without_a_valid_end_or_a_reason_is_refused(desk, held, fields):
    day = timezone.now().date() + dt.timedelta(days=9)
    sent = {"until": day, "words": "Insults."} | fields
    assert desk.post(about("moderation-suspend", held), sent).status_code == 400
    assert not Suspension.objects.exists()


def test_a_deleted_author_cannot_be_suspended_and_a_deleted_comment_is_a_404(desk, version, alice):
    gone = hold(version, None, "Left behind.")
    assert desk.get(about("moderation-comment", gone)).status_code == 200
    assert desk.post(about("moderation-suspend", gone), {}).status_code == 404
    deleted = row(version, alice, "", html="", deleted_at=NOW)
    assert desk.get(about("moderation-comment", deleted)).status_code == 404


def test_a_visible_comment_can_be_removed_without_a_report(desk, version, alice):
    visible = row(version, alice, "A tip.")
    assert 'name="reject"' in desk.get(about("moderation-comment", visible)).content.decode()
    decide(desk, visible, reject="off-topic")
    assert state_of(visible) == State.REMOVED


def test_an_act_can_be_reversed_from_the_log_long_afterwards(desk, held, mona):
    entry = decide_now([held.pk], Choice(Act.REJECT, Reason.LEAK), mona, NOW - dt.timedelta(days=400)).entries[0]
    page = desk.get(reverse("moderation-log"))
    assert f'name="entry" value="{entry.pk}"' in page.content.decode()
    (line,) = page.context["page"].lines
    assert (line.entry.before["state"], line.entry.after["state"], line.why) == (
        State.HELD, State.REMOVED, Reason.LEAK.label,
    )  # fmt: skip
    assert all(words in text_of(page) for words in (line.before[0][1], line.after[0][1], line.why))
    desk.post(reverse("moderation-undo"), {"entry": entry.pk})
    assert state_of(held) == State.HELD
    page = desk.get(reverse("moderation-log"))
    assert f'name="entry" value="{entry.pk}"' not in page.content.decode()
    assert re.search(r'data-act="reject" data-reversed>.*?<p class="help">[^<]*Mona', page.content.decode(), re.DOTALL)


def test_an_act_on_a_comment_its_author_deleted_cannot_be_undone_and_says_so(desk, held, mona):
    entry = decide_now([held.pk], Choice(Act.APPROVE), mona, NOW).entries[0]
    Comment.objects.filter(pk=held.pk).update(text="", html="", deleted_at=NOW)
    page = desk.post(reverse("moderation-undo"), {"entry": entry.pk}, follow=True)
    assert messages(page) == ["gone"]


def test_the_search_page_finds_comments_and_has_pages(desk, version, alice):
    for n in range(40):
        row(version, alice, f"About shards {n}.")
    page = desk.get(reverse("moderation-search"), {"q": "shards", "state": "visible"})
    assert (page.context["page"].pages.paginator.count, "40" in text_of(page)) == (40, True)
    assert "q=shards&amp;state=visible&amp;page=2" in page.content.decode()
    assert desk.get(reverse("moderation-search"), {"q": "sharks"}).context["page"].pages.paginator.count == 0
    assert desk.get(reverse("moderation-search"), {"q": "x" * 999, "state": "no"}).status_code == 200
