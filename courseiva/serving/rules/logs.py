"""Log lines as JSON, one object per line, each with the id of its request."""

from __future__ import annotations

import datetime as dt
import json
import logging
import re
import secrets
from contextvars import ContextVar

WELL_FORMED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{7,63}")
NO_REQUEST = "-"
EXTRA = ("method", "path", "status", "ms")
# Our lines don't contain these, but each record would look them up, and for the caller go through the whole stack.
logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
logging._srcfile = None  # as the logging docs say
_json = json.JSONEncoder(default=str).encode  # json.dumps would create an encoder per line
request_id: ContextVar[str] = ContextVar("request_id", default=NO_REQUEST)
"""The request this thread is working for. For a task, the request that sent it."""


def request_id_from(given: str | None) -> str:
    """The id that came with the request, if it looks like one; else a new one, so that nothing odd gets logged."""
    return given if given and WELL_FORMED.fullmatch(given) else secrets.token_hex(16)


class JsonFormatter(logging.Formatter):
    """A record as one line of JSON. Line breaks in messages and traces are escaped, so that no line can be forged."""

    def format(self, record: logging.LogRecord) -> str:
        """Time, level, logger, message and request id; for a request also its details, for an error its trace."""
        line: dict[str, object] = {
            "time": dt.datetime.fromtimestamp(record.created, dt.UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "request_id": request_id.get(),
        }
        line |= {name: getattr(record, name) for name in EXTRA if hasattr(record, name)}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return _json(line)
