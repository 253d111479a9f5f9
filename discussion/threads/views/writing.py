"""Writing: a comment, a reply, an edit, a deletion. Refused texts are returned as typed."""

from __future__ import annotations

from typing import TypeVar

from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from discussion.comments import limits
from discussion.comments.errors import DiscussionError, NotThere, TooMany, TooSoon
from discussion.comments.models.comments import Comment, State
from discussion.threads.forms import CommentForm, EditForm, ReplyForm, TextForm
from discussion.threads.post import delete, own, rendered, why_no_change
from discussion.threads.reads import Thread
from discussion.threads.views.access import is_fragment, signed_in, with_comment, with_comment_or_stub, with_thread
from discussion.threads.views.threads import show_conversation, show_thread

AnyForm = TypeVar("AnyForm", bound=TextForm)


@never_cache
@require_POST
@with_thread
@signed_in
def new_comment(request: HttpRequest, thread: Thread) -> HttpResponse:
    """Post a comment, or insert an option into the text."""
    form, preview = _typed(request, CommentForm, thread)
    if not form.is_bound:
        return show_thread(request, thread, form, preview=preview)
    if form.is_valid():
        try:
            made = form.save(thread.person_id, timezone.now())
        except DiscussionError as error:
            return show_thread(request, thread, form, status=_refused(request, form, error))
        return _go(request, thread, made)
    return show_thread(request, thread, form, status=400)


@never_cache
@require_POST
@with_comment_or_stub
@signed_in
def new_reply(request: HttpRequest, thread: Thread, comment: Comment) -> HttpResponse:
    """Post a reply, or insert an option into the text."""
    form, preview = _typed(request, ReplyForm, thread)
    if not form.is_bound:
        return show_conversation(request, thread, comment, form, preview=preview)
    if form.is_valid():
        try:
            made = form.save(comment.parent or comment, thread.person_id, timezone.now())
        except DiscussionError as error:
            return show_conversation(request, thread, comment, form, status=_refused(request, form, error))
        return _go(request, thread, made)
    return show_conversation(request, thread, comment, form, status=400)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@with_comment
@signed_in
def edit_comment(request: HttpRequest, thread: Thread, comment: Comment) -> HttpResponse:
    """Edit one's own comment within the time limit."""
    _own_or_404(thread, comment)
    form, preview, status = EditForm(thread, initial={"text": comment.text}), "", 200
    if request.method == "POST":
        form, preview = _typed(request, EditForm, thread)
        status = 400 if form.is_bound else 200
        if form.is_bound and form.is_valid():
            try:
                return _go(request, thread, form.save(comment, thread.person_id, timezone.now()), "changed")
            except DiscussionError as error:
                status = _refused(request, form, error)
    context = {"thread": thread, "comment": comment, "form": form, "preview": preview, "exam": thread.question.exam}
    context |= {"why_not": why_no_change(comment, timezone.now()), "typed": request.POST.get("text", "")}
    return render(request, "discussion/edit.html", context, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@with_comment
@signed_in
def delete_comment(request: HttpRequest, thread: Thread, comment: Comment) -> HttpResponse:
    _own_or_404(thread, comment)
    if request.method == "POST":
        try:
            delete(comment.pk, thread.person_id, timezone.now())
        except NotThere as error:
            raise Http404 from error
        return redirect(f"{thread.url}?said=deleted")
    context = {"thread": thread, "comment": comment, "exam": thread.question.exam}
    return render(request, "discussion/delete.html", context)


@never_cache
@require_POST
@with_thread
@signed_in
def preview(request: HttpRequest, thread: Thread) -> HttpResponse:
    """A preview of the text: for a page with JavaScript, which shows it next to the form."""
    return render(request, "discussion/_preview.html", {"thread": thread, "preview": preview_of(request, thread)})


def _typed(request: HttpRequest, form: type[AnyForm], thread: Thread) -> tuple[AnyForm, str]:
    """The form as sent; unbound if it is returned with an inserted option or a preview."""
    if "insert" in request.POST or "preview" in request.POST:
        typed = {name: request.POST.get(name, "") for name in ("text", "kind", "follow")}
        slot = request.POST.get("insert", "")
        token = next((chip.token for chip in thread.chips if str(chip.slot) == slot), "")
        typed["text"] = f"{typed['text']} {token} ".lstrip() if token else typed["text"]
        return form(thread, initial=typed), preview_of(request, thread) if "preview" in request.POST else ""
    return form(thread, request.POST), ""


def preview_of(request: HttpRequest, thread: Thread) -> str:
    """A preview of the text, or why it can't be shown."""
    try:
        limits.count("previews", thread.person_id, timezone.now())
        return rendered(request.POST.get("text", "").replace("\r\n", "\n"), thread.version)[0]
    except DiscussionError as error:
        return format_html('<p data-code="{}">{}</p>', error.code, error)


def _own_or_404(thread: Thread, comment: Comment) -> None:
    try:
        own(comment, thread.person_id)
    except NotThere as error:
        raise Http404 from error


def _refused(request: HttpRequest, form: TextForm, error: DiscussionError) -> int:
    """Show the error above the form; returns the status. A page with JavaScript swaps in responses with 400."""
    form.add_error(None, ValidationError(str(error), error.code))
    return 429 if isinstance(error, TooMany | TooSoon) and not is_fragment(request) else 400


def _go(request: HttpRequest, thread: Thread, comment: Comment, said: str = "posted") -> HttpResponse:
    """Go to the comment in its place; a page that contains the thread gets it again."""
    comment.refresh_from_db(fields=["state"])  # comparison with other rows may have changed it
    said = "held" if comment.state == State.HELD else said
    if is_fragment(request):
        # Newest first, so that it is shown although it has no helpful votes yet.
        return redirect(f"{thread.url}?{thread.query}sort=newest&said={said}")
    return redirect(reverse("comment", args=[comment.pk]) + f"?said={said}#c{comment.pk}")
