"""The sitting: its page, and everything the page sends."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from practice import saving
from practice.checking import check, open_hint
from practice.errors import NotOpen, NotPossible, NotYours, OlderWriter
from practice.finishing import close_if_expired, finish
from practice.forms import changed_states, form_state
from practice.guards import own_origin_or_token
from practice.identity import Owner, owner_of
from practice.learners import remember_time_zone
from practice.models import Mode, PracticeSession
from practice.selectors.results import item_breakdown
from practice.selectors.sittings import SittingPage, remaining_ms, sitting_of, sitting_page
from practice.starting import discard
from practice.wire import BadBatch, Batch, read_batch, read_time_zone


def owner_or_404(request: HttpRequest) -> Owner:
    """Whoever asks; a visitor without any sitting gets the same answer as for a wrong address."""
    owner = owner_of(request)
    if owner is None:
        raise Http404
    return owner


def mine_or_404(request: HttpRequest, session_uuid: uuid.UUID) -> PracticeSession:
    """The asker's sitting, closed first where its time is over (the one write a GET may do)."""
    try:
        session = sitting_of(session_uuid, owner_of(request))
    except NotYours as error:
        raise Http404 from error
    return close_if_expired(session, timezone.now())


@own_origin_or_token
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sitting(request: HttpRequest, session_uuid: uuid.UUID) -> HttpResponse:
    """The running sitting; over: its results. A POST is a save of the whole page without script."""
    if request.method == "POST":
        return save_form(request, session_uuid)
    session = mine_or_404(request, session_uuid)
    if session.discarded_at:
        return render(request, "practice/discarded.html", {"session": session, "exam": session.exam})
    if session.finished_at:
        return redirect("results", session.uuid)
    return _render(request, sitting_page(session, timezone.now()))


def _render(request: HttpRequest, page: SittingPage, **extra: Any) -> HttpResponse:
    context = {"page": page, "session": page.session, "exam": page.session.exam, **extra}
    return render(request, "practice/sitting.html", context)


def save_form(request: HttpRequest, session_uuid: uuid.UUID) -> HttpResponse:
    """Save what this page changed, then come back to the same place, or go on to the finish page or a check."""
    session = mine_or_404_post(request, session_uuid)
    if isinstance(session, HttpResponse):
        return session
    owner = owner_or_404(request)
    states = changed_states(session, request.POST)
    take = "take_over" in request.POST
    try:
        saved = saving.save_page(session_uuid, owner, form_state(request.POST), states, timezone.now(), take)
    except OlderWriter:
        context = {"session": session, "exam": session.exam, "count": len(states), "fields": _fields(request)}
        return render(request, "practice/take_over.html", context, status=409)
    except NotOpen:
        return redirect("sitting", session_uuid)
    if saved.session.finished_at:
        return redirect("results", session_uuid)
    return _after_save(request, saved.session, owner)


def mine_or_404_post(request: HttpRequest, session_uuid: uuid.UUID) -> PracticeSession | HttpResponse:
    """The sitting to save into; a login that ended gets a page that holds what was typed."""
    try:
        return sitting_of(session_uuid, owner_of(request))
    except NotYours as error:
        if PracticeSession.objects.filter(uuid=session_uuid, learner__user__isnull=False).exists() and (
            not request.user.is_authenticated
        ):
            context = {"fields": _fields(request), "session_uuid": session_uuid}
            return render(request, "practice/signed_out.html", context, status=403)
        raise Http404 from error


def _fields(request: HttpRequest) -> list[tuple[str, str]]:
    hidden = ("csrfmiddlewaretoken", "take_over")
    return [(name, value) for name, values in request.POST.lists() if name not in hidden for value in values]


def _after_save(request: HttpRequest, session: PracticeSession, owner: Owner) -> HttpResponse:
    place = request.POST.get("place", "1")
    if "finish" in request.POST:
        return redirect("finish", session.uuid)
    if "pause" in request.POST:
        return _pause(session.uuid, owner)
    for name, reveal in (("check", False), ("reveal", True)):
        if name in request.POST:
            return _check_form(request, session, owner, request.POST[name], reveal)
    return redirect(f"{session.get_absolute_url()}#q{place if place.isdigit() else 1}")


def _pause(session_uuid: uuid.UUID, owner: Owner) -> HttpResponse:
    try:
        saving.pause(session_uuid, owner, timezone.now())
    except NotPossible as error:
        return HttpResponse(str(error), status=400, content_type="text/plain")
    return redirect("sitting", session_uuid)


def _check_form(
    request: HttpRequest, session: PracticeSession, owner: Owner, position: str, reveal: bool
) -> HttpResponse:
    state = changed_states(session, request.POST, only=int(position) if position.isdigit() else 0)
    try:
        if state:
            check(session.uuid, owner, state[0], None, timezone.now(), reveal)
    except (NotPossible, NotOpen) as error:
        page = sitting_page(session, timezone.now())
        return _render(request, page, error=str(error), error_at=int(position))
    return redirect(f"{session.get_absolute_url()}#q{position}")


