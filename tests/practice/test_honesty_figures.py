"""The calibration page's figures are stored nightly, equal a fresh computation, and are never computed for a reader."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from practice.models import Forecast, HonestyFigures, Learner, Mode, Outcome, PracticeSession, ToldOutcome
from practice.readiness.derive.honest import measure_honesty
from practice.readiness.derive.rebuild import rebuild_analytics
from practice.readiness.reads.honesty import LEAST, LEAST_TOLD, calibration_page, measured
from tests.support.bank import NOW, make_exam
from tests.support.sessions import seconds

pytestmark = pytest.mark.django_db


@pytest.fixture
def exam():
    return make_exam()


def foretell(exam, count: int, first: int = 0) -> None:
    """Store ``count`` forecasts, three for each learner; every seventh mock was abandoned and tested nothing."""
    for n in range(first, first + count):
        learner, _ = Learner.objects.get_or_create(guest_key=f"g{n // 3}", defaults={"created_at": NOW})
        session = PracticeSession.objects.create(
            learner=learner, exam=exam, mode=Mode.MOCK, started_at=seconds(n), finished_at=seconds(n + 60)
        )
        Forecast.objects.create(
            session=session, exam=exam, answers=30 + n if n % 5 else None, abandoned=n % 7 == 0, chance=n % 10 / 10,
            low=30, high=50, score=25 + n % 30, passed=n % 3 == 0,
        )  # fmt: skip
    ToldOutcome.objects.bulk_create(
        ToldOutcome(exam=exam, band=n % 10, outcome=Outcome.PASSED if n % 2 else Outcome.NOT_PASSED, month=NOW.date())
        for n in range(LEAST_TOLD)
    )


def test_the_stored_figures_equal_the_computed_ones(exam):
    foretell(exam, 2 * LEAST)
    anew = measured(exam)
    assert anew.brier
    assert anew.bands
    assert anew.by_answers
    assert anew.told
    assert measure_honesty(NOW) == 1
    assert calibration_page(exam) == anew


@pytest.mark.parametrize("count", [0, LEAST // 2])
def test_if_predictions_are_too_few_the_stored_figures_say_so(exam, count):
    foretell(exam, count)
    measure_honesty(NOW)
    assert calibration_page(exam) == measured(exam)


def test_the_page_takes_one_statement_and_one_row_however_many_predictions_there_are(exam):
    foretell(exam, 2 * LEAST)
    measure_honesty(NOW)
    with CaptureQueriesContext(connection) as found:
        calibration_page(exam)
    assert len(found) == 1


def test_the_page_shows_the_nightly_figures_until_the_next_night(exam):
    foretell(exam, 2 * LEAST)
    measure_honesty(NOW)
    before = calibration_page(exam)
    foretell(exam, 10, first=2 * LEAST)
    assert calibration_page(exam) == before
    measure_honesty(timezone.now())
    assert calibration_page(exam) == measured(exam) != before


def test_a_new_site_computes_the_figures_when_the_page_is_read(exam):
    foretell(exam, 2 * LEAST)
    assert not HonestyFigures.objects.exists()
    assert calibration_page(exam) == measured(exam)


def test_a_rebuild_computes_the_figures_again(exam):
    HonestyFigures.objects.create(exam=exam, figures={"n": 7}, as_of=NOW)
    rebuild_analytics(NOW)
    assert calibration_page(exam) == measured(exam)
