"""Reads whose SQL Django composes only once: a page of fifteen statements spent a third of its time composing them.

``@composed_once`` turns a function that returns a queryset into one that returns its rows. The first call of each shape
composes the statement with markers in place of the values; later calls put their values where the markers ended up.
Rows are read by Django's own code, so they are what the queryset would give; docs/decisions/0062.
"""

from __future__ import annotations

import copy
import datetime as dt
import functools
import uuid
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from typing import Any, ParamSpec, TypeVar

from django.core.exceptions import EmptyResultSet
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import QuerySet

Given = ParamSpec("Given")
Row = TypeVar("Row")
LONGEST = 512
"""A longer list is composed each time: few pages have one, and each size would need its own statement."""
SHAPES = 64
"""The number of statements a function keeps. Beyond that, it composes them each time."""
FIRST, SECOND = 20_000, 26_000
"""Two series of markers, within the range of the smallest integer column, with room for 6,000 values each."""
START = dt.datetime(1990, 1, 1, tzinfo=dt.UTC)


def composed_once(build: Callable[Given, QuerySet[Any, Row]]) -> Callable[Given, list[Row]]:
    """The rows of the queryset that ``build`` returns.

    Its arguments are positional: integers, strings, datetimes, dates, UUIDs and lists of them are values of the
    statement; None, booleans and choices select the statement; a dataclass may hold any of these. It must read nothing
    else that changes: no clock, no setting, no current time zone.
    """
    kept: dict[Hashable, _Statement | None] = {}

    @functools.wraps(build)
    def rows(*given: Any) -> list[Row]:
        given = tuple(_listed(each) for each in given)
        connection = connections[DEFAULT_DB_ALIAS]
        shape = (connection.vendor, *map(_shape, given))
        if shape not in kept and len(kept) < SHAPES and all(_is_usual(each) for each in given):
            kept[shape] = _compose(build, given, connection)
        statement = kept.get(shape)
        return list(build(*given)) if statement is None else statement.rows(_values(given), connection)  # type: ignore[call-arg]

    return rows  # type: ignore[return-value]


@dataclass(frozen=True)
class _Statement:
    """A composed statement.

    ``places`` says for each of its parameters which argument it takes, or None for a constant.
    """

    queryset: Any
    compiler: Any
    converters: Any
    sql: str
    params: tuple[Any, ...]
    places: tuple[int | None, ...]

    def rows(self, values: Sequence[Any], connection: Any) -> list[Any]:
        """The rows for these values."""
        adapted = [_adapted(each, connection) for each in values]
        params = tuple(
            own if place is None else adapted[place] for own, place in zip(self.params, self.places, strict=True)
        )
        compiler = copy.copy(self.compiler)
        compiler.connection = connection
        compiler.as_sql = lambda: (self.sql, params)
        compiler.get_converters = lambda _: self.converters
        asked: Any = _Asked(self.queryset, compiler)
        found: Any = asked._iterable_class(asked)
        return list(found)


class _Asked:
    """A queryset for reading rows only: it returns the compiler that has its statement."""

    def __init__(self, queryset: QuerySet[Any, Any], compiler: Any) -> None:
        self._queryset, self._compiler = queryset, compiler

    def __getattr__(self, name: str) -> Any:
        return getattr(self._queryset, name)

    @property
    def query(self) -> Any:
        return _Query(self._queryset.query, self._compiler)


class _Query:
    def __init__(self, query: Any, compiler: Any) -> None:
        self._query, self._compiler = query, compiler

    def __getattr__(self, name: str) -> Any:
        return getattr(self._query, name)

    def get_compiler(self, *_: Any, **__: Any) -> Any:
        return self._compiler


