"""The home of the editors' desk: what is waiting, each list with its count and first lines."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone

from questions.desk.admin.editor import FOLDER
from questions.desk.mail.reads import wants_mail
from questions.desk.mail.send import switch_mail
from questions.desk.reads.worklists import BY_CHANCE, LEAST_OF_OBJECTIVE, desk_home
from questions.versions.material.sources.reads import dead_sources

MOST_SOURCES = 200
"""More dead pages than this mean that a vendor has moved its whole documentation, which nobody fixes line by line."""


def home(request: HttpRequest, around: dict[str, Any]) -> HttpResponse:
    """Everything waiting for an editor."""
    context = {"page": desk_home(request.user, timezone.localdate()), "title": "Desk", "least": LEAST_OF_OBJECTIVE}
    context |= {"wants_mail": wants_mail(request.user), "by_chance": BY_CHANCE}
    return TemplateResponse(request, f"{FOLDER}/desk.html", {**around, **context, "is_nav_sidebar_enabled": False})


def mail(request: HttpRequest) -> HttpResponse:
    """Turn the desk's emails on or off."""
    by: Any = request.user
    wanted = request.POST.get("mail") == "on"
    switch_mail(by, wanted)
    messages.success(request, "Emails are on." if wanted else "Emails are off.", "mail")
    return redirect("admin:questions_question_desk")


def sources(request: HttpRequest, around: dict[str, Any]) -> HttpResponse:
    """The cited pages that are dead, with the questions that cite them."""
    context = {"sources": dead_sources(MOST_SOURCES), "title": "Dead sources"}
    return TemplateResponse(request, f"{FOLDER}/sources.html", {**around, **context})
