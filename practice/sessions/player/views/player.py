"""What the player sends: claims, saves, checks and opened hints."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from practice.learners.enrol import remember_time_zone
from practice.learners.reads.identity import Owner, keep_guest, owner_of
from practice.sessions.errors import NotOpen, NotPossible, NotYours, OlderWriter
from practice.sessions.player import save as saving
from practice.sessions.player.check import check, open_hint
from practice.sessions.player.reads.page import SessionPage, remaining_ms, session_of, session_page
from practice.sessions.player.rules import BadBatch, read_batch, read_time_zone
from practice.sessions.player.views.access import login_ended
from practice.sessions.reads.breakdown import broken_down, may_be_shown
from practice.sessions.reads.siblings import contrastable
from practice.sessions.scoring.reads import keys_in_force

View = Callable[..., HttpResponse]


def answers_in_json(view: View) -> View:
    """A POST by the player: every refusal is an object with its reason.

    400 for what can't be read or done, 403 if the login ended, 404 for somebody else's session, 409 for an older
    writer, 410 if it is over.
    """

    @never_cache
    @require_POST
    @wraps(view)
    def answered(request: HttpRequest, session_uuid: uuid.UUID, **kwargs: Any) -> HttpResponse:
        owner = owner_of(request)
        try:
            if owner is None:
                raise NotYours
            return keep_guest(request, view(request, session_uuid, owner, **kwargs))
        except NotYours:
            if login_ended(request, session_uuid):
                return JsonResponse({"error": "You’ve been signed out.", "login": True}, status=403)
            return JsonResponse({"error": "There is no such session."}, status=404)
        except (BadBatch, NotPossible) as error:
            return JsonResponse({"error": str(error), "code": error.code}, status=400)
        except OlderWriter as error:
            return JsonResponse({"error": str(error), "code": error.code, "writer": error.writer}, status=409)
        except NotOpen as error:
            return JsonResponse({"error": str(error), "code": error.code}, status=410)

    return answered


@answers_in_json
def claim(request: HttpRequest, session_uuid: uuid.UUID, owner: Owner) -> HttpResponse:
    """Make the requesting page the writer, and return the server's state; if the session is over, only that."""
    try:
        session = saving.claim(session_uuid, owner, timezone.now())
    except NotOpen as error:
        return JsonResponse({"over": True, "message": str(error)})
    remember_time_zone(session.learner_id, read_time_zone(request.body))
    return JsonResponse(claimed(session_page(session, timezone.now())))


def claimed(page: SessionPage) -> dict[str, Any]:
    """What a page that has taken over the session needs to know."""
    return {
        "writer": page.session.writer,
        "latest": page.latest,
        "remaining": page.remaining_ms,
        "given": page.session.given_seconds,
        "paused": page.paused,
        "items": [
            {
                "p": item.position,
                "sel": [option.place for option in item.options if option.chosen],
                "out": [option.place for option in item.options if option.struck],
                "flag": item.flagged,
                "conf": item.confidence,
                "sec": item.seconds,
                "done": item.checked,
            }
            for item in page.items
        ],
    }


@answers_in_json
def save(request: HttpRequest, session_uuid: uuid.UUID, owner: Owner) -> HttpResponse:
    """Autosave: a batch of item states, answered item by item."""
    saved = saving.save(session_uuid, owner, read_batch(request.body), timezone.now())
    session = saved.session
    return JsonResponse(
        {
            "saved": saved.saved,
            "late": saved.late,
            "refused": [{"p": refusal.position, "reason": refusal.reason} for refusal in saved.refused],
            "over": session.finished_at is not None,
            "remaining": remaining_ms(session, timezone.now()) if session.is_open else 0,
            "given": session.given_seconds,
        }
    )


@answers_in_json
def check_item(request: HttpRequest, session_uuid: uuid.UUID, owner: Owner) -> HttpResponse:
    """Mark one answer of a drill (a batch of one; ``?reveal=1`` shows the solution) and return its breakdown."""
    batch = read_batch(request.body)
    if len(batch.items) != 1:
        session_of(session_uuid, owner)  # others get a 404, whatever they sent
        raise BadBatch(batch.refused[0].reason if batch.refused else "needs exactly one item")
    item = check(session_uuid, owner, batch.items[0], batch.writer, timezone.now(), "reveal" in request.GET)
    session = item.session
    if not may_be_shown(session, item):
        raise NotPossible("not-marked")
    version, breakdown = broken_down(session, item, keys_in_force([item.version_id])[item.version_id])
    turns = bool(contrastable(session.learner_id, [version]))
    context = {"breakdown": breakdown, "session": session, "position": item.position}
    return render(request, "practice/_checked.html", context | {"marked": {item.position: (breakdown, turns)}})


@answers_in_json
def hint(request: HttpRequest, session_uuid: uuid.UUID, owner: Owner, position: int) -> HttpResponse:
    open_hint(session_uuid, owner, position)
    return HttpResponse(status=204)
