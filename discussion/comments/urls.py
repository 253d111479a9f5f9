from __future__ import annotations

from django.urls import path

from discussion.comments import views as exports

urlpatterns = [
    path("discussion/export.json", exports.own_words, name="export-discussion"),
]
