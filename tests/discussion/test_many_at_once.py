"""The log has filters, several acts can be reversed at once, and one decision can cover all of an author's comments."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from django.test import Client
from django.urls import reverse

from discussion.models import Act, Comment, Harm, Hit, LogEntry, Reason, State
from discussion.moderation.acts.decide_many import Choice, decide_on_author, undo_all
from discussion.moderation.reads.log import LogWanted, done_together, log_page, log_wanted_of
from discussion.reactions.report import report_comment
from tests.discussion.conftest import decide_now, row
from tests.support.bank import NOW
from tests.support.hooks import messages, values

pytestmark = pytest.mark.long("many requests")

HOUR = dt.timedelta(hours=1)
LOG = "/moderation/log/"


@pytest.fixture
def hold(version):
    def make(author, text="A remark.", rule="link", **fields) -> Comment:
        made = row(version, author, text, state=State.HELD, created_at=NOW - HOUR, state_at=NOW - HOUR, **fields)
        Hit.objects.create(comment=made, rule=rule, start=0, end=len(text), text=text)
        return made

    return make


def states_of(*comments: Comment) -> list[str]:
    found = {each.pk: each.state for each in Comment.objects.filter(pk__in=[row.pk for row in comments])}
    return [found[each.pk] for each in comments]


def entries(wanted: LogWanted, now: dt.datetime = NOW) -> list[int]:
    return [line.entry.pk for line in log_page("", wanted, now).lines]


# The log


@pytest.fixture
def acts(hold, alice, bob, mona, max_) -> dict[str, int]:
    """Make three decisions, by two moderators on two authors; return the id of each one's log entry."""
    done = {
        "old": decide_now([hold(alice).pk], Choice(Act.SPAM), mona, NOW - dt.timedelta(days=40)),
        "rejected": decide_now([hold(alice).pk], Choice(Act.REJECT, Reason.LEAK), mona, NOW - 2 * HOUR),
        "approved": decide_now([hold(bob).pk], Choice(Act.APPROVE), max_, NOW - HOUR),
    }
    return {name: outcome.entries[0].pk for name, outcome in done.items()}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, ["approved", "rejected", "old"]),
        ({"act": "reject"}, ["rejected"]),
        ({"author": "ALI"}, ["rejected", "old"]),
        ({"since": "month"}, ["approved", "rejected"]),
        ({"author": "alice", "since": "day"}, ["rejected"]),
        ({"act": "fate", "since": "eon", "by": "x"}, ["approved", "rejected", "old"]),
        ({"by": "9" * 30}, ["approved", "rejected", "old"]),
        ({"act": "lock"}, []),
    ],
)
def test_the_log_is_filtered_by_act_author_and_time(acts, query, expected):
    assert entries(log_wanted_of(query)) == [acts[name] for name in expected]


def test_the_log_is_filtered_by_moderator_and_offers_those_who_acted(acts, desk, mona, max_):
    assert entries(LogWanted(by=max_.pk)) == [acts["approved"]]
    page = desk.get(LOG, {"by": mona.pk})
    assert page.context["page"].people == [mona, max_]
    assert values(page, "data-found") == ["2"]
    assert values(desk.get(LOG, {"act": "lock"}), "data-empty") == ["filtered"]


def test_ticked_acts_are_reversed_together_and_the_log_keeps_its_filter(acts, desk):
    sent = {"entry": [acts["rejected"], acts["approved"]], "words": "The rule was wrong.", "log": "since=month"}
    page = desk.post(reverse("moderation-undo"), sent)
    assert page.headers["Location"] == f"{LOG}?since=month"
    assert messages(desk.get(LOG)) == ["undone"]
    assert set(LogEntry.objects.filter(act=Act.REVERSE).values_list("reverses", "words")) == {
        (acts["rejected"], "The rule was wrong."), (acts["approved"], "The rule was wrong."),
    }  # fmt: skip
    assert set(Comment.objects.values_list("state", flat=True)) == {State.HELD, State.SPAM}


def test_an_invalid_filter_shows_the_whole_log(acts, desk):
    sent = {"entry": [acts["approved"]], "log": "https://elsewhere.example?x"}
    assert desk.post(reverse("moderation-undo"), sent).headers["Location"] == LOG


def test_only_acts_that_can_be_reversed_can_be_ticked(acts, desk, mona):
    undo_all([acts["approved"]], mona, NOW)
    ticks = re.findall(r'type="checkbox" name="entry" value="(\d+)"', desk.get(LOG).content.decode())
    assert ticks == [str(acts["rejected"]), str(acts["old"])]


def test_acts_of_one_batch_are_found_and_reversed_together(hold, desk, alice, bob, mona, max_):
    one_go = [hold(alice), hold(bob), hold(alice)]
    done = decide_now([each.pk for each in one_go], Choice(Act.SPAM), mona, NOW)
    decide_now([hold(bob).pk], Choice(Act.SPAM), max_, NOW)
    alone = decide_now([hold(bob).pk], Choice(Act.SPAM), mona, NOW + HOUR).entries[0]
    first = done.entries[0].pk
    assert set(done_together(first)) == set(done.entries)
    assert {line.entry.pk: line.size for line in log_page("", LogWanted(), NOW).lines}[first] == 3
    assert {line.entry.pk: line.size for line in log_page("", LogWanted(), NOW).lines}[alone.pk] == 1
    undo_all([done.entries[1].pk], mona, NOW + HOUR)
    assert {line.entry.pk: line.size for line in log_page("", LogWanted(), NOW).lines}[first] == 2
    page = desk.post(reverse("moderation-undo"), {"together": first, "log": ""}, follow=True)
    assert messages(page) == ["undone"]
    assert states_of(*one_go) == [State.HELD] * 3
    assert Comment.objects.filter(state=State.SPAM).count() == 2


