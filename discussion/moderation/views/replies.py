"""Saved replies, shared by all moderators, and figures of their work."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from discussion.comments.errors import DiscussionError
from discussion.comments.models.moderation import SavedReply
from discussion.moderation.acts.replies import drop_reply, keep_reply
from discussion.moderation.forms import SavedReplyForm
from discussion.moderation.reads.figures import figures
from discussion.moderation.views.access import moderator, moderators_only


@require_http_methods(["GET", "HEAD", "POST"])
@moderators_only
def replies(request: HttpRequest) -> HttpResponse:
    """All saved replies, and a form to add one."""
    return _reply(request, None)


@require_http_methods(["GET", "HEAD", "POST"])
@moderators_only
def reply(request: HttpRequest, reply_id: int) -> HttpResponse:
    """Change a saved reply."""
    row = SavedReply.objects.filter(pk=reply_id).first()
    if row is None:
        raise Http404
    return _reply(request, row)


@require_POST
@moderators_only
def drop(request: HttpRequest, reply_id: int) -> HttpResponse:
    drop_reply(reply_id, moderator(request), timezone.now())
    return redirect("moderation-replies")


@require_safe
@moderators_only
def figures_page(request: HttpRequest) -> HttpResponse:
    """How long decisions take, how many are reversed, and how much by newcomers is queued."""
    context = {"figures": figures(timezone.now()), "place": "figures"}
    return render(request, "discussion/queue/figures.html", context)


def _reply(request: HttpRequest, row: SavedReply | None) -> HttpResponse:
    form = SavedReplyForm(request.POST or None, initial={"title": row.title, "text": row.text} if row else {})
    if request.method == "POST" and form.is_valid():
        try:
            data = form.cleaned_data
            keep_reply(data["title"], data["text"], moderator(request), timezone.now(), row.pk if row else None)
            return redirect("moderation-replies")
        except DiscussionError as error:
            form.add_error("title", ValidationError(str(error), error.code))
    context: dict[str, Any] = {"form": form, "reply": row, "place": "replies"}
    context["replies"] = SavedReply.objects.select_related("changed_by")
    return render(request, "discussion/queue/replies.html", context, status=400 if request.method == "POST" else 200)
