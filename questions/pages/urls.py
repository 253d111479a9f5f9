from __future__ import annotations

from django.urls import path

from courseiva.common.moved import moved
from questions.pages.errata import views as errata
from questions.pages.glossary.views import glossary
from questions.pages.objectives.views import case_package, objectives
from questions.pages.views import exams as exam_pages
from questions.pages.views import feeds
from questions.pages.views import modules as module_pages
from questions.pages.views import questions as question_pages

urlpatterns = [
    path("errata/", errata.errata, name="errata"),
    path("errata/feed.atom", errata.errata_feed, name="errata-feed"),
    path("errata/errata.json", errata.errata_json, name="errata-json"),
    path("glossary/", glossary, name="glossary"),
    path("exams/", exam_pages.exams, name="exams"),
    path("exams/<slug:exam_slug>/", exam_pages.exam, name="exam"),
    path("exams/<slug:exam_slug>/questions/", exam_pages.questions, name="questions"),
    path("exams/<slug:exam_slug>/questions/<int:number>-<slug:slug>/", question_pages.question, name="question"),
    path("exams/<slug:exam_slug>/domains/<slug:domain_key>/", exam_pages.domain, name="domain"),
    path("exams/<slug:exam_slug>/concepts/<slug:slug>/", exam_pages.concept, name="concept"),
    path("exams/<slug:exam_slug>/topics/<slug:slug>/", moved(exam_pages.concept, "concept")),
    path("exams/<slug:exam_slug>/objectives/", objectives, name="objectives"),
    path("exams/<slug:exam_slug>/objectives/<str:guide>/", objectives, name="objectives-of"),
    path("exams/<slug:exam_slug>/objectives/<str:guide>/case.json", case_package, name="objectives-case"),
    path("exams/<slug:exam_slug>/collections/", exam_pages.collections, name="collections"),
    path("exams/<slug:exam_slug>/collections/<slug:slug>/", exam_pages.collection, name="collection"),
    path("exams/<slug:exam_slug>/feed.atom", feeds.feed, name="feed"),
    path("exams/<slug:exam_slug>/modules/<int:number>-<slug:slug>/", module_pages.module, name="module"),
    path(
        "exams/<slug:exam_slug>/modules/<int:number>-<slug:slug>/notebook/",
        module_pages.notebook,
        name="module-notebook",
    ),
]
