"""The queue: what waits, who is on it, decisions on one or several, and undoing them."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from discussion.comments.errors import DiscussionError, Refused
from discussion.comments.models.moderation import Reason
from discussion.mail.settle import UNDO_TIME
from discussion.moderation.acts.decide_many import decide_all, undo_all
from discussion.moderation.claim import CLAIM_TIME, let_go, take, take_next
from discussion.moderation.forms import DecisionForm, EntriesForm, IdsForm
from discussion.moderation.reads.queue import queue_page
from discussion.moderation.views.access import moderator, moderators_only, numbers, to_queue, wants_data

NEXT = 10


@require_safe
@moderators_only
def moderation(request: HttpRequest) -> HttpResponse:
    """What waits, with what each is decided by."""
    return show_queue(request)


def show_queue(request: HttpRequest, form: DecisionForm | None = None, status: int = 200) -> HttpResponse:
    """The queue, with whatever was wrong with a decision."""
    only_mine = (request.POST if form else request.GET).get("show") == "mine"
    now = timezone.now()
    page = queue_page(
        moderator(request).pk,
        now,
        request.GET.get("page", ""),
        numbers(request.GET.get("done", "")),
        only_mine=only_mine,
    )
    context = {
        "page": page,
        "form": form,
        "reasons": Reason.choices,
        "undo_seconds": int(UNDO_TIME.total_seconds()),
        "claim_seconds": int(CLAIM_TIME.total_seconds()),
        "place": "queue",
    }
    return render(request, "discussion/queue/queue.html", context, status=status)


@require_POST
@moderators_only
def claim(request: HttpRequest) -> HttpResponse:
    """Take the ticked comments or the next ones, or give back what one has taken."""
    now = timezone.now()
    if "release" in request.POST:
        let_go(moderator(request))
        return to_queue([])
    if "next" in request.POST:
        asked: list[int] = []
        taken = take_next(NEXT, moderator(request), now)
    else:
        form = IdsForm(request.POST)
        asked = form.cleaned_data["comment"] if form.is_valid() else []
        taken = take(asked, moderator(request), now)
    refused = {pk: Refused("not-yours") for pk in asked if pk not in taken}
    if wants_data(request):
        return JsonResponse({"mine": taken, "refused": _words(refused)})
    _tell(request, refused)
    return to_queue([], only_mine=True)


@require_POST
@moderators_only
def decide_comments(request: HttpRequest) -> HttpResponse:
    """Approve, reject or mark as spam: one comment, or those that are ticked."""
    form = DecisionForm(request.POST)
    if not form.is_valid():
        if wants_data(request):
            return JsonResponse({"said": _errors(form)}, status=400)
        return show_queue(request, form, status=400)
    outcome = decide_all(form.cleaned_data["comment"], form.choice(), moderator(request), timezone.now())
    if wants_data(request):
        entries = [entry.pk for entry in outcome.entries]
        return JsonResponse({"entries": entries, "settled": outcome.settled, "refused": _words(outcome.refused)})
    _tell(request, outcome.refused)
    return to_queue(outcome.entries, only_mine=request.POST.get("show") == "mine")


@require_POST
@moderators_only
def undo(request: HttpRequest) -> HttpResponse:
    """Reverse acts: at once from the queue, or any time later from the log."""
    form = EntriesForm(request.POST)
    ids, words = (form.cleaned_data["entry"], form.cleaned_data["words"]) if form.is_valid() else ([], "")
    outcome = undo_all(ids, moderator(request), timezone.now(), words)
    if wants_data(request):
        entries = [entry.reverses_id for entry in outcome.entries]
        return JsonResponse({"entries": entries, "refused": _words(outcome.refused)})
    if outcome.entries:
        messages.success(request, "Undone.", extra_tags="undone")
    _tell(request, outcome.refused)
    return to_queue([], only_mine=request.POST.get("show") == "mine")


def _tell(request: HttpRequest, refused: Mapping[int, DiscussionError]) -> None:
    """Say on the next page what was not done, each reason once."""
    for words, error in {str(error): error for error in refused.values()}.items():
        messages.warning(request, f"Not done: {words}", extra_tags=error.code)


def _words(refused: Mapping[int, DiscussionError]) -> dict[int, str]:
    return {pk: str(error) for pk, error in refused.items()}


def _errors(form: DecisionForm) -> str:
    return " ".join(str(error) for errors in form.errors.values() for error in errors)
