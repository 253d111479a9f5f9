from __future__ import annotations

from django.urls import path

from practice.handover.afresh import views as afresh
from practice.handover.views import exports, forgetting

urlpatterns = [
    path("practice/<slug:exam_slug>/afresh/", afresh.afresh, name="afresh"),
    path("practice/<slug:exam_slug>/afresh/undo/", afresh.undo, name="afresh-undo"),
    path("practice/history/forget/", forgetting.forget_guest, name="forget-guest"),
    path("practice/export.json", exports.export_json, name="export-json"),
    path("practice/export.csv", exports.export_csv, name="export-csv"),
]
