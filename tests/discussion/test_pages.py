"""Check who sees what on the discussion's pages, in how many statements, what caches keep, and what people can do."""

from __future__ import annotations

import datetime as dt
import html
import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from discussion.comments import limits
from discussion.models import Comment, CommentReport, Kind, Reason, State, Subscription, Suspension, ThreadState, Vote
from discussion.moderation.acts.decide import edit_out
from discussion.threads.reads import PER_PAGE, REPLIES_SHOWN
from practice.models import SessionItem
from practice.sessions.ending.finish import finish
from questions.models import Change, Pool, Question, ReportKind, ReportState
from questions.reports.reads.reporters import Reporter
from questions.reports.report import Answer, Complaint, answer_report, report
from tests.discussion.conftest import person, row
from tests.support.bank import NOW, add_questions
from tests.support.hooks import codes, states, values
from tests.support.sessions import begin_mock, guest, guest_client, read_through

HX = {"HX-Request": "true"}
SIGNED_IN, STRANGER = 10, 4


@pytest.fixture
def url(version) -> str:
    return thread_url(version)


def thread_url(version) -> str:
    return reverse("thread", args=[version.question.exam.slug, version.question_id])


def new_url(version) -> str:
    return reverse("comment-new", args=[version.question.exam.slug, version.question_id])


def text_of(response) -> str:
    return html.unescape(re.sub(r"<[^>]*>", " ", response.content.decode()))


def test_a_thread_shows_comments_newest_first_with_names_and_never_addresses(client, url, version, alice, bob):
    row(version, alice, "The older tip.")
    row(version, None, "The newer tip.")
    page = client.get(url)
    said = text_of(page)
    assert page.status_code == 200
    assert said.index("The newer tip.") < said.index("The older tip.")
    assert "Alice" in said
    assert [line.comment.author for line in page.context["page"].lines] == [None, alice]
    assert "@" not in said


def test_the_most_helpful_comments_come_first_when_asked_for(client, url, version, alice):
    row(version, alice, "Much helped.", helpful=5)
    row(version, alice, "Little helped.", helpful=1)
    said = text_of(client.get(url, {"sort": "helpful"}))
    assert said.index("Much helped.") < said.index("Little helped.")


@pytest.mark.parametrize("sort", ["newest", "helpful", "nonsense"])
def test_every_comment_is_on_exactly_one_page(client, url, version, alice, sort):
    for n in range(2 * PER_PAGE + 3):
        row(version, alice, f"tip-{n:03}.", helpful=n % 4)
    seen, query = [], {"sort": sort}
    for _ in range(3):
        page = client.get(url, query)
        seen += re.findall(r"tip-\d+", text_of(page))
        query = {"sort": sort, "after": page.context["page"].after}
    assert sorted(seen) == [f"tip-{n:03}" for n in range(2 * PER_PAGE + 3)]
    assert query["after"] == ""


@pytest.mark.parametrize("after", ["x", "-1", "1-2-3", "9" * 40, "1-", "٣"])
def test_an_invalid_cursor_still_shows_comments(client, url, version, alice, after):
    row(version, alice, "A tip.")
    assert client.get(url, {"after": after, "sort": "helpful"}).status_code == 200
    assert client.get(url, {"after": after}).status_code == 200


def test_a_thread_shows_the_first_replies_and_links_to_the_others(client, url, version, alice):
    first = row(version, alice, "A tip.")
    for n in range(REPLIES_SHOWN + 2):
        row(version, alice, f"reply-{n}.", parent=first)
    said = text_of(client.get(url))
    assert re.findall(r"reply-\d", said) == ["reply-0", "reply-1", "reply-2"]
    assert f'<a href="{reverse("comment", args=[first.pk])}">' in client.get(url).content.decode()
    whole = text_of(client.get(reverse("comment", args=[first.pk])))
    assert len(re.findall(r"reply-\d", whole)) == REPLIES_SHOWN + 2


