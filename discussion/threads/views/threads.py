"""Reading: a question's thread, and single conversations."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from discussion.comments.models.comments import Comment
from discussion.comments.rules.quoting import quoted
from discussion.threads.forms import CommentForm, ReplyForm
from discussion.threads.reads import Thread, conversation, question_by_id, thread_page
from discussion.threads.views.access import is_fragment, kept_for_strangers, may_read, with_comment_or_stub, with_thread

SAID = {
    "posted": "Your comment has been posted.",
    "held": "Thank you. A moderator will read your comment before others see it.",
    "changed": "Changed.",
    "deleted": "Deleted.",
    "reported": "Thank you. A moderator will look at it.",
    "known": "You’ve already reported this comment.",
    "follows": "We’ll email you when someone replies here.",
    "follows-no-more": "We won’t email you about this.",
    "voted": "Marked as helpful.",
    "not-voted": "Vote removed.",
    "own": "This is your own comment.",
}


@kept_for_strangers
@require_safe
@with_thread
def thread(request: HttpRequest, thread: Thread) -> HttpResponse:
    """The comments: a fragment for the question's page, or a separate page."""
    return show_thread(request, thread)


@kept_for_strangers
@require_safe
def short_thread(request: HttpRequest, question_id: int) -> HttpResponse:
    """A thread's short URL redirects to the full one; 404 if it may not be read."""
    question = question_by_id(question_id)
    if question is None or not may_read(request, question):
        raise Http404
    return redirect("thread", question.exam.slug, question.pk)


@kept_for_strangers
@require_safe
@with_comment_or_stub
def comment(request: HttpRequest, thread: Thread, comment: Comment) -> HttpResponse:
    quotes = "quote" in request.GET and thread.writer.may_write and comment.is_readable
    form = ReplyForm(thread, initial={"text": _quote(comment)}) if quotes else None
    return show_conversation(request, thread, comment, form)


def _quote(comment: Comment) -> str:
    """The comment quoted at the start of a reply."""
    return quoted(comment.text, comment.author.get_short_name() if comment.author else "")


def show_thread(
    request: HttpRequest, thread: Thread, form: CommentForm | None = None, status: int = 200, preview: str = ""
) -> HttpResponse:
    """The thread with its composer, which keeps what was typed."""
    page = thread_page(thread, request.GET.get("sort", ""), request.GET.get("after", ""), timezone.now())
    context = {
        "thread": thread,
        "page": page,
        "form": form or CommentForm(thread),
        "is_open": form is not None,
        "preview": preview,
        "said": SAID.get(request.GET.get("said", ""), ""),
        "exam": thread.question.exam,
    }
    template = "discussion/_thread.html" if is_fragment(request) else "discussion/thread.html"
    return render(request, template, context, status=status)


def show_conversation(
    request: HttpRequest,
    thread: Thread,
    comment: Comment,
    form: ReplyForm | None = None,
    status: int = 200,
    preview: str = "",
) -> HttpResponse:
    """A conversation with the reply composer, which keeps what was typed."""
    context = {
        "thread": thread,
        "page": conversation(thread, comment, timezone.now()),
        "form": form or ReplyForm(thread),
        "preview": preview,
        "said": SAID.get(request.GET.get("said", ""), ""),
        "exam": thread.question.exam,
    }
    return render(request, "discussion/conversation.html", context, status=status)
