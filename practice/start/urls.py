from __future__ import annotations

from django.urls import path

from practice.start import views as mocks

urlpatterns = [
    path("practice/<slug:exam_slug>/mock/", mocks.mock, name="mock"),
]
