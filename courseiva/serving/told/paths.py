"""URL paths as logged, in our lines and Django's: without tokens that would give a reader access."""

from __future__ import annotations

import logging

from django.http import HttpRequest

SECRET_PARTS = {"key", "token"}
"""Path parameters that give access to anyone who has them: in emailed links and guests' reports."""


def told_path(request: HttpRequest) -> str:
    """The path for the log, with a dash in place of anything that would give a reader access."""
    path, match = request.path, request.resolver_match
    parts = match.kwargs if match else {}
    for name in SECRET_PARTS & parts.keys():
        path = path.replace(str(parts[name]), "-")
    return path


class WithoutSecrets(logging.Filter):
    """Keeps every record, and rewrites the path in Django's lines as in ours."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Always true."""
        request = getattr(record, "request", None)
        if isinstance(request, HttpRequest) and isinstance(record.args, tuple):
            record.args = tuple(told_path(request) if part == request.path else part for part in record.args)
        return True


class NoErrorOfOurs(logging.Filter):
    """Turns every record into a warning without a trace: anybody can send another site's host name."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Always true."""
        record.levelno, record.levelname, record.exc_info = logging.WARNING, "WARNING", None
        return True
