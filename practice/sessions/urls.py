from __future__ import annotations

from django.urls import path

from practice.sessions.player.paper import views as paper
from practice.sessions.player.views import answers, contrasts, device, player
from practice.sessions.player.views import page as sessions
from practice.sessions.results.views import reports, results

urlpatterns = [
    path("practice/sessions/worker.js", device.worker, name="worker"),
    path("practice/sessions/app/", device.app, name="app"),
    path("practice/sessions/<uuid:session_uuid>/", sessions.session, name="session"),
    path("practice/sessions/<uuid:session_uuid>/device/", device.device_page, name="device"),
    path("practice/sessions/<uuid:session_uuid>/claim/", player.claim, name="claim"),
    path("practice/sessions/<uuid:session_uuid>/save/", player.save, name="save"),
    path("practice/sessions/<uuid:session_uuid>/check/", player.check_item, name="check"),
    path("practice/sessions/<uuid:session_uuid>/hints/<int:position>/", player.hint, name="hint"),
    path("practice/sessions/<uuid:session_uuid>/items/<int:position>/report/", reports.report_item, name="report-item"),
    path(
        "practice/sessions/<uuid:session_uuid>/items/<int:position>/changes/",
        results.item_changes_page,
        name="item-changes",
    ),
    path("practice/sessions/<uuid:session_uuid>/items/<int:position>/contrast/", contrasts.contrast, name="contrast"),
    path(
        "practice/sessions/<uuid:session_uuid>/items/<int:position>/contrast/<uuid:answer>/report/",
        reports.report_variant,
        name="report-variant",
    ),
    path("practice/sessions/<uuid:session_uuid>/finish/", sessions.finish_session, name="finish"),
    path("practice/sessions/<uuid:session_uuid>/pause/", sessions.pause_session, name="pause"),
    path("practice/sessions/<uuid:session_uuid>/discard/", sessions.discard_session, name="discard"),
    path("practice/sessions/<uuid:session_uuid>/results/", results.results, name="results"),
    path("practice/sessions/<uuid:session_uuid>/booklet/", paper.booklet, name="booklet"),
    path("practice/sessions/<uuid:session_uuid>/sheet/", paper.sheet, name="sheet"),
    path("practice/sessions/<uuid:session_uuid>/results.csv", results.results_csv, name="results-csv"),
    path("practice/sessions/<uuid:session_uuid>/result.png", results.results_picture, name="results-picture"),
    path("practice/history/", results.history, name="history"),
    path("practice/<slug:exam_slug>/answer/", answers.answer, name="answer"),
]
