"""Authors learn why a post is held and what was decided, in the inbox and in at most one mail a minute."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import replace

import pytest
from django.core import mail
from django.db import IntegrityError, transaction
from django.template.loader import render_to_string
from django.urls import reverse

from discussion.comments.models.comments import REPORTED
from discussion.mail.reads import line_of, notices_of
from discussion.mail.send import TOGETHER, send_notices
from discussion.mail.settle import UNDO_TIME
from discussion.models import Act, Comment, Harm, Notice, Reason, State
from discussion.moderation.acts.decide import decide, edit_out, suspend
from discussion.moderation.acts.decide import reverse as reverse_act
from discussion.people.inbox.mark import mark_read
from discussion.people.inbox.reads import inbox_page, unread_count
from discussion.reactions.report import report_comment
from discussion.screening.hold import second_look
from discussion.screening.rules.parts import TO_AUTHOR
from discussion.threads.post import delete
from tests.discussion.conftest import person, row
from tests.support.bank import NOW
from tests.support.hooks import parsed, values

pytestmark = pytest.mark.long("many requests")

SECOND = dt.timedelta(seconds=1)
READABLE = NOW + UNDO_TIME
MAILED = READABLE + TOGETHER
INBOX = "/discussion/inbox/"


@pytest.fixture
def hold(version, alice) -> Callable[..., Comment]:
    return lambda text="A first remark.", author=alice: row(version, author, text, state=State.HELD)


def told(user, now=READABLE) -> list[str]:
    return [line_of(row).what for row in notices_of(user.pk, now)]


class TestWhatAuthorsAreTold:
    def test_an_author_is_told_of_each_decision_with_quote_link_and_reason(self, hold, alice, moderator):
        good, bad, cut = hold("A good one."), hold("A bad one."), hold("Call Ann about shards.")
        decide(good, Act.APPROVE, moderator, NOW)
        decide(bad, Act.REJECT, moderator, NOW, Reason.ADVERT, "The second link.")
        edit_out(cut, "About shards.", moderator, NOW, Reason.PERSONAL)
        suspend(alice.pk, NOW + dt.timedelta(days=3), moderator, NOW, "Advertising.")
        suspended, edited, rejected, approved = (line_of(each) for each in notices_of(alice.pk, READABLE))
        thread = reverse("thread", args=[bad.question.exam.slug, bad.question_id])
        assert [(each.what, each.quote, each.url, each.reason) for each in (approved, rejected, edited)] == [
            ("approved", "A good one.", reverse("comment", args=[good.pk]), ""),
            ("rejected", "A bad one.", thread, Reason.ADVERT),
            ("edited", "About shards.", reverse("comment", args=[cut.pk]), Reason.PERSONAL),
        ]
        assert rejected.words == "The second link."
        assert (suspended.what, suspended.words, suspended.until) == (
            "suspended", "Advertising.", NOW + dt.timedelta(days=3),
        )  # fmt: skip

    def test_comments_released_with_an_approval_are_counted_in_its_notice(self, version, alice, moderator, hold):
        first, other = hold(), hold("Another first one.")
        for each in (first, other):
            each.hits.create(rule="first-post", start=0, end=1, text="A")
        decide(first, Act.APPROVE, moderator, NOW)
        (line,) = (line_of(each) for each in notices_of(alice.pk, READABLE))
        assert (line.what, line.others) == ("approved", 1)

    def test_an_author_whose_reported_comment_is_kept_is_not_told(self, version, alice, bob, moderator):
        made = row(version, alice, "A tip.")
        report_comment(made.pk, bob.pk, Harm.WRONG, "", NOW)
        decide(made, Act.APPROVE, moderator, NOW)
        assert told(alice) == []

    @pytest.mark.parametrize(
        ("state", "reason", "was_public"),
        [(State.HELD, "", False), (State.VISIBLE, "", True), (State.HELD, REPORTED, True)],
    )
    def test_a_removed_comment_is_called_unpublished_only_if_nobody_could_read_it(
        self, version, alice, moderator, state, reason, was_public
    ):
        made = row(version, alice, "A tip.", state=state, state_reason=reason)
        decide(made, Act.REJECT, moderator, NOW, Reason.ADVERT)
        (line,) = (line_of(each) for each in notices_of(alice.pk, READABLE))
        assert (line.what, line.was_public) == ("rejected", was_public)
        for name, given in (("notice_subject", "only"), ("_notice_words", "line")):
            wordings = {
                public: render_to_string(f"discussion/email/{name}.txt", {given: replace(line, was_public=public)})
                for public in (True, False)
            }
            assert wordings[True] != wordings[False]

    def test_no_notice_is_sent_about_spam(self, hold, alice, moderator):
        decide(hold(), Act.SPAM, moderator, NOW)
        assert told(alice) == []

    def test_the_author_is_told_once_if_reports_hide_a_comment_but_not_if_it_is_held_at_first(
        self, version, alice, moderator, say
    ):
        made = row(version, alice, "A tip.")
        for n in range(3):
            report_comment(made.pk, person(f"r{n}").pk, Harm.SPAM, "", NOW + SECOND)
        second_look(made.pk, NOW + 2 * SECOND)
        assert told(alice, NOW + SECOND) == ["hidden"]
        held = say(alice, "See https://elsewhere.example/page instead.", now=NOW + SECOND)
        assert held.state == State.HELD
        assert told(alice, NOW + SECOND) == ["hidden"]

    def test_no_notice_is_sent_about_an_undone_decision(self, hold, alice, moderator):
        reverse_act(decide(hold(), Act.APPROVE, moderator, NOW), moderator, NOW + SECOND)
        assert told(alice, MAILED) == []

    @pytest.mark.parametrize(("state", "what"), [(State.HELD, "waits-again"), (State.VISIBLE, "restored")])
    def test_a_notice_already_read_is_withdrawn_by_another_notice(self, version, alice, moderator, state, what):
        made = row(version, alice, "A tip.", state=state)
        entry = decide(made, Act.REJECT, moderator, NOW, Reason.LEAK)
        mark_read([Notice.objects.get().pk], alice.pk, READABLE)
        reverse_act(entry, moderator, MAILED)
        assert told(alice, MAILED + UNDO_TIME) == [what, "rejected"]

    def test_the_author_is_told_of_a_lifted_suspension(self, alice, moderator):
        entry = suspend(alice.pk, NOW + dt.timedelta(days=3), moderator, NOW, "Advertising.")
        send_notices(MAILED)
        reverse_act(entry, moderator, MAILED)
        assert told(alice, MAILED + UNDO_TIME) == ["lifted", "suspended"]

    def test_a_comment_deleted_by_its_author_is_not_quoted(self, hold, alice, moderator):
        made = hold()
        decide(made, Act.REJECT, moderator, NOW, Reason.LEAK)
        delete(made.pk, alice.pk, NOW)
        assert line_of(notices_of(alice.pk, READABLE).get()).quote == ""

    def test_a_notice_must_be_about_something(self, hold, alice):
        with pytest.raises(IntegrityError), transaction.atomic():
            Notice.objects.create(user=alice, due_at=NOW)


class TestMail:
    def test_decisions_within_a_minute_share_one_mail(self, hold, alice, bob, moderator):
        for n in range(3):
            decide(hold(f"Remark {n}."), Act.REJECT, moderator, NOW + n * 25 * SECOND, Reason.LEAK)
        decide(hold("Of somebody else.", bob), Act.APPROVE, moderator, NOW)
        assert send_notices(MAILED - SECOND) == 0
        assert send_notices(MAILED) == 2
        bodies = {message.to[0]: message.body for message in mail.outbox}
        assert [f"Remark {n}." in bodies[alice.email] for n in range(3)] == [True] * 3
        assert "Of somebody else." not in bodies[alice.email]
        assert reverse("inbox") in bodies[alice.email]
        assert send_notices(MAILED + TOGETHER) == 0

    def test_a_later_decision_gets_a_mail_of_its_own(self, hold, moderator):
        decide(hold("One."), Act.APPROVE, moderator, NOW)
        decide(hold("Two."), Act.APPROVE, moderator, NOW + TOGETHER + SECOND)
        assert [send_notices(MAILED), send_notices(MAILED + TOGETHER + SECOND)] == [1, 1]

    def test_a_notice_read_in_the_inbox_is_not_mailed(self, hold, alice, moderator):
        decide(hold(), Act.APPROVE, moderator, NOW)
        mark_read([Notice.objects.get().pk], alice.pk, READABLE)
        assert send_notices(MAILED) == 0

    def test_a_notice_is_not_mailed_after_a_week(self, hold, moderator):
        decide(hold(), Act.APPROVE, moderator, NOW)
        assert send_notices(NOW + dt.timedelta(days=8)) == 0


class TestInbox:
    def test_the_inbox_shows_waiting_comments_with_reasons_and_past_decisions(
        self, client_of, alice, moderator, hold, say
    ):
        say(alice, "See https://elsewhere.example/page instead.")
        decide(hold("A bad one."), Act.REJECT, moderator, NOW, Reason.LEAK)
        response = client_of(alice).get(INBOX)
        page = parsed(response)
        (waiting,) = page.select("[data-waiting]")
        held = Comment.objects.get(pk=waiting["data-waiting"])
        reasons = {TO_AUTHOR[rule] for rule in held.hits.values_list("rule", flat=True)}
        assert {each.text for each in waiting.select("[data-why]")} == reasons != set()
        assert values(response, "data-notice") == ["rejected"]
        assert page.select_one("[data-notice] blockquote").text == "A bad one."
        assert page.select_one("[data-reason=leak]")
        assert page.select_one("[data-notice] a[href$='/appeal/']")

    def test_the_account_menu_counts_new_notices_until_they_are_read(self, client_of, alice, bob, moderator, hold):
        decide(hold("One."), Act.APPROVE, moderator, NOW)
        decide(hold("Two."), Act.REJECT, moderator, NOW, Reason.LEAK)
        mine = client_of(alice)
        assert values(mine.get(reverse("account_home")), "data-unread") == ["2"]
        shown = parsed(mine.get(INBOX)).select_one("input[name=notices]")["value"]
        assert unread_count(alice.pk, READABLE) == 2  # opening the inbox doesn't mark anything as read
        assert client_of(bob).post(INBOX + "read/", {"notices": shown}).status_code == 302
        assert unread_count(alice.pk, READABLE) == 2
        assert mine.post(INBOX + "read/", {"notices": shown}, headers={"HX-Request": "true"}).content == b""
        assert values(mine.get(reverse("account_home")), "data-unread") == []
        assert values(mine.get(INBOX), "data-notice") == ["rejected", "approved"]

    def test_the_inbox_shows_nothing_of_other_people(self, client, client_of, alice, bob, moderator, hold):
        decide(hold("A secret remark."), Act.REJECT, moderator, NOW, Reason.LEAK)
        assert "A secret remark." not in client_of(bob).get(INBOX).content.decode()
        for answer in (client.get(INBOX), client.post(INBOX + "read/")):
            assert answer.headers["Location"].startswith(reverse("account_login"))

    def test_the_inbox_does_not_show_decisions_that_can_still_be_undone(self, alice, moderator, hold):
        decide(hold(), Act.APPROVE, moderator, NOW)
        assert inbox_page(alice.pk, READABLE - SECOND).lines == []
        assert mark_read([Notice.objects.get().pk], alice.pk, READABLE - SECOND) == 0

    @pytest.mark.parametrize("count", [1, 25])
    def test_the_statement_count_does_not_grow_with_the_notices(
        self, client_of, alice, moderator, hold, count, django_assert_num_queries
    ):
        for n in range(count):
            decide(hold(f"Remark {n}."), Act.REJECT, moderator, NOW, Reason.LEAK)
            hold(f"Waiting {n}.").hits.create(rule="link", start=0, end=1, text="W")
        mine = client_of(alice)
        with django_assert_num_queries(9):
            mine.get(INBOX)
