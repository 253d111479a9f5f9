"""What runs beside the requests; each body calls the one write function it is named for."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone


@shared_task(name="practice.close_expired_sessions")
def close_expired_sessions() -> int:
    """Close the sittings whose time is over and whose owner did not come back."""
    from practice.finishing import close_expired

    return close_expired(timezone.now())


@shared_task(name="practice.analyse_session")
def analyse_session(session_id: int) -> bool:
    """Analyse a finished sitting, once."""
    from practice.analysis import analyse

    return analyse(session_id, timezone.now())


@shared_task(name="practice.analyse_waiting")
def analyse_waiting() -> int:
    """Analyse the sittings whose own task was lost."""
    from practice.analysis import analyse_waiting as analyse_all

    return analyse_all(timezone.now())


@shared_task(name="practice.calibrate")
def calibrate() -> int:
    """Calibrate every exam from its first exposures."""
    from practice.calibrating import calibrate_all

    return calibrate_all(timezone.now)


@shared_task(name="practice.refresh_standings")
def refresh_standings() -> int:
    """Bring what is said of each learner to today: time away counts."""
    from practice.analysis import refresh_standings as refresh_all

    return refresh_all(timezone.now())


@shared_task(name="practice.purge_idle_guests")
def purge_idle_guests() -> int:
    """Forget the guests who have not answered for as long as their cookie lives."""
    from practice.forgetting import purge_idle_guests as purge

    return purge(timezone.now())


@shared_task(name="practice.purge_networks")
def purge_networks() -> int:
    """Forget the networks of guests after two days."""
    from practice.rationing import purge_networks as purge

    return purge(timezone.now())


@shared_task(name="practice.run_regrade")
def run_regrade(regrade_id: int) -> int:
    """Bring every sitting up to a regrade."""
    from practice.regrading import run

    return run(regrade_id, timezone.now())


@shared_task(name="practice.run_regrades")
def run_regrades() -> int:
    """Go on with the regrades whose own task was lost."""
    from practice.regrading import run_waiting

    return run_waiting(timezone.now())
