"""Who may see a comment outside the moderators' queue: the rule alone, each state, deleted or not, each reader."""

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
    """Somebody who isn't signed in has no id, and neither has a deleted account."""
    return {"alice": alice.pk, "bob": bob.pk, "nobody": None, "gone": None}


@pytest.fixture
def written(version, alice, bob) -> dict[tuple[str, bool, str], Comment]:
    """A comment of each writer in each state, one of them deleted and one not."""
    people = {"alice": alice, "bob": bob, "gone": None}
    return {
        (state, deleted, writer): row(
            version, people[writer], "" if deleted else "A remark.", state=state, html="",
            deleted_at=NOW if deleted else None,
        )
        for state, deleted, writer in itertools.product(State.values, (False, True), WRITERS)
    }  # fmt: skip


def may_see(state: str, deleted: bool, writer: str, reader: str) -> bool:
    """The rule in words: nobody sees a deleted one, everybody a visible one, and only its author a held one."""
    return not deleted and (state == State.VISIBLE or (state == State.HELD and writer == reader))


def test_who_may_see_it(written, ids) -> None:
    for state, deleted, writer, reader in CASES:
        comment, expected = written[state, deleted, writer], may_see(state, deleted, writer, reader)
        found = Comment.objects.filter(seen_by(ids[reader]), pk=comment.pk).exists()
        assert (found, comment.is_seen_by(ids[reader])) == (expected, expected), (state, deleted, writer, reader)


@pytest.mark.parametrize("reader", READERS)
def test_an_authors_own_waiting_comments(written, ids, reader: str) -> None:
    own = written.get((State.HELD, False, reader))
    assert list(Comment.objects.filter(waiting_of(ids[reader]))) == ([own] if own else [])
