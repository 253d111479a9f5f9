"""Addresses of practice."""

from __future__ import annotations

from django.urls import path

from practice.handover.views import exports, forgetting
from practice.notebook.views import choice, items, misses, modules, notebook
from practice.readiness.views import honesty as calibration
from practice.readiness.views import hub
from practice.readiness.views import page as readiness
from practice.sessions.player.views import answers, device, player
from practice.sessions.player.views import page as sittings
from practice.sessions.results.views import reports, results
from practice.start import views as mocks

urlpatterns = [
    path("my-exam/", choice.my_exam, name="my-exam"),
    path("my-exam/places/", choice.my_places, name="my-places"),
    path("my-exam/<slug:place>/", choice.my_place, name="my-place"),
    path("practice/sessions/worker.js", device.worker, name="worker"),
    path("practice/sessions/<uuid:session_uuid>/", sittings.sitting, name="sitting"),
    path("practice/sessions/<uuid:session_uuid>/device/", device.device_page, name="device"),
    path("practice/sessions/<uuid:session_uuid>/claim/", player.claim, name="claim"),
    path("practice/sessions/<uuid:session_uuid>/save/", player.save, name="save"),
    path("practice/sessions/<uuid:session_uuid>/check/", player.check_item, name="check"),
    path("practice/sessions/<uuid:session_uuid>/hints/<int:position>/", player.hint, name="hint"),
    path("practice/sessions/<uuid:session_uuid>/items/<int:position>/", items.breakdown, name="breakdown"),
    path("practice/sessions/<uuid:session_uuid>/items/<int:position>/note/", notebook.note, name="note"),
    path("practice/sessions/<uuid:session_uuid>/items/<int:position>/bookmark/", notebook.bookmark, name="bookmark"),
    path("practice/sessions/<uuid:session_uuid>/items/<int:position>/miss/", misses.miss, name="miss"),
    path("practice/sessions/<uuid:session_uuid>/items/<int:position>/report/", reports.report_item, name="report-item"),
    path(
        "practice/sessions/<uuid:session_uuid>/items/<int:position>/changes/",
        results.item_changes_page,
        name="item-changes",
    ),
    path("practice/sessions/<uuid:session_uuid>/finish/", sittings.finish_sitting, name="finish"),
    path("practice/sessions/<uuid:session_uuid>/pause/", sittings.pause_sitting, name="pause"),
    path("practice/sessions/<uuid:session_uuid>/discard/", sittings.discard_sitting, name="discard"),
    path("practice/sessions/<uuid:session_uuid>/results/", results.results, name="results"),
    path("practice/sessions/<uuid:session_uuid>/booklet/", results.booklet, name="booklet"),
    path("practice/sessions/<uuid:session_uuid>/results.csv", results.results_csv, name="results-csv"),
    path("practice/history/", results.history, name="history"),
    path("practice/history/forget/", forgetting.forget_guest, name="forget-guest"),
    path("practice/export.json", exports.export_json, name="export-json"),
    path("practice/export.csv", exports.export_csv, name="export-csv"),
    path("practice/<slug:exam_slug>/", hub.hub, name="hub"),
    path("practice/<slug:exam_slug>/drill/", hub.drill, name="drill"),
    path("practice/<slug:exam_slug>/mock/", mocks.mock, name="mock"),
    path("practice/<slug:exam_slug>/readiness/", readiness.readiness, name="readiness"),
    path("practice/<slug:exam_slug>/plan/", readiness.plan, name="plan"),
    path("practice/<slug:exam_slug>/outcome/", readiness.outcome, name="outcome"),
    path("exams/<slug:exam_slug>/calibration/", calibration.calibration, name="calibration"),
    path("practice/<slug:exam_slug>/answer/", answers.answer, name="answer"),
    path("practice/<slug:exam_slug>/modules/", modules.module_marks, name="module-marks"),
    path("practice/<slug:exam_slug>/modules/<int:number>/", modules.module_read_state, name="module-mark"),
    path("practice/<slug:exam_slug>/modules/<int:number>/read/", modules.mark_module, name="module-read"),
]
