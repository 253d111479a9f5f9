from __future__ import annotations

from django.urls import path

from practice.handover.views import exports, forgetting

urlpatterns = [
    path("practice/history/forget/", forgetting.forget_guest, name="forget-guest"),
    path("practice/export.json", exports.export_json, name="export-json"),
    path("practice/export.csv", exports.export_csv, name="export-csv"),
]
