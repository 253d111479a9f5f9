"""Question pictures, each only for people who may see a text that shows it."""

from __future__ import annotations

import logging

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.http import require_safe

from practice.sessions.player.reads.pictures import is_shown_to
from questions.versions.material.pictures.reads import content_of, is_public
from questions.versions.material.pictures.rules.encode import NAME

logger = logging.getLogger("courseiva.pictures")
SEES_DRAFTS = "questions.change_question"
PUBLIC_SECONDS = 3600
"""How long a browser or cache may keep showing the picture of a question that has been withdrawn."""
TYPES = {"png": "image/png", "jpg": "image/jpeg"}


@require_safe
def picture(request: HttpRequest, name: str) -> HttpResponse:
    """A picture shown by a public page or by one of this reader's sessions; 404 for everybody else.

    A hidden picture and a missing one give the same 404.
    """
    if not NAME.fullmatch(name):
        raise Http404
    public = is_public(name)
    if not public and not _is_an_editor(request) and not is_shown_to(request, name):
        raise Http404
    response = _response(request, name)
    if public:
        patch_cache_control(response, public=True, max_age=PUBLIC_SECONDS)
    else:
        patch_vary_headers(response, ["Cookie"])  # so that nobody stores it: courseiva/serving/middleware/watching.py
    return response


def _is_an_editor(request: HttpRequest) -> bool:
    """Whether they may read drafts; no query for anonymous visitors."""
    return (
        settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_staff and request.user.has_perm(SEES_DRAFTS)
    )


def _response(request: HttpRequest, name: str) -> HttpResponse:
    """The bytes, or 304 for a browser that has them: a name's bytes never change."""
    tag = f'"{name}"'
    if tag in request.headers.get("If-None-Match", ""):
        response: HttpResponse = HttpResponseNotModified()
    else:
        try:
            response = HttpResponse(content_of(name), content_type=TYPES[name.rpartition(".")[2]])
        except FileNotFoundError:
            logger.error("the storage has no file of the picture %s", name)
            raise Http404 from None
    response.headers["ETag"] = tag
    return response
