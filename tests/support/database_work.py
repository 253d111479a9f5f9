"""Measures a statement's work without a clock: steps on SQLite, rows examined on PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import connection
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext

STEPS = 100


def work_of(rows: QuerySet[Any, Any]) -> int:
    """Return the work of fetching all these rows; figures are comparable only within the same database."""
    return work_done(lambda: list(rows.all()))


def work_done(read: Callable[[], object]) -> int:
    """Return the work of whatever this call reads; figures are comparable only within the same database."""
    return _steps(read) if connection.vendor == "sqlite" else _rows(read)


def _steps(read: Callable[[], object]) -> int:
    found = 0

    def step() -> int:
        nonlocal found
        found += STEPS
        return 0

    connection.ensure_connection()
    connection.connection.set_progress_handler(step, STEPS)
    try:
        read()
    finally:
        connection.connection.set_progress_handler(None, STEPS)
    return found


def _rows(read: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as statements:
        read()
    found = 0
    for each in statements.captured_queries:
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {each['sql']}")
            ((plan,),) = cursor.fetchone()
        found += _looked_at(plan["Plan"])
    return found


def _looked_at(node: dict[str, Any]) -> int:
    own = node["Actual Rows"] + node.get("Rows Removed by Filter", 0) + node.get("Rows Removed by Join Filter", 0)
    return node["Actual Loops"] * own + sum(_looked_at(each) for each in node.get("Plans", ()))