@pytest.mark.parametrize("count", [1, 3])
def test_a_thread_takes_the_same_number_of_statements_however_deep(
    client_of, url, version, alice, bob, count, django_assert_num_queries
):
    for n in range(count):
        correction = row(version, alice, f"tip-{n}.", kind=Kind.CORRECTION, report=_report(version, alice, f"no {n}"))
        for m in range(count):
            row(version, bob, f"reply-{n}-{m}.", parent=correction)
        row(version, bob, f"waits-{n}.", state=State.HELD)
    mine, stranger = client_of(bob), Client()
    with django_assert_num_queries(SIGNED_IN + 1):  # one more statement finds why the reader's own comments wait
        mine.get(url)
    with django_assert_num_queries(STRANGER):
        stranger.get(url)


@pytest.mark.parametrize("count", [1, 3])
def test_a_conversation_takes_the_same_number_of_statements_however_long(
    client_of, version, alice, bob, count, django_assert_num_queries
):
    first = row(version, alice, "A tip.")
    for n in range(count):
        row(version, bob, f"reply-{n}.", parent=first)
    mine = client_of(bob)
    with django_assert_num_queries(SIGNED_IN):
        mine.get(reverse("comment", args=[first.pk]))


def _report(version, user, text):
    return report(version, Complaint(ReportKind.OTHER, text), Reporter(user_id=user.pk), NOW, limited=False)


def test_a_request_by_htmx_gets_the_thread_alone(client, url, version, alice):
    row(version, alice, "A tip.")
    body = client.get(url, headers=HX).content.decode()
    assert body.lstrip().startswith(f'<section class="thread stack" id="thread-{version.question_id}">')
    assert "<html" not in body


def test_the_question_page_links_to_the_thread_and_shows_only_its_length(client, version, alice, url):
    page = reverse("question", args=["pmle", version.question.number, "situation-1"])
    before = client.get(page).content
    row(version, alice, "A tip.")
    after = client.get(page).content.replace(b'data-comments="1">1 comment<', b'data-comments="0">no comments yet<')
    assert after == before
    assert f'data-hx-get="{url}?version=1"' in before.decode()


def test_a_strangers_copy_may_be_cached_but_is_revalidated(client, client_of, url, version, alice):
    tip = row(version, alice, "A tip.")
    for address in (url, reverse("comment", args=[tip.pk])):
        response = client.get(address)
        assert response["Cache-Control"] == "public, no-cache"
        assert {"Cookie", "HX-Request"} <= set(response["Vary"].split(", "))
        assert not response.cookies
        again = client.get(address, headers={"If-None-Match": response["ETag"]})
        assert again.status_code == 304
        assert "no-store" in client_of(alice).get(address)["Cache-Control"]
    Comment.objects.filter(pk=tip.pk).update(state=State.REMOVED, listed=False)
    assert client.get(url, headers={"If-None-Match": response["ETag"]}).status_code == 200


def test_a_reserved_questions_thread_is_open_only_to_those_who_met_it(client, exam, reserved, alice):
    add_questions(exam, 1)
    tip = row(reserved, alice, "A tip.")
    owner, token = guest()
    mine = guest_client(token)
    addresses = [thread_url(reserved), reverse("comment", args=[tip.pk])]
    assert [client.get(address).status_code for address in addresses] == [404, 404]
    mock = begin_mock(owner, exam, count=6)
    assert SessionItem.objects.filter(session=mock, version=reserved).exists()
    assert [mine.get(address).status_code for address in addresses] == [404, 404]
    finish(mock.uuid, owner, read_through(mock, owner))
    assert [mine.get(address).status_code for address in addresses] == [200, 200]
    assert [client.get(address).status_code for address in addresses] == [404, 404]


def test_a_question_in_an_unfinished_mock_says_when_its_thread_opens(exam, version, alice):
    add_questions(exam, 1, domains=("d2", "d3", "d4", "d5", "d6"))
    row(version, alice, "A tip.")
    owner, token = guest()
    mock = begin_mock(owner, exam, count=6)
    assert SessionItem.objects.filter(session=mock, version=version).exists()
    response = guest_client(token).get(thread_url(version))
    assert response.status_code == 403
    assert states(response) == ["in-mock"]
    assert "A tip." not in text_of(response)
    fragment = guest_client(token).get(thread_url(version), headers=HX)
    assert fragment.status_code == 200
    assert "A tip." not in text_of(fragment)


