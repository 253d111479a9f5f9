from __future__ import annotations

from django.urls import path

from questions.reports import views as reports

urlpatterns = [
    path("reports/", reports.reports, name="reports"),
    path("reports/new/<int:question_id>/", reports.new_report, name="report-new"),
    path("reports/<uuid:token>/", reports.report, name="report"),
]