@pytest.mark.parametrize("count", [1, 50])
def test_the_statement_count_does_not_grow_with_the_log(desk, hold, alice, mona, count, django_assert_num_queries):
    decide_now([hold(alice, f"Remark {n}.").pk for n in range(count)], Choice(Act.SPAM), mona, NOW)
    with django_assert_num_queries(9):
        page = desk.get(LOG)
    assert page.context["page"].pages.paginator.count == count


# Everything by one author


@pytest.fixture
def everything(version, hold, alice, bob) -> dict[str, Comment]:
    reported = row(version, alice, "Visible and reported.")
    report_comment(reported.pk, bob.pk, Harm.WRONG, "", NOW)
    return {
        "held": hold(alice, "Held."),
        "other": hold(alice, "Held, too."),
        "visible": row(version, alice, "Visible."),
        "reported": reported,
        "spam": row(version, alice, "Spam long ago.", state=State.SPAM),
        "bobs": hold(bob, "Somebody else's."),
    }


@pytest.mark.parametrize(
    ("choice", "decided"),
    [
        (Choice(Act.APPROVE), ["held", "other", "reported"]),
        (Choice(Act.SPAM), ["held", "other", "visible", "reported"]),
        (Choice(Act.REJECT, Reason.ADVERT), ["held", "other", "visible", "reported"]),
    ],
)
def test_one_decision_on_everything_is_an_act_for_each_comment_and_can_be_undone(
    everything, alice, mona, choice, decided
):
    before = list(Comment.objects.order_by("pk").values())
    outcome = decide_on_author(alice.pk, Comment.objects.latest("pk").pk, choice, mona, NOW)
    assert outcome.refused == {}
    assert sorted(entry.comment_id for entry in outcome.entries) == sorted(everything[name].pk for name in decided)
    undone = undo_all([entry.pk for entry in done_together(outcome.entries[0].pk)], mona, NOW + HOUR)
    assert (len(undone.entries), undone.refused) == (len(decided), {})
    assert list(Comment.objects.order_by("pk").values()) == before


def test_a_comment_written_after_the_page_was_loaded_is_not_decided(everything, hold, alice, mona):
    upto = Comment.objects.latest("pk").pk
    late = hold(alice, "Written meanwhile.")
    decide_on_author(alice.pk, upto, Choice(Act.SPAM), mona, NOW)
    assert states_of(late, everything["held"]) == [State.HELD, State.SPAM]


def test_a_decision_on_everything_is_one_batch_across_pages(hold, alice, mona):
    rows = [hold(alice, f"Buy number {n}.") for n in range(60)]
    outcome = decide_on_author(alice.pk, rows[-1].pk, Choice(Act.SPAM), mona, NOW)
    assert len(outcome.entries) == done_together(outcome.entries[0].pk).count() == 60


def test_an_authors_page_offers_a_decision_on_everything_and_the_log_shows_it(desk, everything, alice):
    address = reverse("moderation-author", args=[alice.pk])
    page = desk.get(address)
    assert (page.context["page"].approvable, page.context["page"].removable) == (3, 4)
    sent = {"upto": page.context["page"].upto, "reject": "other", "words": "All of it copied from elsewhere."}
    done = desk.post(reverse("moderation-author-decide", args=[alice.pk]), sent)
    log = desk.get(done.headers["Location"])
    assert len(log.context["page"].lines) == 4
    assert 'name="together"' in log.content.decode()
    page = desk.get(address)
    assert (page.context["page"].approvable, page.context["page"].removable) == (0, 0)
    assert 'id="everything"' not in page.content.decode()


@pytest.mark.parametrize("fields", [{}, {"act": "approve"}, {"upto": 9, "act": "fate"}, {"upto": 9, "reject": "other"}])
def test_an_invalid_decision_on_everything_is_refused(desk, everything, alice, fields):
    before = states_of(*everything.values())
    assert desk.post(reverse("moderation-author-decide", args=[alice.pk]), fields).status_code == 400
    assert states_of(*everything.values()) == before


def test_nobody_decides_on_their_own_comments_and_only_moderators_on_others(
    desk, client_of, hold, everything, alice, bob, mona
):
    mine = hold(mona, "My own.")
    page = desk.get(reverse("moderation-author", args=[mona.pk]))
    assert 'id="everything"' not in page.content.decode()
    sent = {"upto": mine.pk, "act": "approve"}
    desk.post(reverse("moderation-author-decide", args=[mona.pk]), sent)
    assert states_of(mine) == [State.HELD]
    address = reverse("moderation-author-decide", args=[alice.pk])
    assert client_of(bob).post(address, sent).status_code == 404
    assert Client().post(address, sent).status_code == 302
    assert not LogEntry.objects.exists()
