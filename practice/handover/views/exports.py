"""Exports of a learner's own data: everything as JSON, the answers as a table."""

from __future__ import annotations

import csv
import datetime as dt
import json
from collections.abc import Iterable, Iterator
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from practice.handover.reads import Row, Section, export_answers, export_sections
from practice.learners.reads.identity import learner_of, owner_of
from practice.sessions.results.views.results import plain_cell

COLUMNS = (
    "session", "exam", "mode", "position", "question", "number", "version", "title", "chosen", "chosen_words",
    "correct", "seconds", "changes", "first_chosen", "struck_out", "flagged", "confidence", "hint_opened", "revealed",
    "seen_before", "variant_seen", "first_exposure", "miss_class", "displayed_at", "answered_at", "checked_at",
)  # fmt: skip


class Echo:
    """A file that returns what is written to it, so that a table can be streamed row by row."""

    def write(self, text: str) -> str:
        return text


@never_cache
@require_GET
def export_json(request: HttpRequest) -> HttpResponseBase:
    """All data stored about the requesting person; a visitor with none gets an empty export."""
    owner = owner_of(request)
    sections = export_sections(owner.user_id if owner else None, learner_of(request), timezone.now())
    return _attachment(_as_json(sections), "application/json", "json")


@never_cache
@require_GET
def export_csv(request: HttpRequest) -> HttpResponseBase:
    """One row for each question of each session; spreadsheets can't read any cell as a formula."""
    learner = learner_of(request)
    answers = export_answers(learner) if learner else iter(())
    return _attachment(_as_csv(answers), "text/csv; charset=utf-8", "csv")


def _attachment(parts: Iterator[str], content_type: str, suffix: str) -> StreamingHttpResponse:
    response = StreamingHttpResponse(parts, content_type=content_type)
    name = f"courseiva-{timezone.now():%Y-%m-%d}.{suffix}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _as_json(sections: Iterable[Section]) -> Iterator[str]:
    """One object with a member for each section; lists have one row per line."""
    yield "{"
    for n, (name, content) in enumerate(sections):
        yield f"{',' if n else ''}\n{_text(name)}: "
        if content is None or isinstance(content, str | dict):
            yield _text(content)
            continue
        yield "["
        for place, row in enumerate(content):
            yield f"{',' if place else ''}\n{_text(row)}"
        yield "]"
    yield "\n}\n"


def _text(value: object) -> str:
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)


def _as_csv(rows: Iterable[Row]) -> Iterator[str]:
    writer = csv.writer(Echo())
    yield writer.writerow(COLUMNS)
    for row in rows:
        yield writer.writerow([plain_cell(_cell(row.get(name))) for name in COLUMNS])


def _cell(value: Any) -> Any:
    """A value as one cell: lists joined, times in full, yes and no in words."""
    if isinstance(value, list):
        return " | ".join(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value.isoformat() if isinstance(value, dt.datetime) else value
