"""What lists of questions make the database do grows as the bank does, not with its square."""

from __future__ import annotations

import pytest
from django.db import connection

from questions.pages.reads.lists import filtered
from questions.versions.reads.public import unit_number
from tests.support.bank import add_questions, make_exam
from tests.support.database_work import work_of


def analyze() -> None:
    """The planner's statistics, as a large bank has them."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


@pytest.mark.django_db
def test_a_list_ordered_by_families_is_linear_where_no_question_has_one() -> None:
    exam = make_exam()
    rows = filtered(exam, {}).annotate(unit=unit_number()).order_by("unit", "number").values("pk")
    add_questions(exam, 20)
    analyze()
    small = work_of(rows)
    add_questions(exam, 60)
    analyze()
    assert work_of(rows) <= 6 * small  # four times as many questions, and a sort