def test_addresses_of_nonexistent_threads_and_comments_are_404(client, version, url, exam):
    question = Question.objects.create(exam=exam, domain=version.domain, key="draft", title="Draft", stem="x")
    for address in (
        url.replace("pmle", "other"),
        reverse("thread", args=["pmle", 10**9]),
        reverse("thread", args=["pmle", question.pk]),
        reverse("comment", args=[10**9]),
    ):
        assert client.get(address).status_code == 404


def test_a_first_comment_is_held_and_shown_to_its_author_alone(settings, client, client_of, url, version, alice, bob):
    settings.HOLD_FIRST_POSTS = 1
    mine = client_of(alice)
    answer = mine.post(new_url(version), {"kind": "tip", "text": "Mind the **quota**.", "version": "1", "follow": "on"})
    made = Comment.objects.get()
    assert answer["Location"] == reverse("comment", args=[made.pk]) + f"?said=held#c{made.pk}"
    assert (made.author, made.state, made.version, made.kind) == (alice, State.HELD, version, Kind.TIP)
    assert Subscription.objects.get().user == alice
    assert states(mine.get(url)) == ["held"]
    assert "Mind the" in text_of(mine.get(answer["Location"]))
    for other in (client, client_of(bob)):
        assert "Mind the" not in text_of(other.get(url))
        assert other.get(reverse("comment", args=[made.pk])).status_code == 404


def test_posting_from_the_question_page_refreshes_the_thread(client_of, version, alice, known):
    mine = client_of(known(alice))
    answer = mine.post(new_url(version), {"kind": "tip", "text": "Mind the quota."}, headers=HX, follow=True)
    assert answer.redirect_chain == [(f"{thread_url(version)}?sort=newest&said=posted", 302)]


def test_the_author_is_asked_what_a_bare_letter_means_and_nothing_is_lost(client_of, version, alice):
    mine = client_of(alice)
    data = {"kind": "tip", "text": "B is right because A does not scale."}
    asked = mine.post(new_url(version), data)
    assert asked.status_code == 400
    assert not Comment.objects.exists()
    said = text_of(asked)
    assert set(re.findall(r'name="(means_\w)"', asked.content.decode())) == {"means_A", "means_B"}
    assert "B is right because A does not scale." in said
    assert "Thing 2 of 1" in said
    mine.post(new_url(version), data | {"means_A": "none", "means_B": "3"})
    assert Comment.objects.get().text == "{option:3} is right because A does not scale."


def test_an_option_is_inserted_into_the_text_without_script(client_of, version, alice):
    answer = client_of(alice).post(new_url(version), {"kind": "question", "text": "Why not", "insert": "2"})
    assert answer.status_code == 200
    assert "Why not {option:2}" in text_of(answer)
    assert re.search(r'value="question"[^>]*checked', answer.content.decode())
    assert not Comment.objects.exists()


@pytest.mark.parametrize("headers", [{}, HX])
def test_a_preview_shows_the_text_and_stores_nothing(client_of, version, alice, headers):
    mine = client_of(alice)
    name = "comment-preview" if headers else "comment-new"
    address = reverse(name, args=["pmle", version.question_id])
    answer = mine.post(address, {"text": "A **bold** {option:2} <script>x</script>", "preview": "1"}, headers=headers)
    assert answer.status_code == 200
    body = answer.content.decode()
    assert "<strong>bold</strong>" in body
    assert "&lt;script&gt;x" in body
    assert 'class="option-ref">Thing 2 of 1<' in body
    assert values(mine.post(address, {"text": "[" * 50, "preview": "1"}, headers=headers), "data-code") == ["run"]
    assert not Comment.objects.exists()


def test_a_refused_comment_is_shown_again_as_typed(client_of, version, alice, monkeypatch):
    mine = client_of(alice)
    for text, code in (
        ("[" * 30, "run"),
        ("x" * 4001, "max_length"),
        ("", "required"),
    ):
        answer = mine.post(new_url(version), {"kind": "tip", "text": text})
        assert answer.status_code == 400
        assert code in codes(answer.context["form"])["text"]
        assert text in text_of(answer)
    monkeypatch.setitem(limits.HOURLY, "comments", 0)
    answer = mine.post(new_url(version), {"kind": "tip", "text": "My words."})
    assert (answer.status_code, "My words." in text_of(answer)) == (429, True)
    assert mine.post(new_url(version), {"kind": "tip", "text": "My words."}, headers=HX).status_code == 400


