"""Reporting an error in a question that a session has shown with its solution."""

from __future__ import annotations

import uuid

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from practice.sessions.models import PracticeSession
from practice.sessions.player.reads.contrasts import answered_variant
from practice.sessions.player.views.access import with_session
from practice.sessions.reads.breakdown import item_breakdown
from questions.reports.reads.reports import shown_target
from questions.reports.views import take_report


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@with_session
def report_item(request: HttpRequest, session: PracticeSession, position: int) -> HttpResponse:
    """The report form for a marked question, including reserved ones; 404 for one not marked yet."""
    found = item_breakdown(session, position)
    if found is None:
        raise Http404
    item, version, _ = found
    back = reverse("breakdown", args=[session.uuid, position])
    name = f"{session.exam.code}, question {position} of your session"
    trail = f"?session={session.uuid}&item={position}"
    return take_report(request, shown_target(version, item.option_order, name, back, trail))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@with_session
def report_variant(request: HttpRequest, session: PracticeSession, position: int, answer: uuid.UUID) -> HttpResponse:
    """The report form for an answered variant of a marked question."""
    found = answered_variant(session, position, answer)
    if found is None:
        raise Http404
    item = found[1]
    back = reverse("contrast-answer", args=[session.uuid, position, answer])
    name = f"{session.exam.code}, variant of question {position} of your session"
    trail = f"?session={session.uuid}&item={position}&variant={answer}"
    return take_report(request, shown_target(item.version, item.option_order, name, back, trail))
