"""When twenty moderators work at once, nobody takes what another has taken, and each comment is decided once."""

from __future__ import annotations

import datetime as dt

import pytest
from django.contrib.auth.models import Permission

from courseiva.accounts.models import User
from discussion.models import Act, Claim, Comment, Hit, LogEntry, State
from discussion.moderation import claim as claims
from discussion.moderation.acts import decide as moderation
from discussion.moderation.acts.decide_many import Choice, decide_all
from discussion.moderation.claim import CLAIM_TIME, take, take_next
from tests.discussion.conftest import person, row, seen
from tests.practice.test_races import Held, at_once
from tests.support.bank import NOW

THREADS = 20

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def moderators() -> list[User]:
    permission = Permission.objects.get(codename="moderate_comment")
    for n in range(THREADS):
        person(f"m{n}").user_permissions.add(permission)
    return list(User.objects.filter(email__startswith="m").order_by("pk"))


@pytest.fixture
def held(version) -> list[Comment]:
    rows = []
    for n in range(THREADS):
        made = row(version, person(f"p{n}"), f"Remark {n}.", state=State.HELD, created_at=NOW - dt.timedelta(hours=n))
        Hit.objects.create(comment=made, rule="link", start=0, end=1, text="R")
        rows.append(made)
    return rows


def test_comments_claimed_by_many_at_once_go_to_one_moderator_each(held, moderators):
    ids = [each.pk for each in held]
    calls = [lambda m=m, n=n: take(ids[n:] + ids[:n], m, NOW) for n, m in enumerate(moderators)]
    outcomes = at_once(*calls)
    taken = [pk for got in outcomes for pk in got]
    assert sorted(taken) == sorted(ids)
    holders = {claim.comment_id: claim.moderator_id for claim in Claim.objects.all()}
    assert holders == {pk: m.pk for m, got in zip(moderators, outcomes, strict=True) for pk in got}


def test_comments_claimed_at_once_are_all_different_and_none_is_left_over(held, moderators):
    outcomes = at_once(*[lambda m=m: take_next(1, m, NOW) for m in moderators])
    assert all(len(got) == 1 for got in outcomes), outcomes
    assert sorted(got[0] for got in outcomes) == sorted(each.pk for each in held)


def test_an_expired_claim_goes_to_one_moderator(held, moderators):
    take([held[0].pk], moderators[0], NOW - CLAIM_TIME)
    outcomes = at_once(*[lambda m=m: take([held[0].pk], m, NOW) for m in moderators])
    assert sorted(len(got) for got in outcomes) == [0] * (THREADS - 1) + [1]


def test_of_two_overlapping_claims_one_gets_nothing(held, moderators, monkeypatch):
    first, second = moderators[:2]
    slow = Held(monkeypatch, claims, "lock")
    ids = [held[0].pk]
    outcomes = at_once(lambda: take(ids, first, NOW), slow.then(lambda: take(ids, second, NOW)))
    assert sorted(len(got) for got in outcomes) == [0, 1]


def test_each_comment_is_decided_once_when_all_decide_simultaneously(held, moderators):
    ids = [each.pk for each in held]
    Comment.objects.update(state_at=NOW - dt.timedelta(hours=1))
    choices = [Choice(act, seen=seen(*ids)) for act in (Act.APPROVE, Act.SPAM)]
    calls = [lambda m=m, n=n: decide_all(ids, choices[n % 2], m, NOW) for n, m in enumerate(moderators)]
    outcomes = at_once(*calls)
    assert [each for each in outcomes if isinstance(each, Exception)] == []
    assert sorted(LogEntry.objects.values_list("comment", flat=True)) == sorted(ids)
    assert {entry.before["state"] for entry in LogEntry.objects.all()} == {State.HELD}
    done = sorted(entry.pk for outcome in outcomes for entry in outcome.entries)
    assert done == sorted(LogEntry.objects.values_list("pk", flat=True))


@pytest.mark.parametrize("is_told", [True, False], ids=["of the same page", "without saying what was seen"])
def test_approving_and_marking_as_spam_at_once_are_one_decision_even_by_one_moderator(held, moderators, is_told):
    for n, comment in enumerate(held):
        first, second = moderators[n], moderators[n if n % 2 else n - 1]
        shown = seen(comment.pk) if is_told else {}
        approve, spam = (Choice(act, seen=shown) for act in (Act.APPROVE, Act.SPAM))
        ids = [comment.pk]
        at_once(
            lambda ids=ids, approve=approve, first=first: decide_all(ids, approve, first, NOW),
            lambda ids=ids, spam=spam, second=second: decide_all(ids, spam, second, NOW),
        )
    assert LogEntry.objects.count() == (THREADS if is_told else 0)


def test_of_two_simultaneous_decisions_the_second_is_told_of_the_first(held, moderators, monkeypatch):
    ids, by = [held[0].pk], moderators[0]
    approve, spam = (Choice(act, seen=seen(*ids)) for act in (Act.APPROVE, Act.SPAM))
    slow = Held(monkeypatch, moderation, "keep_state")
    first, second = at_once(
        lambda: decide_all(ids, approve, by, NOW), slow.then(lambda: decide_all(ids, spam, by, NOW))
    )
    assert len(first.entries) == 1
    assert second.entries == []
    error = second.refused[ids[0]]
    assert (error.code, error.comment.state) == ("decided-by-you", State.VISIBLE)