@never_cache
@require_POST
def claim(request: HttpRequest, session_uuid: uuid.UUID) -> HttpResponse:
    """Make the asking page the writer, and tell it what the server holds."""
    session = _json_sitting(request, session_uuid)
    if isinstance(session, HttpResponse):
        return session
    try:
        session = saving.claim(session_uuid, owner_or_404(request), timezone.now())
    except NotOpen as error:
        return JsonResponse({"over": True, "message": str(error)}, status=200)
    remember_time_zone(session.learner_id, read_time_zone(request.body))
    page = sitting_page(session, timezone.now())
    return JsonResponse(
        {
            "writer": session.writer,
            "remaining": page.remaining_ms,
            "paused": page.paused,
            "items": [
                {
                    "p": item.position,
                    "sel": [option.place for option in item.options if option.chosen],
                    "out": [option.place for option in item.options if option.struck],
                    "flag": item.flagged,
                    "conf": item.confidence,
                    "sec": item.seconds,
                }
                for item in page.items
            ],
        }
    )


@never_cache
@require_POST
def save(request: HttpRequest, session_uuid: uuid.UUID) -> HttpResponse:
    """Autosave: a batch of item states. 409 for an older writer, 403 for a login that ended."""
    owner = owner_of(request)
    try:
        batch: Batch = read_batch(request.body)
        if owner is None:
            raise NotYours
        saved = saving.save(session_uuid, owner, batch, timezone.now())
    except BadBatch as error:
        return JsonResponse({"error": str(error)}, status=400)
    except NotYours:
        return _not_yours(request, session_uuid)
    except OlderWriter as error:
        return JsonResponse({"error": str(error), "writer": error.writer}, status=409)
    except NotOpen as error:
        return JsonResponse({"error": str(error)}, status=410)
    session = saved.session
    return JsonResponse(
        {
            "saved": saved.saved,
            "late": saved.late,
            "refused": [{"p": refusal.position, "reason": refusal.reason} for refusal in saved.refused],
            "over": session.finished_at is not None,
            "remaining": remaining_ms(session, timezone.now()) if session.is_open else 0,
        }
    )


def _not_yours(request: HttpRequest, session_uuid: uuid.UUID) -> JsonResponse:
    """A user's sitting asked for by nobody: the login ended. Anybody else: no such sitting."""
    of_user = PracticeSession.objects.filter(uuid=session_uuid, learner__user__isnull=False).exists()
    if of_user and not request.user.is_authenticated:
        return JsonResponse({"error": "Your login has ended.", "login": True}, status=403)
    return JsonResponse({"error": "There is no such sitting."}, status=404)


def _json_sitting(request: HttpRequest, session_uuid: uuid.UUID) -> PracticeSession | HttpResponse:
    try:
        return sitting_of(session_uuid, owner_of(request))
    except NotYours:
        return _not_yours(request, session_uuid)


@never_cache
@require_POST
def check_item(request: HttpRequest, session_uuid: uuid.UUID) -> HttpResponse:
    """Judge one answer of a drill (a batch of one; ``?reveal=1`` shows the solution) and return its breakdown."""
    session = _json_sitting(request, session_uuid)
    if isinstance(session, HttpResponse):
        return session
    try:
        batch = read_batch(request.body)
        if len(batch.items) != 1:
            raise BadBatch(batch.refused[0].reason if batch.refused else "needs exactly one item")
        reveal = "reveal" in request.GET
        item = check(session_uuid, owner_or_404(request), batch.items[0], batch.writer, timezone.now(), reveal)
    except (BadBatch, NotPossible) as error:
        return JsonResponse({"error": str(error)}, status=400)
    except NotOpen as error:
        return JsonResponse({"error": str(error)}, status=410)
    return _breakdown(request, session, item.position)


def _breakdown(request: HttpRequest, session: PracticeSession, position: int) -> HttpResponse:
    found = item_breakdown(session, position)
    if found is None:
        raise Http404
    return render(request, "practice/_breakdown.html", {"breakdown": found[2]})


@never_cache
@require_POST
def hint(request: HttpRequest, session_uuid: uuid.UUID, position: int) -> HttpResponse:
    """Record that a drill's hint was opened."""
    try:
        open_hint(session_uuid, owner_or_404(request), position)
    except NotYours as error:
        raise Http404 from error
    except NotPossible as error:
        return JsonResponse({"error": str(error)}, status=400)
    return HttpResponse(status=204)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def finish_sitting(request: HttpRequest, session_uuid: uuid.UUID) -> HttpResponse:
    """GET lists what is open; POST hands in."""
    session = mine_or_404(request, session_uuid)
    if request.method == "POST":
        try:
            finish(session_uuid, owner_or_404(request), timezone.now())
        except NotOpen:
            return redirect("sitting", session_uuid)
        return redirect("results", session_uuid)
    if not session.is_open:
        return redirect("sitting", session_uuid)
    page = sitting_page(session, timezone.now())
    return render(request, "practice/finish.html", {"page": page, "session": session, "exam": session.exam})


@never_cache
@require_POST
def pause_sitting(request: HttpRequest, session_uuid: uuid.UUID) -> HttpResponse:
    """Stop the clock of a pausable mock, or let it run again."""
    try:
        step = saving.resume if "resume" in request.POST else saving.pause
        step(session_uuid, owner_or_404(request), timezone.now())
    except NotYours as error:
        raise Http404 from error
    except (NotPossible, NotOpen) as error:
        return HttpResponse(str(error), status=400, content_type="text/plain")
    return redirect("sitting", session_uuid)


@never_cache
@require_POST
def discard_sitting(request: HttpRequest, session_uuid: uuid.UUID) -> HttpResponse:
    """Throw an open sitting away."""
    try:
        session = discard(session_uuid, owner_or_404(request), timezone.now())
    except NotYours as error:
        raise Http404 from error
    if session.mode == Mode.MOCK and session.discarded_at:
        return redirect("mock", session.exam.slug)
    return redirect("sitting", session_uuid)
