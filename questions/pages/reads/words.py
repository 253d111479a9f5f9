"""Finding rows by their words: full text on PostgreSQL, plain containment elsewhere.

On PostgreSQL the expressions are those the indexes of migration 0005 hold, so that a search reads the index.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from django.db import connection
from django.db.models import BooleanField, F, FloatField, Func, Model, Q, QuerySet, TextField, Value

MOST_WORDS = 8
Row = TypeVar("Row", bound=Model)
WEIGHTS = "ABC"  # of the fields, in the order in which they are named


class _Vector(Func):
    template = "setweight(to_tsvector('english', %(expressions)s), '%(weight)s')"
    output_field = TextField()


class _Vectors(Func):
    template = "(%(expressions)s)"
    arg_joiner = " || "
    output_field = TextField()


class _Query(Func):
    """What was typed: all words, in any form of theirs; quotation marks keep words together, a minus leaves out."""

    template = "websearch_to_tsquery('english', %(expressions)s)"
    output_field = TextField()


class _Matches(Func):
    template = "%(expressions)s"
    arg_joiner = " @@ "
    output_field = BooleanField()


class _Rank(Func):
    function = "ts_rank"
    output_field = FloatField()


def saying(rows: QuerySet[Row], text: str, fields: Sequence[str], *order: str) -> QuerySet[Row]:
    """The rows that say all words of the text in these fields, best first where there is a rank, then by ``order``.

    The earlier a field is named, the more a word in it counts. A text without a word finds every row.
    """
    if not text.split():
        return rows.order_by(*order)
    if connection.vendor != "postgresql":
        return rows.filter(_holds(text, fields)).order_by(*order)
    query = _Query(Value(text))
    parts: list[Any] = [_Vector(F(name), weight=WEIGHTS[place]) for place, name in enumerate(fields)]
    vector = _Vectors(*parts)
    return rows.filter(_Matches(vector, query)).order_by(_Rank(vector, query).desc(), *order)


def _holds(text: str, fields: Sequence[str]) -> Q:
    """Each word stands in one of the fields, in whatever case."""
    found = Q()
    for word in text.split()[:MOST_WORDS]:
        one = Q()
        for field in fields:
            one |= Q(**{f"{field}__icontains": word})
        found &= one
    return found
