"""Twenty votes, reports or decisions at once leave exact counts, and one entry in the log for each act."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission

from courseiva.accounts.models import User
from discussion.comments import limits
from discussion.comments.errors import AlreadyDecided, MovedOn, NotThere, Refused, TooMany
from discussion.mail.settle import UNDO_TIME, send_corrections
from discussion.models import Act, Comment, CommentReport, Harm, Hit, Kind, LogEntry, Reason, State, Vote
from discussion.moderation.acts.decide import decide, lock_thread, reverse
from discussion.reactions.report import report_comment
from discussion.reactions.vote import vote
from discussion.screening.rules.parts import FIRST_POST
from discussion.threads.post import Draft, delete, post
from questions.models import ContentReport
from tests.discussion.conftest import person, row
from tests.practice.test_races import at_once
from tests.support.bank import NOW

THREADS = 20

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def people() -> list[User]:
    return [person(f"p{n}") for n in range(THREADS)]


@pytest.fixture
def moderators() -> list[User]:
    permission = Permission.objects.get(codename="moderate_comment")
    for n in range(THREADS):
        person(f"m{n}").user_permissions.add(permission)
    return list(User.objects.filter(email__startswith="m").order_by("pk"))


@pytest.fixture
def comment(version, alice):
    return row(version, alice, "A tip.")


def test_simultaneous_votes_are_counted_exactly(comment, people):
    at_once(*[lambda p=p: vote(comment.pk, p.pk, True, NOW) for p in people])
    comment.refresh_from_db()
    assert comment.helpful == Vote.objects.count() == THREADS


def test_one_person_voting_many_times_at_once_counts_once(comment, bob):
    counts = at_once(*[lambda: vote(comment.pk, bob.pk, True, NOW)] * THREADS)
    comment.refresh_from_db()
    assert counts == [1] * THREADS
    assert comment.helpful == Vote.objects.count() == 1


def test_concurrent_votes_end_in_an_exact_count(comment, people):
    for each in people[::2]:
        vote(comment.pk, each.pk, True, NOW)
    at_once(*[lambda n=n, p=p: vote(comment.pk, p.pk, n % 2 == 1, NOW) for n, p in enumerate(people)])
    comment.refresh_from_db()
    assert comment.helpful == Vote.objects.count() == THREADS // 2


def test_simultaneous_reports_count_once_for_each_person(comment, people):
    calls = [lambda p=p: report_comment(comment.pk, p.pk, Harm.WRONG, "", NOW) for p in people]
    at_once(*calls[: THREADS // 2], *calls[: THREADS // 2])
    assert CommentReport.objects.count() == THREADS // 2


def test_of_simultaneous_reports_of_harm_three_hide_the_comment_and_the_rest_are_refused(comment, people):
    outcomes = at_once(*[lambda p=p: report_comment(comment.pk, p.pk, Harm.SPAM, "", NOW) for p in people])
    assert CommentReport.objects.count() == 3
    assert [type(each) for each in outcomes].count(NotThere) == len(people) - 3
    comment.refresh_from_db()
    assert (comment.state, comment.state_reason) == (State.HELD, "reported")


def test_simultaneous_approvals_count_as_one_act(version, alice, moderators):
    held = row(version, alice, "First.", state=State.HELD)
    other = row(version, alice, "Second.", state=State.HELD)
    for each in (held, other):
        Hit.objects.create(comment=each, rule=FIRST_POST, start=0, end=1, text="x")
    outcomes = at_once(*[lambda m=m: decide(held, Act.APPROVE, m, NOW) for m in moderators])
    entry = LogEntry.objects.get()
    assert [each for each in outcomes if not isinstance(each, AlreadyDecided)] == [entry]
    held.refresh_from_db()
    assert (held.state, held.state_by_id, entry.after["released"]) == (State.VISIBLE, entry.by_id, [other.pk])


def test_simultaneous_approvals_of_an_authors_comments_neither_deadlock_nor_count_twice(version, alice, moderators):
    top = row(version, alice, "A tip.")
    held = [row(version, alice, f"First {n}.", state=State.HELD, parent=top if n % 2 else None) for n in range(THREADS)]
    for each in held:
        Hit.objects.create(comment=each, rule=FIRST_POST, start=0, end=1, text="x")
    pairs = zip(held, moderators, strict=True)
    outcomes = at_once(*[lambda c=c, m=m: decide(c, Act.APPROVE, m, NOW) for c, m in pairs])
    done = [each for each in outcomes if isinstance(each, LogEntry)]
    assert all(isinstance(each, LogEntry | AlreadyDecided) for each in outcomes)
    assert LogEntry.objects.count() == len(done)
    freed = [pk for entry in done for pk in [entry.comment_id, *entry.after["released"]]]
    assert sorted(freed) == [each.pk for each in held]
    top.refresh_from_db()
    assert top.replies == THREADS // 2


def test_approving_and_rejecting_at_once_end_in_one_of_the_two(version, alice, moderators):
    held = row(version, alice, "First.", state=State.HELD)
    calls = [
        lambda m=m, n=n: decide(held, (Act.APPROVE, Act.REJECT, Act.SPAM)[n % 3], m, NOW, Reason.OFF_TOPIC)
        for n, m in enumerate(moderators)
    ]
    at_once(*calls)
    held.refresh_from_db()
    entries = list(LogEntry.objects.order_by("pk"))
    assert held.state == entries[-1].after["state"]
    assert [entry.act for entry in entries].count(Act.APPROVE) <= 1
    for before, after in zip([None, *entries], entries, strict=False):
        assert after.before["state"] == (before.after["state"] if before else State.HELD)


def test_the_same_words_sent_simultaneously_are_one_comment(version, alice):
    draft = Draft(Kind.TIP, "Count the zones before the nodes.")
    made = at_once(*[lambda: post(version, alice.pk, draft, NOW)] * THREADS)
    assert len({each.pk for each in made}) == 1
    assert Comment.objects.filter(author=alice).count() == 1


def test_a_correction_that_every_sweeper_finds_is_sent_once(version, alice, moderators):
    decide(row(version, alice, "Wrong.", kind=Kind.CORRECTION, state=State.HELD), Act.APPROVE, moderators[0], NOW)
    assert sum(at_once(*[lambda: send_corrections(NOW + UNDO_TIME)] * THREADS)) == 1
    assert ContentReport.objects.count() == 1


def test_simultaneous_reversals_count_as_one(version, alice, moderators):
    held = row(version, alice, "First.", state=State.HELD)
    entry = decide(held, Act.SPAM, moderators[0], NOW)
    outcomes = at_once(*[lambda m=m: reverse(entry, m, NOW) for m in moderators])
    assert [type(each) for each in outcomes].count(MovedOn) == THREADS - 1
    assert LogEntry.objects.count() == 2


def test_simultaneous_locks_count_as_one(version, moderators):
    outcomes = at_once(*[lambda m=m: lock_thread(version.question_id, m, NOW, "x") for m in moderators])
    assert [type(each) for each in outcomes].count(Refused) == THREADS - 1
    assert LogEntry.objects.count() == 1


def test_replies_posted_and_deleted_at_once_are_counted_exactly(version, comment, people):
    for n, each in enumerate(people):
        row(version, each, f"Early {n}.", created_at=NOW)
    gone = [row(version, each, "Goes.", parent=comment) for each in people[::2]]
    calls = [
        lambda p=p, n=n: post(version, p.pk, Draft(Kind.REPLY, f"Answer number {n}."), NOW, comment.pk)
        for n, p in enumerate(people[1::2])
    ]
    calls += [lambda c=c: delete(c.pk, c.author_id, NOW) for c in gone]
    outcomes = at_once(*calls)
    assert [each for each in outcomes if isinstance(each, Exception)] == []
    comment.refresh_from_db()
    readable = comment.answers.filter(state=State.VISIBLE, deleted_at=None).count()
    assert comment.replies == readable
    assert readable == sum(each.state == State.VISIBLE for each in outcomes[: THREADS // 2])


def test_the_hourly_limit_holds_for_simultaneous_requests(version, alice, bob, monkeypatch):
    monkeypatch.setitem(limits.HOURLY, "votes", 5)
    tips = [row(version, alice, f"Tip {n}.") for n in range(THREADS)]
    outcomes = at_once(*[lambda tip=tip: vote(tip.pk, bob.pk, True, NOW) for tip in tips])
    assert [type(each) for each in outcomes].count(TooMany) == THREADS - 5
    assert Vote.objects.count() == 5