def test_a_correction_is_about_the_version_that_was_read(client_of, version, alice):
    second = _next_version(version, Change.TYPO)
    client_of(alice).post(new_url(version), {"kind": "correction", "text": "It is wrong.", "version": "1"})
    client_of(alice).post(new_url(version), {"kind": "tip", "text": "It is right.", "version": "77"})
    assert list(Comment.objects.order_by("pk").values_list("version", flat=True)) == [version.pk, second.pk]


def _next_version(version, change: Change):
    from copy import copy

    second = copy(version)
    second.pk, second._state.adding, second.number, second.change = None, True, version.number + 1, change
    second.save()
    Question.objects.filter(pk=version.question_id).update(live_version=second)
    return second


@pytest.mark.parametrize(("change", "collapsed"), [(Change.TYPO, False), (Change.SEMANTIC, True), (Change.KEY, True)])
def test_a_comment_on_text_changed_since_is_folded_with_a_note(client, url, version, alice, change, collapsed):
    row(version, alice, "The old key.")
    second = _next_version(version, change)
    row(second, alice, "The new key.")
    page = client.get(url)
    assert values(page, "data-version") == ["1"] * collapsed
    assert "The old key." in text_of(page)


def test_the_editors_answer_is_shown_under_a_correction(client, url, version, alice, moderator):
    made = _report(version, alice, "It is wrong.")
    row(version, alice, "It is wrong.", kind=Kind.CORRECTION, report=made)
    assert "checking" in states(client.get(url))
    answer_report(made.pk, Answer(ReportState.DECLINED, "The documentation says otherwise."), 0, moderator, NOW)
    page = client.get(url)
    assert "The documentation says otherwise." in text_of(page)
    assert "checking" not in states(page)


def test_a_reply_is_shown_under_its_comment(client_of, version, alice, bob, known):
    first = row(version, alice, "A tip.")
    answer = client_of(known(bob)).post(reverse("comment-reply", args=[first.pk]), {"text": "Thank you."})
    reply = Comment.objects.get(parent=first)
    assert answer["Location"] == reverse("comment", args=[reply.pk]) + f"?said=posted#c{reply.pk}"
    refused = client_of(bob).post(reverse("comment-reply", args=[first.pk]), {"text": "B is right"})
    assert refused.status_code == 400
    assert 'name="means_B"' in refused.content.decode()


def test_only_its_author_can_edit_a_comment_and_only_for_a_while(client_of, version, alice, bob):
    made = row(version, alice, "A tpi.", created_at=timezone.now())
    address = reverse("comment-edit", args=[made.pk])
    mine = client_of(alice)
    assert "A tpi." in text_of(mine.get(address))
    assert client_of(bob).get(address).status_code == 404
    assert mine.post(address, {"text": "A tip."}).status_code == 302
    made.refresh_from_db()
    assert made.text == "A tip."
    Comment.objects.filter(pk=made.pk).update(created_at=NOW - dt.timedelta(days=1), state=State.VISIBLE, listed=True)
    late = mine.post(address, {"text": "Too late."})
    assert (late.status_code, values(late, "data-code"), "Too late." in text_of(late)) == (400, ["late"], True)
    assert "data-edited" in mine.get(reverse("comment", args=[made.pk])).content.decode()


def test_only_its_author_can_delete_a_comment_after_confirming(client, client_of, url, version, alice, bob):
    made = row(version, alice, "A tip.")
    row(version, bob, "Answered.", parent=made)
    address = reverse("comment-delete", args=[made.pk])
    assert client_of(bob).post(address).status_code == 404
    assert "A tip." in text_of(client_of(alice).get(address))
    assert Comment.objects.get(pk=made.pk).deleted_at is None
    assert client_of(alice).post(address).status_code == 302
    page = client.get(url)
    said = text_of(page)
    assert "deleted" in states(page)
    assert "A tip." not in said
    assert "Alice" not in said


