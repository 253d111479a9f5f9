"""A decision can be appealed once and in time, and a moderator who didn't make it answers."""

from __future__ import annotations

import datetime as dt

import pytest
from django.core import mail
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from courseiva.accounts.changes.delete import remove_account
from courseiva.accounts.staff.groups import MODERATORS
from discussion.comments.errors import DiscussionError, MovedOn, NotAModerator, NotThere
from discussion.mail.reads import line_of, notices_of
from discussion.mail.send import TOGETHER, send_notices
from discussion.mail.settle import UNDO_TIME
from discussion.models import (
    APPEAL_TIME,
    Act,
    Appeal,
    Comment,
    CommentReport,
    Harm,
    LogEntry,
    Notice,
    Reason,
    State,
    Suspension,
)
from discussion.moderation.acts.decide import decide, edit_out, suspend
from discussion.moderation.acts.decide import reverse as reverse_act
from discussion.moderation.digest import send_digest
from discussion.moderation.reads.desk import waiting_appeals
from discussion.people.appeals.appeal import answer_appeal, make_appeal
from discussion.people.appeals.reads import appeals_page
from discussion.reactions.report import report_comment
from discussion.threads.post import delete
from tests.discussion.conftest import in_group, row
from tests.support.bank import NOW
from tests.support.hooks import codes, states, values

pytestmark = pytest.mark.long("many requests")

READABLE = NOW + UNDO_TIME
LATER = NOW + dt.timedelta(hours=1)
APPEALS = "/moderation/appeals/"


@pytest.fixture
def second(db):
    return in_group("max", MODERATORS)


@pytest.fixture
def rejected(version, alice, moderator) -> Notice:
    held = row(version, alice, "It needs its scenario.", state=State.HELD)
    return decide(held, Act.REJECT, moderator, NOW, Reason.LEAK).notice


@pytest.fixture
def appeal(rejected, alice) -> Appeal:
    return make_appeal(rejected.pk, alice.pk, "I made it up myself.", READABLE)


def told(user, now=LATER + UNDO_TIME) -> list[str]:
    return [line_of(each).what for each in notices_of(user.pk, now)]


def refusal(call) -> str:
    with pytest.raises(DiscussionError) as raised, transaction.atomic():
        call()
    return raised.value.code


class TestAppealing:
    def test_each_decision_can_be_appealed_once(self, appeal, rejected, alice):
        assert make_appeal(rejected.pk, alice.pk, "Again.", LATER) == appeal
        assert Appeal.objects.get().text == "I made it up myself."

    def test_only_authors_can_appeal_and_only_once_told_of_the_decision(self, rejected, bob, alice):
        for user, now in ((bob, READABLE), (alice, NOW)):
            with pytest.raises(NotThere):
                make_appeal(rejected.pk, user.pk, "Why?", now)

    def test_an_approval_cannot_be_appealed(self, version, alice, moderator):
        held = row(version, alice, "Fine.", state=State.HELD)
        notice = decide(held, Act.APPROVE, moderator, NOW).notice
        with pytest.raises(NotThere):
            make_appeal(notice.pk, alice.pk, "Why?", READABLE)

    def test_no_decision_can_be_appealed_after_thirty_days_or_once_reversed(self, version, rejected, alice, moderator):
        def late():
            make_appeal(rejected.pk, alice.pk, "Why?", NOW + APPEAL_TIME)

        assert refusal(late) == "appeal-late"
        Notice.objects.update(read_at=READABLE)
        with transaction.atomic():
            reverse_act(rejected.entry, moderator, LATER)
            assert refusal(lambda: make_appeal(rejected.pk, alice.pk, "Why?", LATER)) == "appeal-moot"
            transaction.set_rollback(True)
        delete(rejected.entry.comment_id, alice.pk, LATER)
        assert refusal(lambda: make_appeal(rejected.pk, alice.pk, "Why?", LATER)) == "appeal-gone"

    def test_the_form_sends_an_appeal_and_redirects_to_the_inbox(self, client_of, rejected, alice, bob):
        address = reverse("appeal", args=[rejected.pk])
        assert client_of(bob).get(address).status_code == 404
        mine = client_of(alice)
        assert mine.get(address).status_code == 200
        empty = mine.post(address, {"text": " "})
        assert (empty.status_code, codes(empty.context["form"])) == (400, {"text": ["required"]})
        sent = mine.post(address, {"text": "I made it up."})
        assert sent.headers["Location"] == f"{reverse('inbox')}#n{rejected.pk}"
        page = mine.get(reverse("inbox"))
        assert values(page, "data-appeal") == ["waiting"]
        assert address not in page.content.decode()
        assert mine.get(address).status_code == 302

    def test_a_late_appeal_is_refused_and_its_text_given_back(self, client_of, version, alice, moderator):
        held = row(version, alice, "Old.", state=State.HELD)
        notice = decide(held, Act.REJECT, moderator, timezone.now() - APPEAL_TIME, Reason.LEAK).notice
        page = client_of(alice).post(reverse("appeal", args=[notice.pk]), {"text": "My long reasons."})
        assert (page.status_code, states(page)) == (400, ["closed"])
        assert values(page, "data-code") == ["appeal-late"]
        assert "My long reasons." in page.content.decode()


