"""What the player sends: a batch of item states, read one by one so that a bad one is refused on its own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MAX_ITEMS = 200
"""No session is longer (start/forms.py), so an honest page never sends more, even after hours without a network."""
MAX_SECONDS = 24 * 3600
"""Limits the time from a page left open overnight, so that it can't spoil a sum or overflow its column."""
MAX_NUMBER = 2**31 - 1
NO_SUCH_QUESTION = "this session has no such question"
ALREADY_CHECKED = "this answer is already checked"


class BadBatch(ValueError):
    """The batch as a whole can't be read; the message says why."""

    code = "bad-batch"


@dataclass(frozen=True)
class ItemState:
    """The full state of one item on the learner's page; places count from 0 as shown."""

    position: int
    sequence: int
    selected: tuple[int, ...] = ()
    struck: tuple[int, ...] = ()
    flagged: bool = False
    confidence: int | None = None
    seconds: int = 0
    displayed: bool = True


@dataclass(frozen=True)
class Refusal:
    """One refused item, and why."""

    position: Any
    reason: str


@dataclass(frozen=True)
class Batch:
    writer: int
    items: tuple[ItemState, ...]
    refused: tuple[Refusal, ...] = ()


def read_batch(body: bytes) -> Batch:
    """Read ``{"writer": n, "items": [{"p", "seq", "sel", "out", "flag", "conf", "sec", "seen"}]}``.

    Raises BadBatch if the whole can't be read; single bad items come back as refusals.
    """
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise BadBatch("is not JSON") from error
    if not isinstance(value, dict) or not isinstance(value.get("items"), list):
        raise BadBatch("needs “writer” and a list “items”")
    if not _is_number(value.get("writer")):
        raise BadBatch("“writer” must be a number")
    if len(value["items"]) > MAX_ITEMS:
        raise BadBatch(f"at most {MAX_ITEMS} items at once")
    items: dict[int, ItemState] = {}
    refused = []
    for row in value["items"]:
        try:
            state = _item(row)
        except ValueError as error:
            position = row.get("p") if isinstance(row, dict) else None
            refused.append(Refusal(position if _is_number(position) else None, str(error)))
            continue
        known = items.get(state.position)
        if known is None or known.sequence < state.sequence:
            items[state.position] = state
    return Batch(value["writer"], tuple(items.values()), tuple(refused))


def read_time_zone(body: bytes) -> str:
    """A claim's ``zone``; "" if there is none."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    zone = value.get("zone") if isinstance(value, dict) else ""
    return zone if isinstance(zone, str) else ""


def _item(row: Any) -> ItemState:
    if not isinstance(row, Mapping):
        raise ValueError("an item must be an object")
    for name, what in (("p", "the position"), ("seq", "the sequence")):
        if not _is_number(row.get(name)):
            raise ValueError(f"{what} must be a number from 0")
    confidence = row.get("conf")
    if confidence is not None and (not _is_number(confidence) or not 1 <= confidence <= 3):
        raise ValueError("confidence must be 1, 2, 3 or null")
    if not _is_number(row.get("sec", 0)):
        raise ValueError("seconds must be a number from 0")
    return ItemState(
        position=row["p"],
        sequence=row["seq"],
        selected=_places(row.get("sel", []), "the chosen options"),
        struck=_places(row.get("out", []), "the struck-out options"),
        flagged=_flag(row.get("flag", False)),
        confidence=confidence,
        seconds=min(row.get("sec", 0), MAX_SECONDS),
        displayed=_flag(row.get("seen", True)),
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_NUMBER


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("a mark must be true or false")
    return value


def _places(value: Any, what: str) -> tuple[int, ...]:
    if not isinstance(value, list) or len(value) > 14 or not all(_is_number(place) for place in value):
        raise ValueError(f"{what} must be a list of numbers")
    return tuple(value)
