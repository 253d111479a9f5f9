"""Reversing an act restores everything it changed, and touches nothing decided since."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import replace

import pytest

from discussion.comments.errors import MovedOn
from discussion.models import (
    Act,
    Comment,
    CommentReport,
    Harm,
    Hit,
    Kind,
    LogEntry,
    Reason,
    Shingle,
    State,
    ThreadState,
)
from discussion.moderation.acts.decide import decide, edit_out, lock_thread, reverse, unlock_thread
from discussion.moderation.acts.decide_many import Choice, decide_all, edit_out_one, undo_all
from discussion.reactions.report import report_comment
from discussion.screening.hold import second_look
from discussion.screening.rules.parts import FIRST_POST
from discussion.threads import post as posting
from discussion.threads.post import Draft
from tests.discussion.conftest import decide_now, row, seen
from tests.support.bank import NOW

MINUTE = dt.timedelta(minutes=1)
LATER, LATE, LATEST = NOW + MINUTE, NOW + 2 * MINUTE, NOW + 3 * MINUTE
TEXT = "Ask **me** at lena@elsewhere.example before you shard a table like this one."
CHANGED = "Ask before you shard a table like this one, please."


def everything(*comments: Comment) -> list[list[tuple]]:
    """Return all that is stored about these comments, except votes and mail."""
    rows = Comment.objects.filter(pk__in=[each.pk for each in comments])
    return [
        [tuple(each.items()) for each in rows.order_by("pk").values()],
        sorted(Hit.objects.filter(comment__in=rows).values_list("comment", "rule", "start", "end", "text")),
        sorted(Shingle.objects.filter(comment__in=rows).values_list("comment", "value")),
        sorted(CommentReport.objects.filter(comment__in=rows).values_list("pk", "reason", "closed_at")),
    ]


@pytest.fixture
def stories(version, alice, bob, max_) -> dict[str, Callable[[str], Comment]]:
    """Return a function for each way in which a comment can come to be held."""

    def unscreened(text: str) -> Comment:
        return posting.post(version, alice.pk, Draft(Kind.TIP, text), NOW)

    def held(text: str) -> Comment:
        made = unscreened(text)
        second_look(made.pk, NOW)
        return made

    def reported(text: str) -> Comment:
        """Return a comment that another moderator approved and that was reported afterwards."""
        made = held(text)
        decide(made, Act.APPROVE, max_, NOW)
        report_comment(made.pk, bob.pk, Harm.PERSONAL, "Her address.", NOW)
        return made

    return {"unscreened": unscreened, "held": held, "reported": reported}


DECISIONS = [Choice(Act.APPROVE), Choice(Act.REJECT, Reason.LEAK), Choice(Act.SPAM)]


@pytest.mark.parametrize("story", ["unscreened", "held", "reported"])
@pytest.mark.parametrize("choice", [*DECISIONS, Choice(Act.EDIT_OUT, Reason.PERSONAL)], ids=lambda choice: choice.act)
def test_undoing_an_act_restores_everything(stories, moderator, story, choice):
    made = stories[story](TEXT)
    before = everything(made)
    if choice.act == Act.EDIT_OUT:
        entry = edit_out_one(made.pk, CHANGED, replace(choice, seen=seen(made.pk)), moderator, LATER)
    else:
        (entry,) = decide_now([made.pk], choice, moderator, LATER).entries
    assert everything(made) != before
    undone = undo_all([entry.pk], moderator, LATER)
    assert (len(undone.entries), undone.refused) == (1, {})
    assert everything(made) == before


@pytest.mark.parametrize("choice", DECISIONS, ids=lambda choice: choice.act)
def test_undoing_several_acts_restores_everything(stories, version, bob, moderator, choice):
    rows = [make(f"{TEXT} It says {n}.") for n, make in enumerate(stories.values())]
    rows.append(row(version, bob, "Of somebody else.", state=State.HELD))
    before = everything(*rows)
    done = decide_now([each.pk for each in rows], choice, moderator, LATER)
    assert len(done.entries) == len(rows)
    assert undo_all([entry.pk for entry in done.entries], moderator, LATE).refused == {}
    assert everything(*rows) == before


def test_a_comment_released_with_another_is_restored_too(settings, version, alice, moderator):
    settings.HOLD_FIRST_POSTS = 1
    texts = ("A subnet is regional.", "Labels arrive two weeks late here.", "B is right because of the quota.")
    rows = [posting.post(version, alice.pk, Draft(Kind.TIP, text), NOW) for text in texts]
    for each in rows:
        second_look(each.pk, NOW)
    before = everything(*rows)
    entry = decide(rows[0], Act.APPROVE, moderator, LATER)
    assert len(entry.after["released"]) == 2
    reverse(entry, moderator, LATE)
    assert everything(*rows) == before


def test_stacked_acts_are_undone_one_by_one(stories, moderator, max_):
    made = stories["held"](TEXT)
    seen, entries = [everything(made)], []
    for choice, by, at in zip(
        (Choice(Act.APPROVE), Choice(Act.EDIT_OUT, Reason.PERSONAL), Choice(Act.SPAM)),
        (moderator, max_, moderator),
        (LATER, LATE, LATEST),
        strict=True,
    ):
        if choice.act == Act.EDIT_OUT:
            entries.append(edit_out(made, CHANGED, by, at, choice.reason))
        else:
            entries.append(decide(made, choice.act, by, at))
        seen.append(everything(made))
    for entry in reversed(entries):
        assert everything(made) == seen.pop()
        reverse(entry, moderator, LATEST)
    assert everything(made) == seen.pop()


def test_reversing_does_not_restore_the_name_of_a_deleted_account(stories, moderator, max_):
    made = stories["reported"](TEXT)
    entry = decide(made, Act.SPAM, moderator, LATER)
    max_.delete()
    reverse(entry, moderator, LATE)
    made.refresh_from_db()
    assert (made.state, made.state_by, made.state_at) == (State.VISIBLE, None, NOW)


def test_an_act_can_be_reversed_after_its_moderators_account_was_deleted(stories, moderator, max_):
    made = stories["held"](TEXT)
    entry = decide(made, Act.SPAM, max_, LATER)
    max_.delete()
    reverse(entry, moderator, LATE)
    made.refresh_from_db()
    assert made.state == State.HELD


def test_after_an_undo_a_page_opened_before_the_act_can_decide(stories, moderator, max_):
    made = stories["held"](TEXT)
    shown = seen(made.pk)
    (entry,) = decide_now([made.pk], Choice(Act.SPAM), moderator, LATER).entries
    reverse(entry, moderator, LATE)
    outcome = decide_all([made.pk], Choice(Act.REJECT, Reason.LEAK, seen=shown), max_, LATEST)
    assert outcome.refused == {}


# Decided since


def test_an_act_cannot_be_reversed_once_a_later_one_followed(version, alice, bob, moderator, max_):
    made = row(version, alice, "Hello there.", state=State.HELD)
    first = decide(made, Act.APPROVE, moderator, NOW)
    report_comment(made.pk, bob.pk, Harm.ABUSE, "", NOW)
    second = decide(made, Act.APPROVE, max_, NOW)
    before = everything(made)
    with pytest.raises(MovedOn):
        reverse(first, moderator, LATER)
    assert everything(made) == before
    reverse(second, moderator, LATER)
    reverse(first, moderator, LATER)
    made.refresh_from_db()
    assert made.state == State.HELD


def test_a_comment_decided_by_another_since_is_not_held_again(version, alice, bob, moderator, max_):
    rows = [row(version, alice, f"Remark {n}.", state=State.HELD) for n in range(3)]
    for each in rows:
        Hit.objects.create(comment=each, rule=FIRST_POST, start=0, end=1, text="R")
    first = decide(rows[0], Act.APPROVE, moderator, NOW)
    report_comment(rows[1].pk, bob.pk, Harm.OTHER, "", NOW)
    second = decide(rows[1], Act.APPROVE, max_, LATER)
    reverse(first, moderator, LATE)
    assert [state_of(each) for each in rows] == [State.HELD, State.VISIBLE, State.HELD]
    reverse(second, moderator, LATE)
    assert state_of(rows[1]) == State.VISIBLE


def test_a_comment_its_author_has_edited_since_is_not_restored(version, alice, moderator, known):
    known(alice)
    made = row(version, alice, "A first remark.", state=State.HELD)
    entry = decide(made, Act.APPROVE, moderator, NOW)
    posting.edit(made.pk, alice.pk, "Another remark altogether.", LATER)
    before = everything(made)
    with pytest.raises(MovedOn):
        reverse(entry, moderator, LATE)
    assert everything(made) == before


def test_a_lock_cannot_be_reversed_once_a_later_one_followed(version, moderator, max_):
    first = lock_thread(version.question_id, moderator, NOW, "One.")
    second = unlock_thread(version.question_id, moderator, LATER)
    third = lock_thread(version.question_id, max_, LATE, "Two.")
    for entry in (first, second):
        with pytest.raises(MovedOn):
            reverse(entry, moderator, LATEST)
    thread = ThreadState.objects.get()
    assert (thread.locked_at, thread.locked_by, thread.reason) == (LATE, max_, "Two.")
    for entry in (third, second, first):
        reverse(entry, moderator, LATEST)
    assert ThreadState.objects.get().locked_at is None


def test_undoing_the_reopening_of_a_thread_restores_who_closed_it(version, moderator, max_):
    lock_thread(version.question_id, max_, NOW, "Too heated.")
    reverse(unlock_thread(version.question_id, moderator, LATER), moderator, LATE)
    thread = ThreadState.objects.get()
    assert (thread.locked_at, thread.locked_by, thread.reason) == (NOW, max_, "Too heated.")


def test_other_locks_and_acts_do_not_block_an_undo(version, reserved, alice, moderator):
    first = lock_thread(version.question_id, moderator, NOW, "One.")
    made = row(version, alice, "Hello there.", state=State.HELD)
    entry = decide(made, Act.SPAM, moderator, NOW)
    lock_thread(reserved.question_id, moderator, LATER, "Two.")
    decide(row(version, alice, "More.", state=State.HELD), Act.SPAM, moderator, LATER)
    reverse(first, moderator, LATE)
    reverse(entry, moderator, LATE)
    assert LogEntry.objects.filter(reverses__isnull=False).count() == 2


def state_of(comment: Comment) -> str:
    comment.refresh_from_db()
    return comment.state
