"""Addresses of questions."""

from __future__ import annotations

from django.urls import path

from questions.views import question_pages

urlpatterns = [
    path("exams/<slug:exam_slug>/questions/<int:number>-<slug:slug>/", question_pages.question, name="question"),
]
