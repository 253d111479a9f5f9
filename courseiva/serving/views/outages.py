"""Responses while the database is down: a clear 503 that says when to come back, rendered without a query."""

from __future__ import annotations

import sys

from django.db import DatabaseError, InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

RETRY_SECONDS = 5
"""Soon enough for people who are waiting, rarely enough not to overload a database that is just starting."""


def server_error(request: HttpRequest) -> HttpResponse:
    """503 if the database didn't respond, else 500; JSON for scripts.

    Django calls it while handling the error. Like the other handlers (``refusals``), it doesn't read the body.
    """
    away = database_is_away(sys.exc_info()[1])
    status = 503 if away else 500
    if request.content_type == "application/json":
        error = "The site can’t reach its database at the moment." if away else "Something went wrong on our side."
        code = "no-database" if away else "broken"
        response: HttpResponse = JsonResponse({"error": error, "code": code}, status=status)
    else:
        response = render(request, f"{status}.html", status=status)
    response.headers["Cache-Control"] = "no-store"
    if away:
        response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response


def database_is_away(error: BaseException | None) -> bool:
    """Whether the server is gone, full or too slow, rather than a statement being wrong."""
    return isinstance(error, OperationalError | InterfaceError) or type(error) is DatabaseError
