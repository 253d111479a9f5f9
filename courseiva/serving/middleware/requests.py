"""Requests whose headers make them unreadable are refused before anything trips over them.

Django reads a form only in UTF-8, but decodes the rest in whatever encoding the headers name, and does so while it
makes the request, outside every middleware: what is raised there leaves the application.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable
from typing import Any

from django.core.exceptions import BadRequest
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.http import HttpRequest, HttpResponse
from django.utils.http import parse_header_parameters

from courseiva.serving.views.refusals import bad_request

READABLE = {"utf-8", "ascii"}
LONGEST_NUMBER = 18


class Request(WSGIRequest):
    """A request that can always be made, and is read as UTF-8 whatever its headers name."""

    is_broken = False

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        try:
            self.content_type, self.content_params = parse_header_parameters(meta.get("CONTENT_TYPE", ""))
        except (ValueError, LookupError):  # a parameter in an encoding that is none
            self.content_type, self.content_params, self.is_broken = "", {}, True


class Handler(WSGIHandler):
    """Django's, with requests that can always be made."""

    request_class = Request


def refuse_unreadable(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """400 for a length that is no number and for a body in another encoding than UTF-8, on every address alike.

    Without a body the encoding is of no use, and is passed over.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.method not in {"GET", "HEAD"} and not _is_in_utf8(request):
            return bad_request(request, BadRequest("not in UTF-8"))
        if not _has_length(request):
            return bad_request(request, BadRequest("no length"))
        for name in [name for name, value in request.COOKIES.items() if "\0" in value]:
            del request.COOKIES[name]  # none of ours has one, and PostgreSQL cannot be asked for it
        return get_response(request)

    return middleware


def _is_in_utf8(request: HttpRequest) -> bool:
    if getattr(request, "is_broken", False):
        return False
    named = (request.content_params or {}).get("charset", "utf-8")
    try:
        return codecs.lookup(named).name in READABLE
    except (LookupError, ValueError):
        return False


def _has_length(request: HttpRequest) -> bool:
    length = str(request.META.get("CONTENT_LENGTH") or "0")
    return length.isascii() and length.isdecimal() and len(length) <= LONGEST_NUMBER
