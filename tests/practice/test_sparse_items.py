"""What nearly every item has is stored as null; whoever reads an item finds the value."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.models import Count, F, Q

from practice.learners.reads.identity import Owner
from practice.models import PracticeSession, SessionItem
from practice.sessions.ending.finish import close_expired, finish
from practice.sessions.player.save import claim, save
from practice.start.begin import MockChoice, start_mock
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.sessions import as_read, batch, guest, seconds, state

SPARSE = {
    "struck": 0, "changes": 0, "writer": 0, "sequence": 0, "miss_class": "", "flagged": False, "hint_opened": False,
    "revealed": False, "seen_before": False, "variant_seen": False, "granted": False, "withheld": False,
}  # fmt: skip
NAMES = sorted([*SPARSE, "first_selected", "selected"])
WITH_NULLS, WITHOUT = "0038_sparse_items", "0037_short_review_cards"

pytestmark = pytest.mark.django_db


def stored(session: PracticeSession) -> dict[int, dict[str, Any]]:
    """Return the items' columns as the tables have them, by position."""
    with connection.cursor() as cursor:
        columns = ", ".join(NAMES)
        cursor.execute(f"SELECT position, {columns} FROM practice_sessionitem WHERE session_id = %s", [session.pk])
        return {position: dict(zip(NAMES, row, strict=True)) for position, *row in cursor.fetchall()}


@pytest.fixture
def owner() -> Owner:
    return guest()[0]


@pytest.fixture
def session(owner: Owner) -> PracticeSession:
    """Save four answers of a mock: plain, flagged with an option struck out, changed, and changed back."""
    exam = make_exam()
    add_questions(exam, 4)
    begun = start_mock(owner, exam.blueprints.get(), MockChoice(10), 7, NOW)
    writer = claim(begun.uuid, owner, NOW).writer
    for n, states in enumerate((
        (state(1, 1, 0), state(2, 2, 1, flagged=True, struck=(0,)), state(3, 3, 2), state(4, 4, 3)),
        (state(3, 5, 1), state(4, 6, 0)),
        (state(4, 7, 3),),
    )):  # fmt: skip
        save(begun.uuid, owner, batch(writer, *states), seconds(n))
    return begun


def test_a_submitted_item_stores_only_what_few_items_have(session: PracticeSession, owner: Owner) -> None:
    finish(session.uuid, owner, seconds(60))
    rows = stored(session)
    nothing: dict[str, Any] = dict.fromkeys(SPARSE) if connection.vendor == "postgresql" else SPARSE
    plain = {**nothing, "first_selected": None}
    assert rows[1] == {**plain, "selected": rows[1]["selected"]}
    assert rows[2] == {**plain, "selected": rows[2]["selected"], "flagged": True, "struck": rows[2]["struck"]}
    assert rows[3]["changes"] == 1
    assert rows[3]["first_selected"] not in (None, rows[3]["selected"])
    assert rows[4] == {**plain, "selected": rows[4]["selected"], "changes": 2, "writer": 1, "sequence": 7}


def test_only_a_session_that_ran_out_of_time_keeps_which_save_wrote_an_item(session: PracticeSession) -> None:
    saves = {each.position: (each.writer, each.sequence) for each in session.items.all()}
    assert close_expired(seconds(24 * 3600)) == 1
    assert saves == {each.position: (each.writer, each.sequence) for each in session.items.all()}
    assert saves[3] == (1, 5)


def test_what_was_first_selected_is_read_whether_it_was_kept_or_changed(session: PracticeSession) -> None:
    first = {each.position: (each.first_selected, each.option_order) for each in session.items.all()}
    assert [first[n][0] for n in range(1, 6)] == [
        *(1 << int(first[n][1][place], 16) for n, place in ((1, 0), (2, 1), (3, 2), (4, 3))), 0,
    ]  # fmt: skip
    assert session.items.filter(first_selected=F("selected")).count() == 9
    assert session.items.exclude(first_selected=F("selected")).get().position == 3


def test_conditions_groups_and_orders_take_a_null_for_the_default(session: PracticeSession) -> None:
    items = session.items.all()
    plain = items.filter(flagged=False), items.exclude(flagged=True), items.filter(~Q(flagged=True))
    assert [found.count() for found in plain] == [9, 9, 9]
    assert items.filter(flagged=True).get().position == 2
    assert items.filter(struck=0, miss_class="", withheld=False, granted=False).count() == 9
    assert items.filter(miss_class__in=["", "time"]).count() == 10
    closed = Count("position", Q(hint_opened=False))
    changes = items.order_by("changes").values("changes").annotate(n=Count("position"), closed=closed)
    assert [tuple(row.values()) for row in changes] == [(0, 8, 8), (1, 1, 1), (2, 1, 1)]
    assert [each.position for each in items.order_by("-flagged", "-changes", "position")][:4] == [2, 4, 3, 1]
    first, fourth = (items.filter(position=n).order_by().values_list("flagged", "changes") for n in (1, 4))
    assert set(first.union(fourth)) == {(False, 0), (False, 2)}


def test_a_default_can_be_stored_in_place_of_a_value_and_the_other_way_round(session: PracticeSession) -> None:
    for flagged in (True, False):
        session.items.update(flagged=flagged, miss_class="time" if flagged else "")
        assert session.items.filter(flagged=flagged).exclude(miss_class="" if flagged else "time").count() == 10
        one = session.items.get(position=5)
        one.flagged = not flagged
        one.save(update_fields=["flagged"])
        assert session.items.get(position=5).flagged is not flagged
    made = SessionItem.objects.create(session=session, position=11, version=one.version, option_order="0123")
    assert {name: getattr(made, name) for name in SPARSE} == SPARSE


def test_rows_written_without_nulls_are_read_alike(session: PracticeSession) -> None:
    before = as_read(session, NAMES)
    with connection.cursor() as cursor:
        filled = ", ".join(f"{name} = COALESCE({name}, {value!r})" for name, value in SPARSE.items())
        cursor.execute(f"UPDATE practice_sessionitem SET {filled}, first_selected = COALESCE(first_selected, selected)")
    assert None not in {value for row in stored(session).values() for value in row.values()}
    assert as_read(session, NAMES) == before


@pytest.mark.long("migrations")
@pytest.mark.django_db(transaction=True)
def test_the_migration_goes_back_and_forth_with_its_rows(session: PracticeSession, owner: Owner) -> None:
    finish(session.uuid, owner, seconds(60))
    before = as_read(session, NAMES)
    try:
        call_command("migrate", "practice", WITHOUT, verbosity=0)
        assert {position: tuple(row.values()) for position, row in stored(session).items()} == before
    finally:
        call_command("migrate", "practice", verbosity=0)
    assert as_read(session, NAMES) == before
    session.items.update(struck=0, seen_before=False, writer=0)  # nulls, which are allowed again
