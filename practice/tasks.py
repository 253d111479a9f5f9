"""This app's tasks, each from its own room; Celery finds them here."""

from practice.handover.tasks import let_archives_go, purge_idle_guests
from practice.measurement.calibration.tasks import calibrate
from practice.measurement.health.tasks import measure_items
from practice.readiness.derive.evidence.tasks import forecast_trial, forecast_trials
from practice.readiness.plan.reminders.tasks import send_reminders
from practice.readiness.tasks import analyse_session, analyse_waiting, measure_honesty, refresh_standings
from practice.regrade.tasks import run_regrade, run_regrades
from practice.sessions.ending.tasks import close_expired_sessions
from practice.start.rationing.tasks import purge_networks

__all__ = [
    "analyse_session",
    "analyse_waiting",
    "calibrate",
    "close_expired_sessions",
    "forecast_trial",
    "forecast_trials",
    "let_archives_go",
    "measure_honesty",
    "measure_items",
    "purge_idle_guests",
    "purge_networks",
    "refresh_standings",
    "run_regrade",
    "run_regrades",
    "send_reminders",
]