def test_a_helpful_vote_works_with_and_without_script(client_of, version, alice, bob):
    tip = row(version, alice, "A tip.")
    address = reverse("comment-helpful", args=[tip.pk])
    assert client_of(bob).post(address, {"on": "1"}).status_code == 302
    assert Vote.objects.get().user == bob
    fragment = client_of(bob).post(address, {"on": "0"}, headers=HX)
    assert 'aria-pressed="false"' in fragment.content.decode()
    assert not Vote.objects.exists()
    assert "said=own" in client_of(alice).post(address, {"on": "1"})["Location"]


def test_a_report_needs_a_reason_and_is_stored_once(client_of, version, alice, bob):
    tip = row(version, alice, "A tip.")
    address = reverse("comment-report", args=[tip.pk])
    mine = client_of(bob)
    assert mine.get(address).status_code == 200
    assert mine.post(address, {"text": "x"}).status_code == 400
    reported = mine.post(address, {"reason": "leak", "text": "From my exam."})
    assert reported["Location"].endswith("?said=reported")
    assert mine.get(address)["Location"].endswith("?said=known")
    assert CommentReport.objects.get().reporter == bob


def test_following_is_switched_on_and_off(client_of, version, alice, bob):
    tip = row(version, alice, "A tip.")
    address = reverse("comment-follow", args=[tip.pk])
    client_of(bob).post(address, {"on": "1"})
    assert Subscription.objects.get().user == bob
    client_of(bob).post(address, {"on": "0"})
    assert not Subscription.objects.exists()


WRITES = ["comment-reply", "comment-edit", "comment-delete", "comment-helpful", "comment-report", "comment-follow"]
WORDS = "My words that took an hour."


@pytest.mark.parametrize("name", WRITES)
def test_a_visitor_is_sent_to_sign_in_and_back_to_the_thread(client, version, alice, url, name):
    tip = row(version, alice, "A tip.")
    answer = client.post(reverse(name, args=[tip.pk]), {"text": " ", "on": "1"})
    assert answer["Location"] == f"{reverse('account_login')}?next={url}"


def typed(response) -> str:
    """Return the content of the read-only field offered for copying, or ""."""
    found = re.search(r"<textarea[^>]* readonly[^>]*>\s*([^<]*)</textarea>", response.content.decode())
    return html.unescape(found.group(1)) if found else ""


@pytest.mark.parametrize("name", ["comment-new", "comment-reply", "comment-edit", "comment-report"])
def test_text_typed_after_the_login_ended_can_be_copied(client, version, alice, url, name):
    tip = row(version, alice, "A tip.")
    address = new_url(version) if name == "comment-new" else reverse(name, args=[tip.pk])
    answer = client.post(address, {"kind": "tip", "text": WORDS})
    assert (answer.status_code, typed(answer)) == (403, WORDS)
    assert f'href="{reverse("account_login")}?next={url}"' in answer.content.decode()


@pytest.mark.parametrize(("name", "place"), [("comment-new", "form"), ("comment-preview", "form"), ("", "article")])
def test_after_the_login_ended_a_page_with_script_keeps_its_form(client, version, alice, url, name, place):
    tip = row(version, alice, "A tip.")
    address = reverse(name, args=["pmle", version.question_id]) if name else reverse("comment-helpful", args=[tip.pk])
    answer = client.post(address, {"text": WORDS} if name else {"on": "1"}, headers=HX)
    assert answer.status_code == 400
    assert "HX-Redirect" not in answer
    assert (answer["HX-Retarget"], answer["HX-Reswap"]) == (f"closest {place}", "afterbegin show:top")
    assert states(answer) == ["signed-out"]
    assert f'href="{reverse("account_login")}?next={url}" target="_blank"' in answer.content.decode()
    assert ("data-typed" in answer.content.decode()) == bool(name)
    assert "<section" not in answer.content.decode()


