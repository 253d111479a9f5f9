"""Addresses of the public pages."""

from __future__ import annotations

from django.urls import path

from questions.views import exam_pages, question_pages

urlpatterns = [
    path("exams/", exam_pages.exams, name="exams"),
    path("exams/<slug:exam_slug>/", exam_pages.exam, name="exam"),
    path("exams/<slug:exam_slug>/questions/", exam_pages.questions, name="questions"),
    path("exams/<slug:exam_slug>/questions/<int:number>-<slug:slug>/", question_pages.question, name="question"),
    path("exams/<slug:exam_slug>/domains/<slug:domain_key>/", exam_pages.domain, name="domain"),
    path("exams/<slug:exam_slug>/topics/<slug:slug>/", exam_pages.topic, name="topic"),
    path("exams/<slug:exam_slug>/modules/<int:number>-<slug:slug>/", exam_pages.module, name="module"),
]
