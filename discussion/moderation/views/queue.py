"""The queue: waiting comments, claims, decisions on one or several, and undo."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from discussion.comments.errors import DiscussionError, Refused
from discussion.comments.models.moderation import Reason, SavedReply
from discussion.mail.settle import UNDO_TIME
from discussion.moderation.acts.decide_many import decide_all, undo_all
from discussion.moderation.claim import CLAIM_TIME, let_go, take, take_next
from discussion.moderation.forms import AGES, SORTS, DecisionForm, EntriesForm, IdsForm
from discussion.moderation.reads.log import done_together, log_wanted_of
from discussion.moderation.reads.queue import queue_page
from discussion.moderation.views.access import (
    moderator,
    moderators_only,
    numbers,
    tell_refused,
    to_log,
    to_queue,
    wanted,
    wants_data,
)

NEXT = 10
"""A minute each within CLAIM_TIME; claims on more would expire before they are read."""


@require_safe
@moderators_only
def moderation(request: HttpRequest) -> HttpResponse:
    """The queue, with everything needed for each decision."""
    return show_queue(request)


def show_queue(request: HttpRequest, form: DecisionForm | None = None, status: int = 200) -> HttpResponse:
    """The queue, with whatever was wrong with a decision."""
    done = numbers(request.GET.get("done", ""))
    page = queue_page(moderator(request).pk, timezone.now(), request.GET.get("page", ""), done, wanted(request))
    context = {
        "page": page,
        "form": form,
        "reasons": Reason.choices,
        "ages": AGES,
        "sorts": SORTS,
        "saved_replies": list(SavedReply.objects.all()),
        "undo_seconds": int(UNDO_TIME.total_seconds()),
        "claim_seconds": int(CLAIM_TIME.total_seconds()),
        "place": "queue",
    }
    return render(request, "discussion/queue/queue.html", context, status=status)


@require_POST
@moderators_only
def claim(request: HttpRequest) -> HttpResponse:
    """Claim the selected comments or the next ones shown, or release one's claims."""
    now = timezone.now()
    asked_for = wanted(request)
    if "release" in request.POST:
        let_go(moderator(request))
        return to_queue([], replace(asked_for, mine=False).query)
    if "next" in request.POST:
        asked: list[int] = []
        taken = take_next(NEXT, moderator(request), now, asked_for)
    else:
        form = IdsForm(request.POST)
        asked = form.cleaned_data["comment"] if form.is_valid() else []
        taken = take(asked, moderator(request), now)
    refused = {pk: Refused("not-yours") for pk in asked if pk not in taken}
    if wants_data(request):
        return JsonResponse({"mine": taken, "refused": _words(refused)})
    tell_refused(request, refused)
    return to_queue([], replace(asked_for, mine=True).query)


@require_POST
@moderators_only
def decide_comments(request: HttpRequest) -> HttpResponse:
    """Approve, reject or mark as spam: one comment, or the selected ones."""
    form = DecisionForm(request.POST)
    if not form.is_valid():
        if wants_data(request):
            return JsonResponse({"said": _errors(form)}, status=400)
        return show_queue(request, form, status=400)
    outcome = decide_all(form.cleaned_data["comment"], form.choice(), moderator(request), timezone.now())
    if wants_data(request):
        entries = [entry.pk for entry in outcome.entries]
        return JsonResponse({"entries": entries, "settled": outcome.settled, "refused": _words(outcome.refused)})
    tell_refused(request, outcome.refused)
    return to_queue(outcome.entries, wanted(request).query)


@require_POST
@moderators_only
def undo(request: HttpRequest) -> HttpResponse:
    """Reverse actions: straight away from the queue, or later from the log."""
    form = EntriesForm(request.POST)
    given = form.cleaned_data if form.is_valid() else {"entry": [], "words": "", "together": None}
    ids = given["entry"]
    if given["together"]:
        ids = list(done_together(given["together"]).filter(reversal=None).values_list("pk", flat=True))
    outcome = undo_all(ids, moderator(request), timezone.now(), given["words"])
    if wants_data(request):
        entries = [entry.reverses_id for entry in outcome.entries]
        return JsonResponse({"entries": entries, "refused": _words(outcome.refused)})
    if outcome.entries:
        messages.success(request, f"Undone: {len(outcome.entries)}", extra_tags="undone")
    tell_refused(request, outcome.refused)
    if "log" in request.POST:
        return to_log(log_wanted_of(QueryDict(request.POST["log"])).query)
    return to_queue([], wanted(request).query)


def _words(refused: Mapping[int, DiscussionError]) -> dict[int, str]:
    return {pk: str(error) for pk, error in refused.items()}


def _errors(form: DecisionForm) -> str:
    return " ".join(str(error) for errors in form.errors.values() for error in errors)
