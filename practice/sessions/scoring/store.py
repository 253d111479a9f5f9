"""Updating many items of one session in one short statement."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, cast

from django.db import connection
from django.db.models import Case, Expression, Field, Value, When
from django.db.models.functions import Cast

from practice.sessions.models import PracticeSession, SessionItem


def update_items(session: PracticeSession, items: Sequence[SessionItem], fields: Sequence[str]) -> None:
    """Store these fields of these items of the session; needs the session's lock.

    What ``bulk_update`` does, at a fraction of its cost: it writes a WHEN for each item and field, with the whole
    composite key; here one for each value that differs, by position alone.
    """
    if not items:
        return
    values = {name: _by_position(items, name) for name in fields}
    session.items.filter(position__in=[item.position for item in items]).update(**values)


def _by_position(items: Sequence[SessionItem], name: str) -> Expression:
    field = cast("Field[Any, Any]", SessionItem._meta.get_field(name))
    positions: dict[Any, list[int]] = defaultdict(list)
    for item in items:
        positions[field.pre_save(item, add=False)].append(item.position)
    if len(positions) == 1:
        return Value(next(iter(positions)), output_field=field)
    whens = [When(position__in=among, then=Value(value, output_field=field)) for value, among in positions.items()]
    cases = Case(*whens, output_field=field)
    return Cast(cases, output_field=field) if connection.features.requires_casted_case_in_updates else cases
