"""Requests whose headers make them unreadable are refused before anything fails on them.

Django reads forms only as UTF-8, but decodes the rest in whatever encoding the headers name, while it constructs the
request and outside every middleware: an exception there leaves the application.
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
"""No body is longer than an exabyte, and ``int`` raises an error of its own for thousands of digits."""


class Request(WSGIRequest):
    """A request that can always be constructed, and is read as UTF-8 whatever its headers say."""

    is_broken = False

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        try:
            self.content_type, self.content_params = parse_header_parameters(meta.get("CONTENT_TYPE", ""))
        except (ValueError, LookupError):  # a parameter in an encoding that doesn't exist
            self.content_type, self.content_params, self.is_broken = "", {}, True


class Handler(WSGIHandler):
    """Django's handler, with requests that can always be constructed."""

    request_class = Request


def refuse_unreadable(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """400 for a length that isn't a number or a body that isn't UTF-8, at every address.

    Without a body the encoding doesn't matter and is ignored.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.method not in {"GET", "HEAD"} and not _is_in_utf8(request):
            return bad_request(request, BadRequest("not in UTF-8"))
        if not _has_length(request):
            return bad_request(request, BadRequest("no length"))
        for name in [name for name, value in request.COOKIES.items() if "\0" in value]:
            del request.COOKIES[name]  # our cookies have none, and PostgreSQL rejects it
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
