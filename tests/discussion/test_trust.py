"""Check what an author may do, how a level is earned and lost, and how it affects a comment."""

from __future__ import annotations

import datetime as dt
from itertools import pairwise

import pytest
from django.urls import reverse

from discussion.models import Act, State, Suspension
from discussion.moderation.acts.decide import decide
from discussion.trust.reads import is_staff, record_of
from discussion.trust.rules import MAY, NEEDS, Level, Record, level_of
from tests.discussion.conftest import in_group, person, row
from tests.support.bank import NOW
from tests.support.hooks import parsed

DAY = dt.timedelta(days=1)
LINKED = "The defaults are explained at https://notes.example/vertex in the second part."


@pytest.fixture
def lasting(version):
    """Return a function that stores somebody's comments, which everybody has been able to read for days."""

    def make(user, count, age=40 * DAY):
        at = NOW - age
        return [row(version, user, f"Remark {n} on this.", created_at=at, state_at=at) for n in range(count)]

    return make


@pytest.mark.parametrize(
    ("record", "level"),
    [
        (Record(), Level.NEW),
        (Record(lasted=1, days=400), Level.NEW),
        (Record(lasted=3, days=1), Level.NEW),
        (Record(lasted=3, days=2), Level.KNOWN),
        (Record(lasted=3, days=2, removed=1), Level.NEW),
        (Record(lasted=10, days=9, removed=1), Level.KNOWN),
        (Record(lasted=30, days=29), Level.KNOWN),
        (Record(lasted=30, days=30), Level.TRUSTED),
        (Record(lasted=30, days=30, removed=1), Level.TRUSTED),
        (Record(lasted=59, days=99, removed=2), Level.KNOWN),
        (Record(lasted=99, days=99, suspended=1), Level.NEW),
    ],
)
def test_a_level_depends_on_the_authors_record(record, level):
    assert level_of(record) == level


def test_each_level_may_do_at_least_as_much_as_the_one_below():
    assert set(MAY) == set(Level)
    order = [MAY[level] for level in (Level.SUSPENDED, Level.NEW, Level.KNOWN, Level.TRUSTED)]
    for low, high in pairwise(order):
        assert (low.write, low.link, low.comments_an_hour) <= (high.write, high.link, high.comments_an_hour)
        assert low.closely >= high.closely


def test_one_approved_comment_does_not_give_full_trust(version, alice, moderator):
    first = row(version, alice, "A first remark.", state=State.HELD, created_at=NOW - 9 * DAY)
    decide(first, Act.APPROVE, moderator, NOW)
    assert record_of(alice.pk, NOW) == Record(lasted=1, days=9)
    assert level_of(record_of(alice.pk, NOW)) == Level.NEW


def test_only_comments_that_stayed_up_unreported_count(version, alice, bob, lasting):
    kept = lasting(alice, 3)
    row(version, alice, "Just now.", state_at=NOW, created_at=NOW)
    row(version, alice, "Removed.", state=State.REMOVED, state_at=NOW - DAY)
    row(version, alice, "Removed long ago.", state=State.REMOVED, state_at=NOW - 400 * DAY)
    row(version, bob, "Of somebody else.", state_at=NOW - 9 * DAY)
    assert record_of(alice.pk, NOW) == Record(lasted=3, days=40, removed=1)
    kept[0].reports.create(reporter=bob, reason="spam", made_at=NOW)
    assert record_of(alice.pk, NOW).lasted == 2
    kept[0].reports.update(closed_at=NOW, upheld=False)
    assert record_of(alice.pk, NOW).lasted == 3
    assert record_of(alice.pk, NOW, leaving_out=kept[0].pk).lasted == 2


def test_after_a_suspension_an_author_counts_as_new_for_a_time(alice, lasting):
    lasting(alice, 30)
    assert level_of(record_of(alice.pk, NOW)) == Level.TRUSTED
    Suspension.objects.create(user=alice, until=NOW + DAY, reason="Spam", made_at=NOW)
    assert level_of(record_of(alice.pk, NOW + 2 * DAY)) == Level.NEW
    assert level_of(record_of(alice.pk, NOW + 300 * DAY)) == Level.TRUSTED


def test_a_lifted_suspension_does_not_lower_the_level(alice, lasting):
    lasting(alice, 30)
    Suspension.objects.create(user=alice, until=NOW + DAY, reason="Mistaken", made_at=NOW, lifted_at=NOW)
    assert record_of(alice.pk, NOW) == Record(lasted=30, days=40)


def test_a_new_authors_plain_comment_is_visible_at_once_and_a_link_waits(alice, say):
    assert (
        say(alice, "I think the replica isn't needed here, as the stem says nothing about reads.").state
        == State.VISIBLE
    )
    held = say(alice, LINKED)
    assert (held.state, set(held.hits.values_list("rule", flat=True))) == (State.HELD, {"link"})


def test_known_authors_links_do_not_wait(alice, say, lasting):
    lasting(alice, NEEDS[Level.KNOWN].lasted)
    assert say(alice, LINKED).state == State.VISIBLE


def test_the_operator_may_hold_first_posts(settings, alice, say, lasting):
    settings.HOLD_FIRST_POSTS = 2
    held = say(alice, "A plain remark on the second option of this question.")
    assert set(held.hits.values_list("rule", flat=True)) == {"first-post"}
    lasting(alice, 2)
    assert say(alice, "Another plain remark, about the first option this time.").state == State.VISIBLE


def test_comments_by_staff_are_not_held(settings, say):
    settings.HOLD_FIRST_POSTS = 5
    for member in (person("staff", is_staff=True), person("boss", is_superuser=True), in_group("mod", "Moderators")):
        assert is_staff(member.pk)
        assert say(member, f"Read {LINKED} says {member.pk}").state == State.VISIBLE
    assert not is_staff(person("gone", is_staff=True, is_active=False).pk)
    assert say(person("reader"), LINKED).state == State.HELD


def test_the_article_gives_each_levels_limits_and_the_form_links_to_it(client, client_of, alice, version):
    page = parsed(client.get(reverse("article", args=["discussion"])))
    rows = page.select("[data-trust] [data-level]")
    assert [each["data-level"] for each in rows] == list(MAY)
    assert [int(each.select_one(".num").text) for each in rows[:-1]] == [
        MAY[level].comments_an_hour for level in list(MAY)[:-1]
    ]
    form = parsed(client_of(alice).get(reverse("thread", args=[version.question.exam.slug, version.question_id])))
    assert form.select_one("a[data-trust-link]")["href"].startswith(reverse("article", args=["discussion"]))
