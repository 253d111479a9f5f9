"""Check how texts and drafts are compared and how two people's changes are merged."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from courseiva.common.texts.word_diff import GONE, NEW, SAME, word_diff
from questions.versions.rules.draft_diff import LABELS, MINE, THEIRS, changes, clashes, marks, settled
from tests.support.bank import draft

ONE = draft(1)


def plain(pieces, *kinds):
    return "".join(piece.text for piece in pieces if piece.kind in kinds)


@pytest.mark.parametrize(
    ("old", "new", "pieces"),
    [
        ("", "", []),
        ("a b c", "a b c", [(SAME, "a b c")]),
        ("a b c", "a x c", [(SAME, "a "), (GONE, "b "), (NEW, "x "), (SAME, "c")]),
        ("scores, then", "scores; then", [(SAME, "scores"), (GONE, ", "), (NEW, "; "), (SAME, "then")]),
        ("", "new", [(NEW, "new")]),
        ("one two", "one\ntwo", [(SAME, "one\ntwo")]),
    ],
)
def test_texts_are_compared_word_by_word(old, new, pieces):
    assert [(piece.kind, piece.text) for piece in word_diff(old, new)] == pieces


@given(st.text("ab ,\n", max_size=40), st.text("ab ,\n", max_size=40))
def test_kept_and_added_words_make_the_new_text(old, new):
    pieces = word_diff(old, new)
    assert plain(pieces, SAME, NEW) == new
    assert plain(pieces, SAME, GONE).split() == old.split() or "".join(plain(pieces, SAME, GONE).split()) == "".join(
        old.split()
    )


def test_each_field_of_a_question_is_compared():
    fields = {field.name for field in dataclasses.fields(ONE)}
    assert fields - set(LABELS) == {"key", "family", "second_reader", "second_read_on"}


def test_only_differing_fields_are_listed_in_reading_order():
    option = dataclasses.replace(ONE.options[1], why="Another why.")
    other = dataclasses.replace(ONE, trap="New trap.", options=(ONE.options[0], option, *ONE.options[2:]))
    found = changes(ONE, other)
    assert [change.name for change in found] == ["options", "trap"]
    assert "Another " in plain(found[0].pieces, NEW)
    assert "Thing 1" not in plain(found[0].pieces, NEW, GONE)


class TestClashes:
    THEIRS = dataclasses.replace(ONE, trap="Their trap.", detail="Their detail.")
    MINE = dataclasses.replace(ONE, trap="My trap.", stem="My stem.")

    def test_a_field_only_one_side_changed_defaults_to_that_side(self):
        choices = {change.name: change.choice for change in clashes(self.MINE, self.THEIRS, marks(ONE))}
        assert choices == {"stem": MINE, "trap": "", "detail": THEIRS}

    def test_without_a_common_base_every_field_must_be_chosen(self):
        assert {change.choice for change in clashes(self.MINE, self.THEIRS, {})} == {""}

    def test_a_resolved_conflict_takes_the_other_side_only_where_chosen(self):
        kept = settled(self.MINE, self.THEIRS, {"detail": THEIRS, "trap": MINE, "key": THEIRS, "nonsense": THEIRS})
        assert (kept.stem, kept.trap, kept.detail) == ("My stem.", "My trap.", "Their detail.")
