"""Check how much each reader's report weighs, when reports hide a comment, and who is told of them."""

from __future__ import annotations

import datetime as dt

import pytest
from django.core import mail
from django.core.cache import cache
from django.urls import reverse

from discussion.management.commands.screening_tables import share_hidden
from discussion.models import Act, Comment, CommentReport, Harm, Reason, State
from discussion.moderation.acts.decide import decide, edit_out
from discussion.moderation.acts.decide import reverse as reverse_act
from discussion.moderation.alarm import raise_alarm
from discussion.moderation.digest import send_digest
from discussion.reactions.report import report_comment
from discussion.screening.hold import second_look
from discussion.threads.post import edit
from discussion.trust.reads import weights_of_reports
from discussion.trust.rules import HIDES_AT, hides, weight
from tests.discussion.conftest import person, row
from tests.support.bank import NOW
from tests.support.hooks import parsed

pytestmark = pytest.mark.long("many requests")

LATER = NOW + dt.timedelta(hours=1)


def test_a_reports_weight_depends_on_how_often_moderators_agreed():
    assert weight(0, 0) == 1
    assert weight(0, 1) < weight(0, 0) < weight(1, 0) < weight(5, 0) < 2
    assert weight(0, 10) < 0.2
    assert weight(3, 3) == 1


def test_three_unknown_reporters_or_two_proven_ones_hide_a_comment():
    assert not hides([1, 1])
    assert hides([1, 1, 1])
    assert hides([weight(2, 0)] * 2)
    assert not hides([weight(0, 3)] * 4)
    assert not hides([HIDES_AT + 1])  # one reader alone never does


def test_within_a_hundred_views_harm_is_hidden_and_harmless_text_hardly_ever():
    """Of the readers, 1 in 20 reports a harmful comment, and 1 in 500 a harmless one."""
    assert share_hidden(1 / 20) >= 0.85
    assert share_hidden(1 / 500) <= 0.01


@pytest.fixture
def comment(version, alice):
    return row(version, alice, "A tip that harms.", screened_at=NOW)


@pytest.fixture
def readers(db):
    return [person(f"reader{n}") for n in range(5)]


def flag(comment, readers, harm=Harm.SPAM, now=NOW):
    for reader in readers:
        report_comment(comment.pk, reader.pk, harm, "", now)
    comment.refresh_from_db()
    return comment


class TestHiding:
    def test_enough_reports_of_harm_hide_a_comment_until_a_moderator_decides(self, comment, readers, moderator):
        assert flag(comment, readers[:2]).state == State.VISIBLE
        hidden = flag(comment, readers[2:3])
        assert (hidden.state, hidden.state_by, hidden.listed) == (State.HELD, None, False)
        decide(hidden, Act.APPROVE, moderator, LATER)
        hidden.refresh_from_db()
        assert hidden.state == State.VISIBLE
        assert set(CommentReport.objects.values_list("upheld", flat=True)) == {False}

    def test_a_comment_reported_for_disagreement_is_not_hidden(self, comment, readers):
        assert flag(comment, readers, Harm.WRONG).state == State.VISIBLE

    def test_a_hidden_reply_no_longer_counts(self, version, alice, bob, readers):
        top = row(version, bob, "A question.")
        reply = row(version, alice, "A reply that harms.", parent=top, kind="reply")
        top.refresh_from_db()
        assert top.replies == 1
        flag(reply, readers[:3])
        top.refresh_from_db()
        assert top.replies == 0

    def test_an_approved_comment_that_is_reported_again_stays_visible_but_waits(self, comment, readers, moderator):
        decide(flag(comment, readers[:3]), Act.APPROVE, moderator, NOW)
        again = flag(comment, [*readers[3:], *[person(f"crowd{n}") for n in range(4)]], now=LATER)
        assert again.state == State.VISIBLE
        assert CommentReport.objects.filter(comment=comment, closed_at=None).exists()

    def test_a_persons_reports_weigh_less_after_wrong_ones_and_more_after_right_ones(
        self, version, bob, alice, readers, moderator
    ):
        for n in range(3):
            good, bad = row(version, bob, f"Fine {n}."), row(version, bob, f"Harm {n}.")
            flag(good, readers[:2])
            flag(bad, readers[2:4])
            decide(good, Act.APPROVE, moderator, NOW)
            decide(bad, Act.REJECT, moderator, NOW, Reason.LEAK)
        third = row(version, alice, "Another one.")
        flag(third, readers[:2])
        assert sorted(weights_of_reports(third.pk)) == [weight(0, 3)] * 2
        assert flag(third, readers[4:]).state == State.VISIBLE
        fourth = row(version, alice, "And another one.")
        assert flag(fourth, readers[2:4]).state == State.HELD

    def test_reports_from_a_deleted_account_weigh_nothing(self, comment, readers):
        flag(comment, readers[:2])
        readers[0].delete()
        assert weights_of_reports(comment.pk) == [1]
        assert flag(comment, readers[2:3]).state == State.VISIBLE

    def test_reversing_a_decision_reverses_the_reporters_record(self, comment, readers, moderator):
        entry = decide(flag(comment, readers[:3]), Act.REJECT, moderator, NOW, Reason.LEAK)
        assert set(CommentReport.objects.values_list("upheld", flat=True)) == {True}
        reverse_act(entry, moderator, LATER)
        comment.refresh_from_db()
        assert (comment.state, comment.state_reason) == (State.HELD, "reported")
        assert set(CommentReport.objects.values_list("upheld", "closed_at")) == {(None, None)}

    def test_reports_of_words_that_were_edited_out_count_as_right(self, comment, readers, moderator):
        edit_out(flag(comment, readers[:3]), "A tip.", moderator, NOW, Reason.PERSONAL)
        assert set(CommentReport.objects.values_list("upheld", flat=True)) == {True}

    def test_neither_screening_nor_its_author_makes_a_hidden_comment_visible_again(
        self, comment, readers, alice, moderator
    ):
        decide(row(comment.version, alice, "An early one.", state=State.HELD), Act.APPROVE, moderator, NOW)
        Comment.objects.filter(pk=comment.pk).update(created_at=NOW, screened_at=None)
        flag(comment, readers[:3])
        second_look(comment.pk, NOW)
        comment.refresh_from_db()
        assert comment.state == State.HELD
        edit(comment.pk, alice.pk, "A tip that does no harm at all.", NOW + dt.timedelta(minutes=1))
        second_look(comment.pk, NOW + dt.timedelta(minutes=2))
        comment.refresh_from_db()
        assert (comment.state, comment.state_reason) == (State.HELD, "reported")

    def test_after_three_leak_reports_a_guest_sees_nothing_of_the_comment(self, comment, readers, client, client_of):
        thread = reverse("thread", args=[comment.question.exam.slug, comment.question_id])
        own = reverse("comment", args=[comment.pk])
        assert [comment.text in client.get(each).content.decode() for each in (thread, own)] == [True, True]
        for reader in readers[:3]:
            sent = client_of(reader).post(reverse("comment-report", args=[comment.pk]), {"reason": "leak"})
            assert sent.status_code == 302
        assert comment.text not in client.get(thread).content.decode()
        assert client.get(own).status_code == 404
        assert client_of(readers[4]).get(own).status_code == 404


