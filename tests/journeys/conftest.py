"""Fixtures that the journeys share: the live site on the test database, and a small bank in it."""

import pytest

from questions.models import Exam
from tests.support.bank import add_questions, make_exam
from tests.support.live import live_database, live_rows, live_site, static_root  # noqa: F401


@pytest.fixture(scope="module")
def exam(live_rows: None) -> Exam:  # noqa: F811
    made = make_exam()
    add_questions(made, 4)
    add_questions(made, 4, pool="reserved")
    return made
