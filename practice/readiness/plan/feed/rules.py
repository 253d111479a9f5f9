"""A calendar of whole days as iCalendar text (RFC 5545); pure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

LINE_OCTETS = 75
"""RFC 5545, section 3.1."""
PRODUCT = "-//Courseiva//Plan//EN"
REFRESH = "PT6H"
"""How often programs should refetch."""


@dataclass(frozen=True)
class Event:
    """A day with something on it. ``uid`` stays the same from one fetch to the next."""

    uid: str
    date: dt.date
    summary: str
    description: str
    url: str


def calendar_text(name: str, events: Iterable[Event], now: dt.datetime) -> str:
    """The whole file, its lines folded and terminated as the standard requires."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        f"PRODID:{PRODUCT}",
        f"X-WR-CALNAME:{escaped(name)}",
        f"REFRESH-INTERVAL;VALUE=DURATION:{REFRESH}",
        f"X-PUBLISHED-TTL:{REFRESH}",
        *(line for event in events for line in _event(event, now)),
        "END:VCALENDAR",
    ]
    return "".join(f"{folded(line)}\r\n" for line in lines)


def escaped(text: str) -> str:
    """Text as a value: commas, semicolons and backslashes escaped with a backslash, line breaks as ``\\n``, no
    controls."""
    for sign in ("\\", ",", ";"):
        text = text.replace(sign, f"\\{sign}")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\\n".join("".join(sign for sign in line if sign >= " " and sign != "\x7f") for line in lines)


def folded(line: str) -> str:
    """The line in parts of at most 75 octets, each after the first preceded by a space; no character is split."""
    parts, room = [""], LINE_OCTETS
    for sign in line:
        size = len(sign.encode())
        if size > room:
            parts.append(" ")
            room = LINE_OCTETS - 1
        parts[-1] += sign
        room -= size
    return "\r\n".join(parts)


def _event(event: Event, now: dt.datetime) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{escaped(event.uid)}"
    yield f"DTSTAMP:{now.astimezone(dt.UTC):%Y%m%dT%H%M%SZ}"
    yield f"DTSTART;VALUE=DATE:{event.date:%Y%m%d}"
    yield f"DTEND;VALUE=DATE:{event.date + dt.timedelta(days=1):%Y%m%d}"
    yield f"SUMMARY:{escaped(event.summary)}"
    yield f"DESCRIPTION:{escaped(event.description)}"
    yield f"URL:{event.url}"
    yield "TRANSP:TRANSPARENT"
    yield "END:VEVENT"
