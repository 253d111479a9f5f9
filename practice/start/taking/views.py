"""Starting an offline drill, and its page, which the device keeps."""

from __future__ import annotations

import secrets

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from practice.learners.reads.identity import Owner, learner_of, owner_of, set_device_key
from practice.learners.views.guards import exam_or_404, own_origin_only, with_guest
from practice.sessions.errors import TooFewQuestions
from practice.start.taking.reads import taken_page, taken_session
from practice.start.taking.take import SIZE, most_to_take, take_along


@csrf_exempt  # ``_take`` checks the origin instead
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def take(request: HttpRequest, exam_slug: str) -> HttpResponse:
    """What an offline drill is and how many questions it would have; a POST starts it."""
    return _take(request, exam_slug) if request.method == "POST" else _ask(request, exam_slug)


@own_origin_only
@with_guest
def _take(request: HttpRequest, exam_slug: str, owner: Owner) -> HttpResponse:
    try:
        take_along(owner, exam_or_404(exam_slug), secrets.randbits(48), timezone.now())
    except TooFewQuestions as error:
        return _ask(request, exam_slug, error)
    return redirect("taken")


def _ask(request: HttpRequest, exam_slug: str, error: TooFewQuestions | None = None) -> HttpResponse:
    exam = exam_or_404(exam_slug)
    learner = learner_of(request)
    context = {"exam": exam, "exam_slug": exam.slug, "place": "practise", "error": error}
    context |= {"size": most_to_take(learner, exam), "running": taken_session(learner)}
    return render(request, "practice/take.html", context, status=400 if error else 200)


@never_cache
@require_safe
def taken(request: HttpRequest) -> HttpResponse:
    """The whole current offline drill. Its single URL can be opened without a network."""
    session, owner = taken_session(learner_of(request)), owner_of(request)
    if session is None or owner is None:
        return render(request, "practice/taken_none.html", {"place": "practise", "size": SIZE})
    page = taken_page(session)
    response = render(request, "practice/taken.html", {"page": page, "session": session, "exam": session.exam})
    response.headers["Session-State"] = "running"
    get_token(request)  # sets the CSRF cookie, because the kept page contains no token
    set_device_key(response, owner)
    return response