class TestAlarm:
    def test_moderators_and_superusers_are_mailed_once_and_at_once_about_a_leak(self, comment, readers, moderator):
        cache.clear()
        boss = person("boss", is_superuser=True)
        flag(comment, readers[:1], Harm.LEAK)
        assert raise_alarm(comment.pk, NOW) == 2
        assert {message.to[0] for message in mail.outbox} == {moderator.email, boss.email}
        flag(comment, readers[1:2], Harm.ABUSE)
        assert raise_alarm(comment.pk, NOW) == 0

    def test_reporting_a_leak_sends_the_alarm(self, comment, readers, moderator, django_capture_on_commit_callbacks):
        cache.clear()
        for harm, mails in ((Harm.SPAM, 0), (Harm.LEAK, 1)):
            with django_capture_on_commit_callbacks(execute=True):
                report_comment(comment.pk, readers[mails].pk, harm, "", NOW)
            assert len(mail.outbox) == mails

    def test_no_alarm_is_sent_for_a_comment_already_decided(self, comment, readers, moderator):
        decide(flag(comment, readers[:1], Harm.LEAK), Act.REJECT, moderator, NOW, Reason.LEAK)
        mail.outbox.clear()
        assert raise_alarm(comment.pk, NOW) == raise_alarm(10**9, NOW) == 0
        assert mail.outbox == []

    def test_less_urgent_reports_go_to_the_same_people_once_a_day(
        self, comment, readers, moderator, django_capture_on_commit_callbacks
    ):
        cache.clear()
        boss = person("boss", is_superuser=True)
        with django_capture_on_commit_callbacks(execute=True):
            flag(comment, readers[:1], Harm.WRONG)
        assert mail.outbox == []
        assert send_digest(NOW) == 2
        assert {message.to[0] for message in mail.outbox} == {moderator.email, boss.email}
        assert send_digest(LATER) == 0


class TestWhatTheAuthorIsTold:
    def test_the_author_is_told_that_readers_reported_the_comment(self, comment, readers, alice, client_of):
        flag(comment, readers[:3])
        page = parsed(client_of(alice).get(f"/discussion/comment/{comment.pk}/"))
        assert page.select_one(f"#c{comment.pk} [data-state=reported]")

    def test_only_the_author_is_told_why_a_comment_waits(self, alice, bob, client_of, say):
        held = say(alice, "See https://elsewhere.example/page instead.")
        assert held.state == State.HELD
        page = parsed(client_of(alice).get(f"/discussion/comment/{held.pk}/"))
        assert len(page.select("[data-why]")) == len(set(held.hits.values_list("rule", flat=True))) > 0
        assert client_of(bob).get(f"/discussion/comment/{held.pk}/").status_code == 404
