"""Answers while the database is away: a clear 503 that says when to come back, drawn without a statement."""

from __future__ import annotations

import sys

from django.db import DatabaseError, InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

RETRY_SECONDS = 5


def server_error(request: HttpRequest) -> HttpResponse:
    """503 when the database did not answer, else 500; a script gets JSON. Django calls it while handling the error.

    Like the others (``refusals``) it leaves the body alone.
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
    """The server is gone, full, or too slow; not a statement that is wrong."""
    return isinstance(error, OperationalError | InterfaceError) or type(error) is DatabaseError