@pytest.mark.parametrize("headers", [{}, HX])
@pytest.mark.parametrize("pressed", [{}, {"preview": "1"}])
@pytest.mark.parametrize("why", ["closed", "suspended"])
def test_text_typed_where_writing_is_no_longer_allowed_can_be_copied(
    client_of, version, alice, moderator, why, pressed, headers
):
    own = row(version, alice, "Mine.", created_at=timezone.now())
    if why == "closed":
        ThreadState.objects.create(question=version.question, locked_at=NOW, reason="Too heated.")
    else:
        until = timezone.now() + dt.timedelta(days=3)
        Suspension.objects.create(user=alice, until=until, by=moderator, reason="Too heated.", made_at=NOW)
    mine = client_of(alice)
    for address in (new_url(version), reverse("comment-reply", args=[own.pk]), reverse("comment-edit", args=[own.pk])):
        answer = mine.post(address, {"kind": "tip", "text": WORDS} | pressed, headers=headers)
        assert (answer.status_code, typed(answer)) == (200 if pressed else 400, WORDS), address
        assert "Too heated." in text_of(answer)
    assert not Comment.objects.filter(text=WORDS).exists()


@pytest.mark.parametrize("answered", [True, False])
def test_a_reply_to_a_deleted_comment_can_be_copied(client_of, version, alice, bob, known, answered):
    tip = row(version, alice, "A tip.", state=State.REMOVED, listed=answered)
    if answered:
        row(version, alice, "An answer.", parent=tip)
    answer = client_of(known(bob)).post(reverse("comment-reply", args=[tip.pk]), {"text": WORDS})
    assert (answer.status_code, typed(answer)) == (400 if answered else 404, WORDS)
    assert "gone" in states(answer)
    assert "A tip." not in text_of(answer)


def test_an_edit_of_a_deleted_or_locked_comment_can_be_copied(client_of, version, alice, moderator):
    mine = client_of(alice)
    removed = row(version, alice, "Removed.", state=State.REMOVED)
    answer = mine.post(reverse("comment-edit", args=[removed.pk]), {"text": WORDS})
    assert (answer.status_code, typed(answer)) == (404, WORDS)
    late = row(version, alice, "Late.", created_at=timezone.now() - dt.timedelta(days=1))
    answer = mine.post(reverse("comment-edit", args=[late.pk]), {"text": WORDS})
    assert (answer.status_code, typed(answer)) == (400, WORDS)
    assert typed(mine.get(reverse("comment-edit", args=[late.pk]))) == ""


def test_a_comment_that_a_moderator_edited_has_no_edit_form(client_of, url, version, alice, moderator):
    made = row(version, alice, "A tip of Lena Moe.", created_at=timezone.now())
    address = reverse("comment-edit", args=[made.pk])
    mine = client_of(alice)
    assert address in mine.get(url).content.decode()
    edit_out(made, "A tip.", moderator, timezone.now(), Reason.PERSONAL)
    assert address not in mine.get(url).content.decode()
    page = mine.get(address)
    assert values(page, "data-code") == ["edited-out"]
    assert "<textarea" not in page.content.decode()
    answer = mine.post(address, {"text": WORDS})
    assert (answer.status_code, typed(answer)) == (400, WORDS)


def test_text_typed_under_a_question_that_came_up_in_a_mock_can_be_copied(exam, version, alice, bob):
    add_questions(exam, 1, domains=("d2", "d3", "d4", "d5", "d6"))
    owner, token = guest()
    begin_mock(owner, exam, count=6)
    reader = guest_client(token)
    for headers, status in (({}, 403), (HX, 200)):
        answer = reader.post(new_url(version), {"kind": "tip", "text": WORDS}, headers=headers)
        assert (answer.status_code, typed(answer)) == (status, WORDS)


def test_the_stub_of_an_answered_comment_says_why_it_is_not_shown(client, url, version, alice, bob):
    for fields, state in (
        ({"state": State.HELD}, "held"),
        ({"state": State.REMOVED}, "removed"),
        ({"state": State.SPAM}, "removed"),
        ({"deleted_at": NOW, "text": "", "html": ""}, "deleted"),
    ):
        tip = row(version, alice, "A tip.")
        row(version, bob, "An answer.", parent=tip)
        Comment.objects.filter(pk=tip.pk).update(**fields)
        assert states(client.get(reverse("comment", args=[tip.pk]))) == [state, "signed-out"], fields


def test_removed_words_posted_again_are_refused_with_the_reason(client_of, version, alice, known):
    mine = client_of(known(alice))
    mine.post(new_url(version), {"kind": "tip", "text": WORDS})
    Comment.objects.filter(text=WORDS).update(state=State.REMOVED, listed=False)
    for headers in ({}, HX):
        answer = mine.post(new_url(version), {"kind": "tip", "text": WORDS}, headers=headers)
        assert answer.status_code == 400
        assert codes(answer.context["form"]) == {"__all__": ["removed"]}
        assert WORDS in text_of(answer)


