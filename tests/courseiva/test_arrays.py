"""Rows read into an array are those of the queryset, on both databases, and no value is guessed."""

import datetime as dt

import numpy as np
import pytest
from django.db import connection
from django.db.models import IntegerField, Value
from django.db.models.functions import Cast

from courseiva.common.quick import arrays
from courseiva.common.quick.arrays import array_of
from practice.models import Learner, PracticeSession
from tests.support.bank import NOW, make_exam

KINDS = np.dtype([("key", np.int64), ("minutes", np.int16), ("feedback", np.bool_), ("tenfold", np.int32)])

pytestmark = pytest.mark.django_db


@pytest.fixture
def rows():
    """Twelve rows, and the queryset of their columns."""
    learner, exam = Learner.objects.create(created_at=NOW), make_exam()
    PracticeSession.objects.bulk_create(
        PracticeSession(
            learner=learner, exam=exam, mode="drill", started_at=NOW + dt.timedelta(hours=n % 5), minutes=n - 6,
            feedback_each=n % 3 == 0,
        )
        for n in range(6, 18)
    )  # fmt: skip
    tenfold = Cast("minutes", IntegerField()) * Value(10) - Value(50)
    sessions = PracticeSession.objects.filter(learner=learner, label="").order_by("-started_at", "pk")
    return sessions.values_list("pk", "minutes", "feedback_each", tenfold)


@pytest.mark.parametrize("buffer", [7, 33, arrays.BUFFER])
def test_the_array_has_the_rows_in_their_order(rows, buffer, monkeypatch):
    monkeypatch.setattr(arrays, "BUFFER", buffer)
    found = array_of(rows, KINDS)
    assert (found.dtype, len(found)) == (KINDS, 12)
    assert found.tolist() == list(rows)
    assert min(found["tenfold"]) == -50


def test_without_a_row_the_array_is_empty(rows):
    found = array_of(rows.filter(minutes=99), KINDS)
    assert (found.dtype, len(found)) == (KINDS, 0)


@pytest.mark.parametrize("place", [0, 5, 11])
def test_a_null_is_refused(rows, place):
    PracticeSession.objects.filter(pk=list(rows)[place][0]).update(minutes=None)
    with pytest.raises((TypeError, ValueError)):
        array_of(rows, KINDS)


def test_a_column_of_another_width_is_refused(rows, needs_postgres):
    wrong = np.dtype([("key", np.int64), ("minutes", np.int32), ("feedback", np.bool_), ("tenfold", np.int32)])
    with pytest.raises(ValueError, match="wide"):
        array_of(rows, wrong)
    with connection.cursor() as cursor:  # the connection is still usable
        cursor.execute("SELECT 1")