class TestAnswering:
    def test_only_another_moderator_can_answer_an_appeal(self, appeal, moderator, second, alice, bob):
        assert refusal(lambda: answer_appeal(appeal.pk, True, moderator, LATER)) == "second-look"
        with pytest.raises(NotAModerator):
            answer_appeal(appeal.pk, True, bob, LATER)
        answer_appeal(appeal.pk, True, second, LATER)
        appeal.refresh_from_db()
        assert (appeal.is_granted, appeal.answered_by, appeal.answered_at) == (True, second, LATER)
        assert refusal(lambda: answer_appeal(appeal.pk, False, second, LATER, "No.")) == "appeal-answered"

    def test_nobody_answers_their_own_appeal(self, version, second, moderator):
        held = row(version, second, "Mine.", state=State.HELD)
        notice = decide(held, Act.REJECT, moderator, NOW, Reason.LEAK).notice
        own = make_appeal(notice.pk, second.pk, "Really?", READABLE)
        assert refusal(lambda: answer_appeal(own.pk, True, second, LATER)) == "second-look"

    def test_granting_an_appeal_publishes_the_comment_and_tells_its_author_once(self, appeal, second, alice, client):
        answer_appeal(appeal.pk, True, second, LATER, "It is your own.")
        comment = Comment.objects.get()
        assert comment.state == State.VISIBLE
        assert client.get(reverse("comment", args=[comment.pk])).status_code == 200
        assert [entry.act for entry in LogEntry.objects.all()] == [Act.APPROVE, Act.REVERSE, Act.REJECT]
        assert told(alice) == ["granted", "rejected"]

    def test_granting_an_appeal_answers_the_reports_as_well(self, version, alice, bob, moderator, second):
        made = row(version, alice, "A tip.")
        report_comment(made.pk, bob.pk, Harm.LEAK, "", NOW)
        notice = decide(made, Act.REJECT, moderator, NOW, Reason.LEAK).notice
        answer_appeal(make_appeal(notice.pk, alice.pk, "No leak.", READABLE).pk, True, second, LATER)
        assert CommentReport.objects.get().upheld is False
        assert Comment.objects.get().state == State.VISIBLE

    def test_refusing_an_appeal_needs_a_reason_and_changes_nothing_else(self, appeal, second, alice):
        assert refusal(lambda: answer_appeal(appeal.pk, False, second, LATER, " ")) == "no-reason"
        answer_appeal(appeal.pk, False, second, LATER, "Question 12 is a real one.")
        assert Comment.objects.get().state == State.REMOVED
        assert told(alice) == ["declined", "rejected"]
        mail.outbox.clear()
        send_notices(LATER + UNDO_TIME + TOGETHER)
        assert "Question 12 is a real one." in mail.outbox[0].body

    def test_granting_an_appeal_restores_edited_out_words(self, version, alice, moderator, second):
        made = row(version, alice, "Call Ann.")
        notice = edit_out(made, "Call.", moderator, NOW, Reason.PERSONAL).notice
        answer_appeal(make_appeal(notice.pk, alice.pk, "Ann is a cat.", READABLE).pk, True, second, LATER)
        made.refresh_from_db()
        assert (made.text, made.state) == ("Call Ann.", State.VISIBLE)

    def test_a_suspended_author_may_appeal_and_have_the_suspension_lifted(self, alice, moderator, second):
        notice = suspend(alice.pk, NOW + dt.timedelta(days=9), moderator, NOW, "Insults.").notice
        answer_appeal(make_appeal(notice.pk, alice.pk, "It was a quote.", READABLE).pk, True, second, LATER)
        assert Suspension.objects.get().lifted_at == LATER
        assert told(alice) == ["granted", "suspended"]

    def test_an_appeal_cannot_be_granted_once_the_comment_is_decided_again(self, version, alice, moderator, second):
        made = row(version, alice, "Call Ann.")
        notice = edit_out(made, "Call.", moderator, NOW, Reason.PERSONAL).notice
        made = Comment.objects.get()
        decide(made, Act.REJECT, moderator, READABLE, Reason.LEAK)
        appeal = make_appeal(notice.pk, alice.pk, "Ann is a cat.", LATER)
        with pytest.raises(MovedOn):
            answer_appeal(appeal.pk, True, second, LATER)
        appeal.refresh_from_db()
        assert appeal.answered_at is None


