"""How much a statement makes the database do: steps on SQLite, rows examined on PostgreSQL; no clock is involved."""

from __future__ import annotations

import json
from typing import Any

from django.db import connection
from django.db.models import QuerySet

STEPS = 100


def work_of(rows: QuerySet[Any, Any]) -> int:
    """The work of fetching all these rows: of two figures from the same database the larger means more work."""
    return _steps(rows) if connection.vendor == "sqlite" else _rows(rows)


def _steps(rows: QuerySet[Any, Any]) -> int:
    found = 0

    def step() -> int:
        nonlocal found
        found += STEPS
        return 0

    connection.ensure_connection()
    connection.connection.set_progress_handler(step, STEPS)
    try:
        list(rows.all())
    finally:
        connection.connection.set_progress_handler(None, STEPS)
    return found


def _rows(rows: QuerySet[Any, Any]) -> int:
    ((plan,),) = (json.loads(rows.explain(format="json", analyze=True)),)
    return _looked_at(plan["Plan"])


def _looked_at(node: dict[str, Any]) -> int:
    own = node["Actual Rows"] + node.get("Rows Removed by Filter", 0) + node.get("Rows Removed by Join Filter", 0)
    return node["Actual Loops"] * own + sum(_looked_at(each) for each in node.get("Plans", ()))
