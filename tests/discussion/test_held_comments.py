"""Check who may see a comment outside the moderators' queue, for each state, deleted or not, and each reader."""

from __future__ import annotations

import itertools

import pytest

from discussion.comments.models.comments import Comment, State, seen_by, waiting_of
from tests.discussion.conftest import row
from tests.support.bank import NOW

WRITERS, READERS = ("alice", "bob", "gone"), ("alice", "bob", "nobody")
CASES = list(itertools.product(State.values, (False, True), WRITERS, READERS))


@pytest.fixture
def ids(alice, bob) -> dict[str, int | None]:
    """Return ids by name: a stranger has none, and neither has a deleted account."""
    return {"alice": alice.pk, "bob": bob.pk, "nobody": None, "gone": None}


@pytest.fixture
def written(version, alice, bob) -> dict[tuple[str, bool, str], Comment]:
    """Store a comment by each writer in each state, once deleted and once not."""
    people = {"alice": alice, "bob": bob, "gone": None}
    return {
        (state, deleted, writer): row(
            version, people[writer], "" if deleted else "A remark.", state=state, html="",
            deleted_at=NOW if deleted else None,
        )
        for state, deleted, writer in itertools.product(State.values, (False, True), WRITERS)
    }  # fmt: skip


def may_see(state: str, deleted: bool, writer: str, reader: str) -> bool:
    """Apply the rule: nobody sees a deleted comment, everybody a visible one, and only its author a held one."""
    return not deleted and (state == State.VISIBLE or (state == State.HELD and writer == reader))


def test_a_comment_is_visible_only_to_those_the_rule_allows(written, ids) -> None:
    for state, deleted, writer, reader in CASES:
        comment, expected = written[state, deleted, writer], may_see(state, deleted, writer, reader)
        found = Comment.objects.filter(seen_by(ids[reader]), pk=comment.pk).exists()
        assert (found, comment.is_seen_by(ids[reader])) == (expected, expected), (state, deleted, writer, reader)


@pytest.mark.parametrize("reader", READERS)
def test_readers_find_only_their_own_waiting_comments(written, ids, reader: str) -> None:
    own = written.get((State.HELD, False, reader))
    assert list(Comment.objects.filter(waiting_of(ids[reader]))) == ([own] if own else [])