class TestTheModeratorsPage:
    def test_the_page_shows_open_appeals_to_all_moderators_and_buttons_to_the_others(
        self, client_of, client, appeal, moderator, second, alice
    ):
        decider, other = client_of(moderator), client_of(second)
        assert client.get(APPEALS).status_code == 302
        assert client_of(alice).get(APPEALS).status_code == 404
        for desk, may in ((decider, False), (other, True)):
            page = desk.get(APPEALS)
            assert values(page, "data-appeal") == [str(appeal.pk)]
            assert ("second-look" in states(page)) is not may
            assert ('name="granted"' in page.content.decode()) is may
            assert values(desk.get("/moderation/"), "data-beside") == ["appeals"]
        answered = other.post(f"{APPEALS}{appeal.pk}/", {"granted": "1", "words": ""})
        assert answered.status_code == 302
        page = other.get(APPEALS)
        assert values(page, "data-granted") == ["1", "yes"]
        assert page.context["page"].waiting == []
        assert values(page, "data-beside") == []

    def test_an_error_in_an_answer_is_shown_at_its_appeal(self, client_of, appeal, moderator, second):
        page = client_of(second).post(f"{APPEALS}{appeal.pk}/", {"granted": "0", "words": ""})
        assert (page.status_code, values(page, "data-code")) == (400, ["no-reason"])
        page = client_of(moderator).post(f"{APPEALS}{appeal.pk}/", {"granted": "1"})
        assert page.status_code == 400
        assert Appeal.objects.get().answered_at is None

    def test_an_appeal_ends_if_its_decision_is_reversed_or_its_author_deleted(self, appeal, rejected, moderator, alice):
        Notice.objects.update(read_at=READABLE)
        with transaction.atomic():
            reverse_act(rejected.entry, moderator, LATER)
            assert not waiting_appeals().exists()
            transaction.set_rollback(True)
        assert waiting_appeals().exists()
        remove_account(alice.pk, LATER)
        assert not waiting_appeals().exists()
        with pytest.raises(NotThere):
            answer_appeal(appeal.pk, True, in_group("max", MODERATORS), LATER)

    def test_the_daily_mail_counts_open_appeals(self, appeal, moderator, second):
        assert send_digest(LATER) == 2
        assert reverse("moderation-appeals") in mail.outbox[0].body

    @pytest.mark.parametrize("count", [1, 12])
    def test_the_statement_count_does_not_grow_with_the_appeals(
        self, version, alice, moderator, second, count, client_of, django_assert_num_queries
    ):
        for n in range(count):
            for answered in (False, True):
                held = row(version, alice, f"Remark {n} {answered}.", state=State.HELD)
                notice = decide(held, Act.REJECT, moderator, NOW, Reason.LEAK).notice
                made = make_appeal(notice.pk, alice.pk, "Why?", READABLE)
                answer_appeal(made.pk, False, second, LATER, "So.") if answered else None
        assert len(appeals_page(second.pk).waiting) == count
        desk = client_of(second)
        with django_assert_num_queries(11):
            desk.get(APPEALS)


def test_an_appeal_is_in_its_authors_export(client_of, appeal, alice):
    data = client_of(alice).get(reverse("export-discussion")).json()
    assert [each["text"] for each in data["appeals"]] == ["I made it up myself."]
