"""Who is asking, whether they may read a thread, and what caches may keep."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import add_never_cache_headers, patch_cache_control, patch_vary_headers
from django.utils.module_loading import import_string
from django.views.decorators.http import conditional_page

from discussion.threads.reads import Thread, find_comment, find_question, question_of, thread_of
from questions.versions.models.drafts import Question
from questions.versions.reads.public import public_address

View = Callable[..., HttpResponse]


def user_id_of(request: HttpRequest) -> int | None:
    """The signed-in user's id; None without a session cookie, in which case no session is read."""
    if settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated:
        return request.user.pk
    return None


def may_read(request: HttpRequest, question: Question) -> bool:
    """Whether practice lets this reader see the question's thread."""
    return bool(import_string(settings.DISCUSSION_MAY_READ_THREAD)(request, question))


def is_fragment(request: HttpRequest) -> bool:
    """Whether a page's script asks for a fragment."""
    return bool(request.headers.get("HX-Request"))


def kept_for_strangers(view: View) -> View:
    """A personal page is never cached; the public one is, but revalidated each time.

    So a removed comment disappears from caches with the next request.
    """

    @conditional_page
    @wraps(view)
    def kept(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        patch_vary_headers(response, ["Cookie", "HX-Request"])
        if settings.SESSION_COOKIE_NAME in request.COOKIES or response.status_code != 200:
            add_never_cache_headers(response)
        else:
            patch_cache_control(response, public=True, no_cache=True)
        return response

    return kept


def with_thread(view: View) -> View:
    """Give the view the question's thread; 404 if it may not be read."""

    @wraps(view)
    def found(request: HttpRequest, exam_slug: str, question_id: int, *args: Any, **kwargs: Any) -> HttpResponse:
        question = find_question(exam_slug, question_id)
        if question is None:
            return gone(request)
        version = request.POST.get("version") or request.GET.get("version", "")
        thread = thread_of(question, user_id_of(request), timezone.now(), version)
        if not may_read(request, question):
            return closed(request, thread)
        return view(request, thread, *args, **kwargs)

    return found


def with_comment(view: View) -> View:
    """Give the view a comment whose text the reader may see, and its thread; 404 otherwise."""
    return _with_comment(view, stubs=False)


def with_comment_or_stub(view: View) -> View:
    """The same, including the stub of a deleted comment with replies."""
    return _with_comment(view, stubs=True)


def _with_comment(view: View, *, stubs: bool) -> View:
    @wraps(view)
    def found(request: HttpRequest, comment_id: int, *args: Any, **kwargs: Any) -> HttpResponse:
        user_id = user_id_of(request)
        comment = find_comment(comment_id, user_id, stubs)
        if comment is None:
            return gone(request)
        question = question_of(comment)
        thread = thread_of(question, user_id, timezone.now())
        if not may_read(request, question):
            return closed(request, thread)
        return view(request, thread, comment, *args, **kwargs)

    return found


def closed(request: HttpRequest, thread: Thread) -> HttpResponse:
    """A public question's thread is closed until the reader's mock ends; any other gives 404."""
    if not public_address(thread.version, thread.question):
        return gone(request)
    context = {"thread": thread, "exam": thread.question.exam, "typed": _typed(request)}
    if is_fragment(request):
        return render(request, "discussion/_closed.html", context)
    return render(request, "discussion/closed.html", context, status=403)


def gone(request: HttpRequest) -> HttpResponse:
    """For something that doesn't exist, or no longer does, keeping what was typed for copying. Raises Http404."""
    if is_fragment(request) or not _typed(request):
        raise Http404
    return render(request, "discussion/gone.html", {"typed": _typed(request)}, status=404)


def signed_in(view: View) -> View:
    """Require an account; others sign in and come back to the thread. Use inside ``with_...``."""

    @wraps(view)
    def guarded(request: HttpRequest, thread: Thread, *args: Any, **kwargs: Any) -> HttpResponse:
        if thread.writer.user_id is None:
            return _signed_out(request, thread)
        return view(request, thread, *args, **kwargs)

    return guarded


def _signed_out(request: HttpRequest, thread: Thread) -> HttpResponse:
    """Redirect to sign-in if nothing was typed. A page with JavaScript keeps its form and shows the message there."""
    typed = _typed(request)
    context = {"thread": thread, "exam": thread.question.exam, "typed": typed}
    if is_fragment(request):
        response = render(request, "discussion/_signed_out.html", context, status=400)
        response["HX-Retarget"] = "closest form" if typed else "closest article"
        response["HX-Reswap"] = "afterbegin show:top"
        return response
    if typed:
        return render(request, "discussion/signed_out.html", context, status=403)
    return redirect_to_login(thread.url)


def _typed(request: HttpRequest) -> str:
    return request.POST.get("text", "").strip()
