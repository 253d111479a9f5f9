from __future__ import annotations

from django.urls import path

from practice.readiness.check import views as check
from practice.readiness.derive.evidence import views as evidence
from practice.readiness.views import feed, hub, objectives, plan, reminders
from practice.readiness.views import honesty as calibration
from practice.readiness.views import page as readiness

urlpatterns = [
    path("practice/trial/", evidence.trial, name="trial"),  # before exams; no exam can have this slug
    path("practice/<slug:exam_slug>/", hub.hub, name="hub"),
    path("practice/<slug:exam_slug>/check/", check.start_check, name="start-check"),
    path("practice/sessions/<uuid:session_uuid>/question/", check.question, name="check-question"),
    path("practice/<slug:exam_slug>/readiness/", readiness.readiness, name="readiness"),
    path("practice/<slug:exam_slug>/objectives/", objectives.objective_estimates, name="objective-estimates"),
    path("practice/<slug:exam_slug>/plan/", plan.plan, name="plan"),
    path("practice/<slug:exam_slug>/plan/read/", plan.plan_read, name="plan-read"),
    path("practice/<slug:exam_slug>/plan/calendar/", feed.keep_feed, name="plan-feed"),
    path("practice/<slug:exam_slug>/plan/reminders/", reminders.keep_reminders, name="plan-reminders"),
    path("plans/<uuid:token>/calendar.ics", feed.calendar, name="plan-calendar"),
    path("plans/<uuid:token>/unsubscribe/", reminders.unsubscribe, name="plan-unsubscribe"),
    path("practice/<slug:exam_slug>/outcome/", readiness.outcome, name="outcome"),
    path("exams/<slug:exam_slug>/evidence/", evidence.evidence, name="evidence"),
    path("exams/<slug:exam_slug>/calibration/", calibration.calibration, name="calibration"),
]
