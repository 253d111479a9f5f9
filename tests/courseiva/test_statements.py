"""A read whose SQL is composed once finds what its queryset finds, whatever arguments it gets."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import connection
from django.db.models import F, QuerySet, Value
from django.test.utils import CaptureQueriesContext

from courseiva.common.quick.statements import LONGEST, SHAPES, composed_once
from practice.models import Mode, PracticeSession, SessionItem
from questions.models import Exam, Question
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.sessions import begin_mock, guest

pytestmark = [pytest.mark.long("many questions"), pytest.mark.django_db]
COLUMNS = ("pk", "started_at", "time_factor", "pausable", "uuid")


@composed_once
def session_of(session: uuid.UUID, guest_key: str | None) -> QuerySet[PracticeSession]:
    return PracticeSession.objects.select_related("exam", "learner").filter(uuid=session, learner__guest_key=guest_key)


@composed_once
def items_at(session: int, positions: Collection[int]) -> QuerySet[SessionItem]:
    return SessionItem.objects.filter(session=session, position__in=positions).order_by("position")


@composed_once
def begun(since: dt.datetime, mode: Mode, is_open: bool | None) -> QuerySet[PracticeSession, Any]:
    rows = PracticeSession.objects.filter(started_at__gte=since, mode=mode)
    rows = rows if is_open is None else rows.filter(finished_at__isnull=is_open)
    return rows.annotate(twice=F("total") * 2).order_by("pk").values_list(*COLUMNS, "twice")


@composed_once
def named(slugs: Collection[str], numbers: Collection[int]) -> QuerySet[Any, Any]:
    exams = Exam.objects.filter(slug__in=slugs).order_by().values_list("pk", "name", Value(1))
    questions = Question.objects.filter(number__in=numbers).order_by()
    return exams.union(questions.values_list("pk", "title", Value(2)), all=True)


@dataclass(frozen=True)
class Place:
    session: int
    positions: tuple[int, ...]
    flagged: bool | None = None


@composed_once
def items_of(place: Place, guest_key: str) -> QuerySet[SessionItem]:
    rows = SessionItem.objects.filter(session=place.session, session__learner__guest_key=guest_key)
    rows = rows if place.flagged is None else rows.filter(flagged=place.flagged)
    return rows.filter(position__in=place.positions).order_by("position")


def facts(row: Any) -> Any:
    """Return every value of a row, and of the rows it refers to."""
    own = {name: value for name, value in vars(row).items() if name != "_state"}
    return own | {name: facts(each) for name, each in row._state.fields_cache.items()}


def both(read: Any, *given: Any) -> tuple[list[Any], list[Any]]:
    """Return the rows found by the statement composed once, and by the queryset."""
    read(*given)
    return read(*given), list(read.__wrapped__(*given))


@pytest.fixture
def exam() -> Exam:
    exam = make_exam()
    add_questions(exam, 2)
    return exam


@pytest.fixture
def mocks(exam: Exam) -> list[PracticeSession]:
    return [begin_mock(guest()[0], exam, 4, NOW + dt.timedelta(hours=n)) for n in range(3)]


def test_rows_are_found_with_the_rows_they_belong_to(mocks):
    for mock in mocks:
        found, wanted = both(session_of, mock.uuid, mock.learner.guest_key)
        assert [facts(row) for row in found] == [facts(row) for row in wanted]
        with CaptureQueriesContext(connection) as asked:
            assert [found[0].exam.pk, found[0].learner.pk] == [mock.exam_id, mock.learner_id]
        assert not asked
    assert both(session_of, uuid.uuid4(), mocks[0].learner.guest_key) == ([], [])


@pytest.mark.parametrize("positions", [[1], [3, 1], {1, 2, 3}, (4, 4, 2), [9], [], range(1, 5), range(LONGEST + 1)])
def test_a_list_argument_may_have_any_length(mocks, positions):
    for mock in mocks:
        found, wanted = both(items_at, mock.pk, list(positions))
        assert [facts(row) for row in found] == [facts(row) for row in wanted]


@pytest.mark.parametrize("is_open", [None, True, False])
@pytest.mark.parametrize("hours", [-1, 1, 5])
def test_an_argument_may_decide_the_shape_of_the_statement(mocks, hours, is_open):
    found, wanted = both(begun, NOW + dt.timedelta(hours=hours), Mode.MOCK, is_open)
    assert found == wanted
    assert len(found) == (0 if is_open is False else sum(n >= hours for n in range(3)))


@pytest.mark.parametrize(("slugs", "numbers"), [(["pmle"], [1]), (["pmle", "other"], []), ([], [1, 2, 3]), ([], [])])
def test_unions_and_strings_are_found(exam, slugs, numbers):
    found, wanted = both(named, slugs, numbers)
    assert sorted(found) == sorted(wanted)


@pytest.mark.parametrize("flagged", [None, True, False])
@pytest.mark.parametrize("positions", [(), (1,), (2, 3, 4)])
def test_a_dataclass_holds_values_and_choices(mocks, positions, flagged):
    for mock in mocks:
        found, wanted = both(items_of, Place(mock.pk, positions, flagged), mock.learner.guest_key)
        assert [facts(row) for row in found] == [facts(row) for row in wanted]
        assert len(found) == (0 if flagged else len(positions))


def test_a_statement_is_composed_once_for_each_shape(mocks):
    composed = []

    @composed_once
    def items(session: int, positions: Collection[int]) -> QuerySet[SessionItem]:
        composed.append(len(positions))
        return SessionItem.objects.filter(session=session, position__in=positions)

    for mock in mocks:
        for positions in ([1, 2, 3], [4, 3, 2, 1], [1], [2]):
            items(mock.pk, positions)
    assert composed == [4, 4, 1, 1]  # each mock has two series of marks


def test_each_read_is_one_statement(mocks):
    items_at(mocks[0].pk, [1])
    with CaptureQueriesContext(connection) as asked:
        items_at(mocks[1].pk, [2])
    assert len(asked) == 1
    assert str(mocks[1].pk) in asked[0]["sql"]


def test_a_row_that_was_found_may_be_changed_and_saved(mocks):
    (mock,) = session_of(mocks[0].uuid, mocks[0].learner.guest_key)
    mock.writer = 7
    mock.save(update_fields=["writer"])
    assert PracticeSession.objects.get(pk=mock.pk).writer == 7
    assert mock._state.adding is False


def test_a_value_changed_before_the_query_is_refused(db):
    @composed_once
    def later(pk: int) -> QuerySet[Exam]:
        return Exam.objects.filter(pk=pk + 1)

    with pytest.raises(TypeError):
        composed_once(lambda name: Exam.objects.filter(name__contains=name))("a")
    with pytest.raises(TypeError):
        later(1)


def test_a_value_that_is_not_asked_for_is_refused(db):
    with pytest.raises(TypeError):
        composed_once(lambda pk, _: Exam.objects.filter(pk=pk))(1, 2)


def test_a_queryset_that_prefetches_or_starts_from_a_row_is_refused(exam):
    with pytest.raises(TypeError):
        composed_once(lambda pk: Exam.objects.filter(pk=pk).prefetch_related("blueprints"))(1)
    with pytest.raises(TypeError):
        composed_once(lambda number: exam.questions.filter(number=number))(1)


def test_a_row_is_not_accepted_as_a_value(exam):
    with pytest.raises(TypeError):
        composed_once(lambda each: Question.objects.filter(exam=each))(exam)


def test_the_number_of_kept_shapes_is_limited(db):
    composed = []

    @composed_once
    def exams(*given: bool) -> QuerySet[Exam]:
        composed.append(given)
        return Exam.objects.filter(slug="none")

    for n in range(SHAPES + 1):
        exams(*(bool(n >> bit & 1) for bit in range(7)))
    before = len(composed)
    exams(*(bool(SHAPES >> bit & 1) for bit in range(7)))
    assert len(composed) == before + 1
