"""People vote for helpful comments and report others, each only so often."""

from __future__ import annotations

import pytest

from discussion.comments import limits
from discussion.comments.errors import NotThere, Refused, TooMany
from discussion.models import CommentReport, Harm, State, Vote
from discussion.reactions.report import report_comment
from discussion.reactions.vote import vote
from tests.discussion.conftest import row
from tests.support.bank import NOW


@pytest.fixture
def comment(version, alice):
    return row(version, alice, "A tip.")


def test_a_vote_counts_once_and_can_be_taken_back(comment, bob):
    assert vote(comment.pk, bob.pk, True, NOW) == 1
    assert vote(comment.pk, bob.pk, True, NOW) == 1
    comment.refresh_from_db()
    assert comment.helpful == 1
    assert vote(comment.pk, bob.pk, False, NOW) == 0
    assert vote(comment.pk, bob.pk, False, NOW) == 0


def test_nobody_votes_for_their_own_comment_or_an_unreadable_one(comment, version, alice, bob):
    with pytest.raises(Refused):
        vote(comment.pk, alice.pk, True, NOW)
    for state in (State.HELD, State.REMOVED, State.SPAM):
        with pytest.raises(NotThere):
            vote(row(version, alice, state, state=state).pk, bob.pk, True, NOW)
    with pytest.raises(NotThere):
        vote(10**9, bob.pk, True, NOW)


def test_a_vote_stays_when_its_account_is_deleted(comment, bob):
    vote(comment.pk, bob.pk, True, NOW)
    bob.delete()
    assert Vote.objects.get().user is None


def test_each_persons_report_is_stored_once(comment, bob, moderator):
    first = report_comment(comment.pk, bob.pk, Harm.LEAK, "From my exam.", NOW)
    assert report_comment(comment.pk, bob.pk, Harm.ABUSE, "Again.", NOW) == first
    report_comment(comment.pk, moderator.pk, Harm.ABUSE, "", NOW)
    assert CommentReport.objects.filter(comment=comment, closed_at=None).count() == 2
    comment.refresh_from_db()
    assert comment.state == State.VISIBLE


def test_nobody_reports_their_own_comment_or_an_unreadable_one(comment, version, alice, bob):
    with pytest.raises(Refused):
        report_comment(comment.pk, alice.pk, Harm.SPAM, "", NOW)
    with pytest.raises(NotThere):
        report_comment(row(version, alice, "x", state=State.HELD).pk, bob.pk, Harm.SPAM, "", NOW)


@pytest.mark.parametrize("what", ["votes", "reports"])
def test_votes_and_reports_are_limited_for_each_person_separately(
    comment, version, alice, bob, moderator, monkeypatch, what
):
    monkeypatch.setitem(limits.HOURLY, what, 1)
    other = row(version, alice, "Another tip.")

    def act(comment, user):
        if what == "votes":
            vote(comment.pk, user.pk, True, NOW)
        else:
            report_comment(comment.pk, user.pk, Harm.SPAM, "", NOW)

    act(comment, bob)
    with pytest.raises(TooMany) as raised:
        act(other, bob)
    assert (raised.value.code, raised.value.minutes) == ("too-many", 60)
    act(other, moderator)
