"""Reactions to others' comments: helpful, report, follow; and unsubscribing."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from discussion.comments.errors import DiscussionError, TooMany
from discussion.comments.models.comments import Comment
from discussion.mail.follow import follow, stop, unfollow
from discussion.reactions.forms import CommentReportForm
from discussion.reactions.vote import vote
from discussion.threads.reads import Thread, own_report
from discussion.threads.views.access import is_fragment, signed_in, with_comment


@never_cache
@require_POST
@with_comment
@signed_in
def helpful(request: HttpRequest, thread: Thread, comment: Comment) -> HttpResponse:
    """Mark a comment as helpful, or unmark it."""
    on = request.POST.get("on") == "1"
    try:
        count = vote(comment.pk, thread.person_id, on, timezone.now())
    except TooMany as error:
        return HttpResponse(str(error), status=429, content_type="text/plain; charset=utf-8")
    except DiscussionError:
        return redirect(reverse("comment", args=[comment.pk]) + "?said=own")
    if is_fragment(request):
        return render(request, "discussion/_helpful.html", {"comment": comment, "count": count, "is_voted": on})
    return redirect(reverse("comment", args=[comment.pk]) + f"?said={'voted' if on else 'not-voted'}#c{comment.pk}")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@with_comment
@signed_in
def report(request: HttpRequest, thread: Thread, comment: Comment) -> HttpResponse:
    """The report form and its submission."""
    back = reverse("comment", args=[comment.pk])
    if own_report(comment, thread.person_id):
        return redirect(f"{back}?said=known")
    form, status = CommentReportForm(request.POST or None), 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                form.save(comment, thread.person_id, timezone.now())
            except DiscussionError as error:
                form.add_error(None, str(error))
                status = 429 if isinstance(error, TooMany) else 400
            else:
                return redirect(f"{back}?said=reported")
    context = {"thread": thread, "comment": comment, "form": form, "exam": thread.question.exam}
    return render(request, "discussion/report.html", context, status=status)


@never_cache
@require_POST
@with_comment
@signed_in
def follow_comment(request: HttpRequest, thread: Thread, comment: Comment) -> HttpResponse:
    """Subscribe to emails about replies, or unsubscribe."""
    top, user_id = comment.parent or comment, thread.person_id
    on = request.POST.get("on") == "1"
    if on:
        follow(top, user_id, timezone.now())
    else:
        unfollow(top, user_id)
    return redirect(reverse("comment", args=[top.pk]) + f"?said={'follows' if on else 'follows-no-more'}")


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: uuid.UUID) -> HttpResponse:
    """Unsubscribe by token. A mail program POSTs here by itself; a GET asks first, because scanners follow links.

    The token is the proof, so neither a sign-in nor a CSRF token is needed.
    """
    every = request.POST.get("every") == "1"
    if request.method == "POST":
        stop(token, every=every)
    return render(request, "discussion/unsubscribe.html", {"is_done": request.method == "POST", "every": every})
