from __future__ import annotations

from django.urls import path

from practice.start import views as mocks
from practice.start.builder import views as builder
from practice.start.taking import views as taking

urlpatterns = [
    path("practice/sessions/taken/", taking.taken, name="taken"),
    path("practice/<slug:exam_slug>/take/", taking.take, name="take"),
    path("practice/<slug:exam_slug>/mock/", mocks.mock, name="mock"),
    path("practice/<slug:exam_slug>/build/", builder.builder, name="builder"),
    path("practice/<slug:exam_slug>/drill/", builder.drill, name="drill"),
    path("practice/<slug:exam_slug>/presets/", builder.preset, name="preset"),
    path("practice/<slug:exam_slug>/presets/<int:preset_id>/drop/", builder.preset_drop, name="preset-drop"),
]