def test_a_stranger_is_asked_to_sign_in_and_gets_no_form(client, url, version, alice):
    row(version, alice, "A tip.")
    body = client.get(url).content.decode()
    assert states(body) == ["signed-out"]
    assert "<form" not in body
    assert "csrf" not in body


def test_the_rule_is_shown_beside_the_form(client_of, url, alice):
    assert "data-house-rule" in client_of(alice).get(url).text


def test_a_suspended_author_sees_the_end_date_and_no_form(client_of, url, version, alice, moderator):
    until = timezone.now() + dt.timedelta(days=3)
    Suspension.objects.create(user=alice, until=until, by=moderator, reason="Insults.", made_at=NOW)
    said = client_of(alice).get(url)
    assert states(said) == ["suspended"]
    assert f"{until:%-d %B %Y}" in text_of(said)
    assert "Insults." in text_of(said)
    assert "<textarea" not in said.content.decode()
    refused = client_of(alice).post(new_url(version), {"kind": "tip", "text": "My words."})
    assert refused.status_code == 400
    assert not Comment.objects.exists()


def test_a_closed_discussion_says_so_and_has_no_form(client_of, url, version, alice):
    ThreadState.objects.create(question=version.question, locked_at=NOW, reason="Too heated.")
    body = client_of(alice).get(url).content.decode()
    assert states(body) == ["locked"]
    assert "Too heated." in body
    assert "<textarea" not in body


def test_held_or_removed_texts_are_in_no_response_to_others(client, client_of, url, version, alice, bob):
    canary = "zqhidden"
    first = row(version, alice, "A tip.")
    answered = row(version, alice, f"{canary} removed", state=State.REMOVED)
    hidden = [answered, row(version, alice, f"{canary} reply", parent=first, state=State.HELD)]
    hidden += [
        row(version, alice, f"{canary} {state}", state=state) for state in (State.HELD, State.REMOVED, State.SPAM)
    ]
    row(version, bob, "An answer.", parent=answered)
    names = ["comment", *WRITES]
    addresses = [url, f"{url}?sort=helpful", reverse("question", args=["pmle", version.question.number, "situation-1"])]
    addresses += [reverse(name, args=[each.pk]) for name in names for each in [first, *hidden]]
    for reader in (client, client_of(bob)):
        for address in addresses:
            for headers in ({}, HX):
                for answer in (
                    reader.get(address, headers=headers),
                    reader.post(address, {"text": "x"}, headers=headers),
                ):
                    assert canary not in answer.content.decode(), address
    assert "removed" in states(client.get(url))
    mine = text_of(client_of(alice).get(url))
    assert f"{canary} held" in mine
    assert f"{canary} spam" not in mine
    assert f"{canary} removed" not in mine


def test_the_statement_count_of_the_first_page_does_not_grow_with_the_thread(
    client, url, version, django_assert_num_queries
):
    people = [person(f"p{n}") for n in range(3)]
    Comment.objects.bulk_create(
        Comment(
            question=version.question, version=version, author=people[n % 3], text="t", html="<p>t</p>", kind=Kind.TIP,
            state=State.VISIBLE, state_at=NOW, created_at=NOW, screened_at=NOW, listed=True, helpful=n % 7,
        )
        for n in range(3000)
    )  # fmt: skip
    for sort in ("newest", "helpful"):
        with django_assert_num_queries(STRANGER):
            page = client.get(url, {"sort": sort})
        assert len(page.context["page"].lines) == PER_PAGE


def test_the_fixtures_have_a_public_and_a_reserved_question(version, reserved):
    assert (version.pool, reserved.pool) == (Pool.PUBLIC, Pool.RESERVED)


def test_the_short_address_redirects_to_the_thread(client, version, reserved):
    response = client.get(reverse("thread-short", args=[version.question_id]))
    assert (response.status_code, response["location"]) == (302, thread_url(version))
    assert client.get(reverse("thread-short", args=[reserved.question_id])).status_code == 404
