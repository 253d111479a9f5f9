"""One comment with every possible action, the log, and the comment search."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.core.exceptions import ValidationError
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from discussion.comments.errors import DiscussionError
from discussion.comments.models.moderation import Act, LogEntry, Reason, SavedReply
from discussion.moderation.acts.decide import lock_thread, slow_thread, suspend, unlock_thread
from discussion.moderation.acts.decide_many import edit_out_one
from discussion.moderation.forms import DAYS, TAKEN_OUT, EditOutForm, LockForm, SearchForm, SlowForm, SuspendForm
from discussion.moderation.reads.cards import Card
from discussion.moderation.reads.log import log_of, log_page, log_wanted_of
from discussion.moderation.reads.moderators import search_comments
from discussion.moderation.reads.queue import find_card
from discussion.moderation.views.access import moderator, moderators_only, to_queue


@require_safe
@moderators_only
def comment_page(request: HttpRequest, comment_id: int) -> HttpResponse:
    """A comment, its context, what was done about it, and every action."""
    return show_comment(request, _card(request, comment_id))


def show_comment(request: HttpRequest, card: Card, status: int = 200, **forms: Form) -> HttpResponse:
    """The page of a comment, with whatever was wrong with one of its forms."""
    context: dict[str, Any] = {
        "card": card,
        "log": log_of(card.comment),
        "reasons": Reason.choices,
        "taken_out": TAKEN_OUT,
        "edit_form": EditOutForm(initial={"text": card.comment.text}, auto_id="id_edit_%s"),
        "saved_replies": list(SavedReply.objects.all()),
        "lock_form": LockForm(auto_id="id_lock_%s"),
        "slow_form": SlowForm(initial={"minutes": card.slow_minutes}, auto_id="id_slow_%s"),
        "suspend_form": SuspendForm(auto_id="id_suspend_%s"),
    }
    return render(request, "discussion/queue/comment.html", context | forms, status=status)


@require_POST
@moderators_only
def edit_out_comment(request: HttpRequest, comment_id: int) -> HttpResponse:
    """Publish it without the violation; a button per finding removes its words from the text first."""
    card = _card(request, comment_id)
    if "cut" in request.POST:
        text = request.POST.get("text", "").replace("\r\n", "\n").replace(request.POST["cut"], TAKEN_OUT, 1)
        typed = {name: request.POST.get(name, "") for name in ("reason", "words")}
        form = EditOutForm(initial={"text": text, **typed}, auto_id="id_edit_%s")
        return show_comment(request, card, edit_form=form)
    form = EditOutForm(request.POST, auto_id="id_edit_%s")
    return _act(
        request,
        card,
        ("edit_form", form),
        lambda: edit_out_one(comment_id, form.cleaned_data["text"], form.choice(), moderator(request), timezone.now()),
    )


@require_POST
@moderators_only
def lock_comments_thread(request: HttpRequest, comment_id: int) -> HttpResponse:
    """Close or reopen a comment's discussion."""
    card = _card(request, comment_id)
    form = LockForm(request.POST, auto_id="id_lock_%s")
    act = lock_thread if request.POST.get("on") == "1" else unlock_thread
    return _act(
        request,
        card,
        ("lock_form", form),
        lambda: act(card.comment.question_id, moderator(request), timezone.now(), form.cleaned_data["words"]),
    )


@require_POST
@moderators_only
def slow_comments_thread(request: HttpRequest, comment_id: int) -> HttpResponse:
    """Set slow mode for a comment's discussion."""
    card = _card(request, comment_id)
    form = SlowForm(request.POST, auto_id="id_slow_%s")
    by, now = moderator(request), timezone.now()
    return _act(
        request,
        card,
        ("slow_form", form),
        lambda: slow_thread(card.comment.question_id, form.cleaned_data["minutes"], by, now),
    )


@require_POST
@moderators_only
def suspend_author(request: HttpRequest, comment_id: int) -> HttpResponse:
    """Suspend the author until a day."""
    card = _card(request, comment_id)
    author_id = card.comment.author_id
    if author_id is None:
        raise Http404
    form = SuspendForm(request.POST, auto_id="id_suspend_%s")
    return _act(
        request,
        card,
        ("suspend_form", form),
        lambda: suspend(
            author_id,
            form.cleaned_data["until"],
            moderator(request),
            timezone.now(),
            form.cleaned_data["words"],
        ),
    )


@require_safe
@moderators_only
def log(request: HttpRequest) -> HttpResponse:
    """Actions with what they changed; each can be reversed, or several at once."""
    page = log_page(request.GET.get("page", ""), log_wanted_of(request.GET), timezone.now())
    context = {"page": page, "acts": Act.choices, "days": DAYS, "place": "log"}
    return render(request, "discussion/queue/log.html", context)


@require_safe
@moderators_only
def search(request: HttpRequest) -> HttpResponse:
    form = SearchForm(request.GET)
    given = form.cleaned_data if form.is_valid() else {"q": "", "author": "", "state": ""}
    page = search_comments(given["q"], given["author"], given["state"], request.GET.get("page", ""))
    query = request.GET.copy()
    query.pop("page", None)
    context = {"form": form, "page": page, "query": query.urlencode(), "place": "search"}
    return render(request, "discussion/queue/search.html", context)


def _card(request: HttpRequest, comment_id: int) -> Card:
    card = find_card(comment_id, moderator(request).pk, timezone.now())
    if card is None:
        raise Http404
    return card


def _act(request: HttpRequest, card: Card, named: tuple[str, Form], act: Callable[[], LogEntry]) -> HttpResponse:
    """Do it and go to the queue, which offers undo; if it fails, show the form as sent."""
    name, form = named
    if form.is_valid():
        try:
            return to_queue([act()])
        except DiscussionError as error:
            form.add_error(None, ValidationError(str(error), error.code))
    return show_comment(request, card, 400, **{name: form})
