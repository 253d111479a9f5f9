"""Times of items and cards are whole seconds in objects, tables and conditions, and are never before what happened."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.models import Count, F, Max, Min
from django.db.models.functions import Coalesce, ExtractQuarter, ExtractYear

from practice.learners.reads.identity import Owner
from practice.models import CardTurn, PracticeSession, ReviewCard, SessionItem
from practice.readiness.derive.analyse import analyse
from practice.reviews.make_cards import refresh_cards
from practice.sessions.ending.finish import finish
from practice.sessions.player.save import claim, save
from practice.start.begin import MockChoice, start_mock
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.sessions import as_read, batch, guest, state

BIT = dt.timedelta(milliseconds=250)
SECOND, DAY = dt.timedelta(seconds=1), dt.timedelta(days=1)
AT = NOW + 60 * SECOND + BIT
STORED = NOW + 61 * SECOND
TIMES = ("displayed_at", "answered_at", "checked_at")
SHORT, LONG = "0040_whole_seconds", "0039_plain_help_texts"

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> Owner:
    return guest()[0]


@pytest.fixture
def session(owner: Owner) -> PracticeSession:
    """Start a mock a quarter of a second after NOW, and answer two of its ten questions between two seconds."""
    exam = make_exam()
    add_questions(exam, 4)
    begun = start_mock(owner, exam.blueprints.get(), MockChoice(10), 7, NOW + BIT)
    writer = claim(begun.uuid, owner, NOW + BIT).writer
    save(begun.uuid, owner, batch(writer, state(1, 1, 0), state(2, 2, 1)), AT)
    return begun


def test_an_object_has_the_time_as_it_will_be_stored() -> None:
    item = SessionItem(answered_at=AT)
    assert item.answered_at == STORED
    item.answered_at = None
    assert item.answered_at is None


def test_an_answer_is_dated_with_the_next_whole_second(session: PracticeSession) -> None:
    assert as_read(session, TIMES)[1] == as_read(session, TIMES)[2] == (STORED, STORED, None)
    assert as_read(session, TIMES)[3] == (None, None, None)


def test_a_time_is_stored_alike_by_each_way_to_store_it(session: PracticeSession) -> None:
    session.items.filter(position=3).update(checked_at=AT)
    one = session.items.get(position=4)
    one.checked_at = AT
    one.save(update_fields=["checked_at"])
    two = session.items.get(position=5)
    two.checked_at = AT
    SessionItem.objects.bulk_update([two], ["checked_at"])
    SessionItem.objects.create(session=session, position=11, version=one.version, option_order="0123", checked_at=AT)
    assert {position: row[2] for position, row in as_read(session, TIMES).items() if row[2]} == dict.fromkeys(
        (3, 4, 5, 11), STORED
    )


def test_conditions_orders_and_functions_take_it_for_a_time(session: PracticeSession) -> None:
    items = session.items.all()
    assert items.filter(answered_at__gt=AT).count() == items.filter(answered_at__lte=STORED).count() == 2
    assert items.filter(answered_at__lte=AT).count() == 0
    assert items.filter(answered_at=F("displayed_at")).count() == 2
    assert items.filter(answered_at__isnull=True).count() == 8
    assert items.aggregate(last=Max("answered_at"))["last"] == STORED
    mixed = items.annotate(
        at=Coalesce("session__started_at", "answered_at"), first=Coalesce("answered_at", "session__started_at")
    )
    assert mixed.aggregate(Min("at"), Max("first")) == {"at__min": NOW + BIT, "first__max": STORED}
    year, quarter = (each("answered_at", tzinfo=dt.UTC) for each in (ExtractYear, ExtractQuarter))
    counted = items.exclude(answered_at=None).order_by().values(year=year, quarter=quarter).annotate(n=Count("pk"))
    assert [tuple(row.values()) for row in counted] == [(STORED.year, (STORED.month + 2) // 3, 2)]
    assert [each.position for each in items.order_by(F("answered_at").desc(nulls_last=True), "-position")][:2] == [2, 1]


def test_cards_have_whole_seconds_and_are_not_written_again(session: PracticeSession, owner: Owner) -> None:
    finish(session.uuid, owner, NOW + 90 * SECOND + BIT)
    analyse(session.pk, NOW + 120 * SECOND)
    card = ReviewCard.objects.first()
    assert card is not None
    assert card.reviewed_at == STORED
    turn = CardTurn(learner=card.learner, exam=card.exam, question=card.question, at=AT + DAY, knew=True)
    turn.save()
    refresh_cards(session.learner_id, session.exam_id)
    card.refresh_from_db()
    assert (card.reviewed_at, card.due_at.microsecond) == (STORED + DAY, 0)
    written: list[str] = []

    def note(execute: Any, sql: str, *rest: Any) -> Any:
        written.extend([sql] if sql.startswith(("INSERT", "UPDATE", "DELETE")) else [])
        return execute(sql, *rest)

    with connection.execute_wrapper(note):
        refresh_cards(session.learner_id, session.exam_id)
    assert written == []


@pytest.mark.long("migrations")
@pytest.mark.django_db(transaction=True)
def test_the_migration_goes_back_and_forth_and_rounds_up(session: PracticeSession, owner: Owner) -> None:
    finish(session.uuid, owner, NOW + 90 * SECOND + BIT)
    analyse(session.pk, NOW + 120 * SECOND)
    before = as_read(session, TIMES)
    cards = list(ReviewCard.objects.values_list("question", "reviewed_at", "due_at"))
    try:
        call_command("migrate", "practice", LONG, verbosity=0)
        with connection.cursor() as cursor:
            cursor.execute(
                "UPDATE practice_sessionitem SET answered_at = %s WHERE answered_at IS NOT NULL", [_written(AT)]
            )
    finally:
        call_command("migrate", "practice", verbosity=0)
    assert as_read(session, TIMES) == before
    assert list(ReviewCard.objects.values_list("question", "reviewed_at", "due_at")) == cards


def _written(moment: dt.datetime) -> str:
    """Return a time as Django writes it on either database."""
    return f"{moment:%Y-%m-%d %H:%M:%S.%f}" + ("+00" if connection.vendor == "postgresql" else "")
