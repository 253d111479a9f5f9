"""Addresses as the log writes them, in our lines and Django's: without tokens that would give a reader access."""

from __future__ import annotations

import logging

from django.http import HttpRequest

SECRET_PARTS = {"key", "token"}
"""Parts of an address that open something to whoever has it: a mailed link, a guest's report."""


def told_path(request: HttpRequest) -> str:
    """The path for the log, with a dash in place of anything that would give a reader access."""
    path, match = request.path, request.resolver_match
    parts = match.kwargs if match else {}
    for name in SECRET_PARTS & parts.keys():
        path = path.replace(str(parts[name]), "-")
    return path


class WithoutSecrets(logging.Filter):
    """Keeps every record, and rewrites the path in Django's own as in ours."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Always true."""
        request = getattr(record, "request", None)
        if isinstance(request, HttpRequest) and isinstance(record.args, tuple):
            record.args = tuple(told_path(request) if part == request.path else part for part in record.args)
        return True


class NoErrorOfOurs(logging.Filter):
    """Keeps every record as a warning without a trace: anybody can send the host name of another site."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Always true."""
        record.levelno, record.levelname, record.exc_info = logging.WARNING, "WARNING", None
        return True
