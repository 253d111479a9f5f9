"""Reads very many rows into one array; on PostgreSQL, without making Python objects of them."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
from django.db import connections
from django.db.models import QuerySet

ROWS_AT_ONCE = 50_000
"""Python's objects take some ten times what the array does, so only this many are ever held. Fewer would save nothing
that shows beside an array of millions."""
BUFFER = 1 << 20
HEADER, TRAILER = 19, b"\xff\xff"
"""What surrounds the rows: PostgreSQL's manual, "COPY", "Binary Format"."""


def array_of(rows: QuerySet[Any, Any], kinds: np.dtype) -> np.ndarray:
    """The rows of a ``values_list`` as a structured array, streamed.

    On PostgreSQL each column's type must be as wide as its kind. Raises ValueError or TypeError for a null.
    """
    connection = connections[rows.db]
    parts = [np.empty(0, kinds)]
    if connection.vendor != "postgresql":
        return np.concatenate([*parts, *_from_objects(rows.iterator(chunk_size=ROWS_AT_ONCE), kinds)])
    taken = _Taken(kinds, parts)
    with connection.cursor() as cursor, connection.wrap_database_errors:
        select = cursor.mogrify(*rows.query.sql_with_params()).decode()
        buffer = io.BufferedWriter(taken, BUFFER)
        cursor.copy_expert(f"COPY ({select})\nTO STDOUT (FORMAT binary)", buffer)
        buffer.flush()
    if taken.rest != TRAILER:
        raise ValueError("the last row is not as wide as its kinds")
    return np.concatenate(parts)


def _from_objects(rows: Iterator[Any], kinds: np.dtype) -> Iterator[np.ndarray]:
    while len(part := np.fromiter(islice(rows, ROWS_AT_ONCE), kinds)):
        yield part


class _Taken(io.RawIOBase):
    """Turns binary rows into arrays: a row has its number of columns, and before each column its width in bytes."""

    def __init__(self, kinds: np.dtype, parts: list[np.ndarray]) -> None:
        super().__init__()
        self.kinds, self.parts = kinds, parts
        self.names = kinds.names or ()
        columns = [((f"{name} width", ">i4"), (name, kinds[name].newbyteorder(">"))) for name in self.names]
        self.wire = np.dtype([("columns", ">i2"), *(field for pair in columns for field in pair)])
        self.rest, self.before_rows = b"", HEADER

    def writable(self) -> bool:
        """Asked by the buffer."""
        return True

    def write(self, given: Any) -> int:
        """Keep the complete rows, and the rest for the next time."""
        data = self.rest + bytes(given)
        start = min(self.before_rows, len(data))
        self.before_rows -= start
        count = (len(data) - start) // self.wire.itemsize
        found = np.frombuffer(data, self.wire, count, start)
        part = np.empty(count, self.kinds)
        for name in self.names:
            if (found[f"{name} width"] != self.kinds[name].itemsize).any():
                raise ValueError(f"a row's {name} is null or not as wide as its kind")
            part[name] = found[name]
        self.parts.append(part)
        self.rest = data[start + count * self.wire.itemsize :]
        return len(given)
