"""The small bank that journeys share, on the live site's database."""

import pytest

from questions.models import Exam
from tests.support.bank import add_questions, make_exam


@pytest.fixture(scope="module")
def exam(live_rows: None) -> Exam:
    made = make_exam()
    add_questions(made, 4)
    add_questions(made, 4, pool="reserved")
    return made