def _compose(build: Callable[..., QuerySet[Any, Any]], given: Sequence[Any], connection: Any) -> _Statement | None:
    """The statement for this shape; None if Django sees without a query that nothing will be found.

    Composed twice, with different markers: whatever differs between the two is a value, all the rest belongs to the
    statement.
    """
    try:
        queryset, compiler, sql, params = _composed(build, given, FIRST, connection)
        _, _, other, others = _composed(build, given, SECOND, connection)
    except EmptyResultSet:
        return None
    first, second = (
        [_adapted(each, connection) for each in _values(_marked(given, series))] for series in (FIRST, SECOND)
    )
    places = []
    for one, two in zip(params, others, strict=True):
        place = None if one == two else next((n for n, each in enumerate(first) if (each, second[n]) == (one, two)), -1)
        places.append(place)
    if sql != other or set(places) - {None} != set(range(len(first))):
        raise TypeError("values", build.__qualname__)  # it changes a value, or doesn't use it
    if queryset._prefetch_related_lookups or queryset._known_related_objects:
        raise TypeError("prefetch-or-related", build.__qualname__)
    converters = compiler.get_converters([each[0] for each in compiler.select[: compiler.col_count]])
    return _Statement(queryset, compiler, converters, sql, params, tuple(places))


def _composed(
    build: Callable[..., QuerySet[Any, Any]], given: Sequence[Any], series: int, connection: Any
) -> tuple[Any, Any, str, tuple[Any, ...]]:
    queryset = build(*_marked(given, series))
    compiler = queryset.query.get_compiler(connection=connection)
    sql, params = compiler.as_sql()
    return queryset, compiler, sql, tuple(params)


def _listed(value: Any) -> Any:
    """A list is padded to the next power of two with its last value, so that few lengths are composed."""
    if is_dataclass(value):
        return _with_parts(value, [_listed(each) for each in _parts(value)])
    if not isinstance(value, list | tuple | set | frozenset):
        return value
    found = list(value)
    length = 1 << (len(found) - 1).bit_length() if found else 0
    return found + found[-1:] * (length - len(found)) if length <= LONGEST else found


def _is_usual(value: Any) -> bool:
    """Whether the value is composed once; long lists aren't, because they have too many possible lengths."""
    if is_dataclass(value):
        return all(_is_usual(each) for each in _parts(value))
    return not isinstance(value, list) or len(value) <= LONGEST


def _parts(value: Any) -> list[Any]:
    """The values of a dataclass, in the order of its fields."""
    return [getattr(value, each.name) for each in fields(value)]


def _with_parts(value: Any, parts: Sequence[Any]) -> Any:
    """The same dataclass with these values."""
    return type(value)(*parts)


def _shape(value: Any) -> Any:
    if is_dataclass(value):
        return (type(value), *map(_shape, _parts(value)))
    if isinstance(value, list):
        return (list, len(value))
    if _is_choice(value):
        return value
    if isinstance(value, dt.datetime | dt.date | uuid.UUID | str | int):
        return type(value)
    raise TypeError("no-value", value)


def _is_choice(value: Any) -> bool:
    """Whether it selects the statement rather than being one of its values."""
    return value is None or isinstance(value, bool | Enum)


def _values(given: Sequence[Any]) -> list[Any]:
    """The values, with lists and dataclasses flattened."""
    found: list[Any] = []
    for each in given:
        if is_dataclass(each):
            found += _values(_parts(each))
        elif isinstance(each, list):
            found += each
        elif not _is_choice(each):
            found.append(each)
    return found


def _marked(given: Sequence[Any], series: int) -> list[Any]:
    """The same with a marker in place of each value."""
    marks = iter(range(series, series + 6000))

    def marked(value: Any) -> Any:
        if is_dataclass(value):
            return _with_parts(value, [marked(each) for each in _parts(value)])
        if isinstance(value, list):
            return [_mark(each, next(marks)) for each in value]
        return value if _is_choice(value) else _mark(value, next(marks))

    return [marked(each) for each in given]


def _mark(value: Any, number: int) -> Any:
    if isinstance(value, dt.datetime):
        return START + dt.timedelta(days=number % 1000, seconds=number)
    if isinstance(value, dt.date):
        return START.date() + dt.timedelta(days=number)
    if isinstance(value, uuid.UUID):
        return uuid.UUID(int=number)
    return f"mark {number}" if isinstance(value, str) else number


def _adapted(value: Any, connection: Any) -> Any:
    """The value in the form the database driver takes."""
    if isinstance(value, dt.datetime):
        return connection.ops.adapt_datetimefield_value(value)
    if isinstance(value, dt.date):
        return connection.ops.adapt_datefield_value(value)
    if isinstance(value, uuid.UUID):
        return value if connection.features.has_native_uuid_field else value.hex
    return value
