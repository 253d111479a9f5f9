"""A learner's answers in an exam, counted: what pages say about a history without reading it; pure.

A tally depends only on the rows, in any order, so a recomputed one equals the stored one.
"""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise
from typing import NamedTuple, TypeAlias

Paces: TypeAlias = tuple[tuple[int, bool | None], ...]
"""Seconds, with right, wrong or None."""
PACES = 200
"""How many of the latest answers determine somebody's pace."""
LATEST = 3
"""How many past sessions home and hub show. The tally stores their ids, and each takes a row to read."""
DAYS = 91
"""Days kept: the calendar shows twelve weeks, the first of which may start six days earlier."""
OLDEST = 240
"""How many of the questions seen longest ago are kept in order: four full mocks."""
DOMAIN_DAYS = 9
"""Days for which answers are kept by domain: the advice needs the last seven, and what starts them."""
REVIEW, MOCK, TAKEN, SINGLE = "review", "mock", "taken", ("page", "contrast")


class Row(NamedTuple):
    """A stored item with what is needed from its session; ``reads.py`` names the columns."""

    session: int
    position: int
    mode: str
    started: dt.datetime
    finished: dt.datetime | None
    discarded: dt.datetime | None
    deadline: dt.datetime | None
    version: int
    question: int
    domain: int
    selected: int
    first_selected: int
    seconds: int
    displayed: dt.datetime | None
    answered: dt.datetime | None
    checked: dt.datetime | None
    right: bool | None
    first: bool | None
    variant_seen: bool
    confidence: int | None
    miss_class: str
    withheld: bool

    @property
    def is_marked(self) -> bool:
        """Whether ``marked_items`` includes it."""
        is_over = self.checked or self.finished
        return bool(self.right is not None and is_over and not self.discarded and not self.withheld)

    @property
    def is_met(self) -> bool:
        """Whether it was answered or its solution shown: as ``_first`` in practice/sessions/ending/met.py says it in
        SQL."""
        is_result = self.mode == MOCK and self.finished and not self.withheld
        is_shown = self.displayed and (is_result or self.mode == TAKEN)
        return bool((self.answered or self.checked or is_shown) and not self.discarded)

    @property
    def at(self) -> dt.datetime:
        """When it was answered or, if unanswered, when its session ended."""
        return self.answered or self.finished or self.started


class Day(NamedTuple):
    """One of the learner's days: answers, the seconds they took, those in reviews; and by domain those outside
    mocks."""

    answers: int = 0
    seconds: int = 0
    reviews: int = 0
    domains: Mapping[int, int] = {}


class First(NamedTuple):
    """First answers in a domain given with one confidence."""

    domain: int
    confidence: int | None
    n: int
    right: int


@dataclass(frozen=True)
class Tally:
    """The counts. Questions are ids; ``zone`` is the time zone of the days.

    ``unshown`` are those of the ``seen`` whose solution no finished session has shown; ``met`` those answered, or whose
    solution was shown; ``oldest`` those last displayed longest ago, the first of them first; ``missed`` those whose
    latest marked answer was wrong; ``answered`` those answered on the newest day. ``paces`` are seconds with right,
    wrong or None. ``concepts`` has first answers and the right ones among them.
    """

    zone: str = "UTC"
    seen: frozenset[int] = frozenset()
    unshown: frozenset[int] = frozenset()
    met: frozenset[int] = frozenset()
    oldest: tuple[int, ...] = ()
    missed: frozenset[int] = frozenset()
    answered: frozenset[int] = frozenset()
    paces: Paces = ()
    days: Mapping[dt.date, Day] = field(default_factory=dict)
    firsts: tuple[First, ...] = ()
    concepts: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    mock_at: dt.datetime | None = None
    latest: tuple[int, ...] = ()

    @property
    def shown(self) -> frozenset[int]:
        """The questions a finished session has shown with their solutions."""
        return self.seen - self.unshown

    def on(self, date: dt.date) -> frozenset[int]:
        """The questions answered on this day, which must not be before the newest counted day."""
        return self.answered if date == max(self.days, default=None) else frozenset()

    def with_rows(self, rows: Sequence[Row], zone: dt.tzinfo, today: dt.date) -> Tally:
        """Adds what was displayed and answered since; marks follow when the session is over."""
        days = dict(self.days)
        for date, day in _days(rows, zone, today).items():
            days[date] = _sum_of(days.get(date, Day()), day)
        answered = _answered(rows, zone, max(days, default=today)) | self.on(max(days, default=today))
        seen = self.seen | {row.question for row in rows if row.displayed}
        met = self.met | _met(rows)
        return replace(self, seen=seen, unshown=seen - self.shown, met=met, days=days, answered=answered)


def tally(
    rows: Sequence[Row], concepts: Mapping[int, Sequence[int]], zone: tuple[str, dt.tzinfo], today: dt.date
) -> Tally:
    """Count the rows; ``concepts`` are those of each version."""
    marked = [row for row in rows if row.is_marked]
    seen = {row.question for row in rows if row.displayed}
    shown = {row.question for row in rows if row.displayed and row.finished and not row.withheld}
    firsts = [row for row in marked if row.answered and row.first and not row.variant_seen]
    days = _days(rows, zone[1], today)
    return Tally(
        zone=zone[0],
        seen=frozenset(seen),
        unshown=frozenset(seen - shown),
        met=_met(rows),
        oldest=_oldest(rows),
        missed=frozenset(row.question for row in _newest(row for row in marked if row.answered) if row.right is False),
        answered=_answered(rows, zone[1], max(days, default=today)),
        paces=paces(rows),
        days=days,
        firsts=_firsts(firsts),
        concepts=_by_concept(firsts, concepts),
        mock_at=max((row.finished for row in rows if row.mode == MOCK and row.finished), default=None),
        latest=_latest(rows),
    )


def misses(rows: Iterable[Row], most: int) -> list[Row]:
    """The latest marked misses of listed sessions, newest first."""
    found = [row for row in rows if row.is_marked and row.right is False and row.mode not in SINGLE]
    return sorted(found, key=lambda row: (-row.at.timestamp(), -row.session, row.position))[:most]


def by_reason(rows: Iterable[Row]) -> dict[str, frozenset[int]]:
    """By the learner's reason, the questions whose latest marked item was missed."""
    found: dict[str, set[int]] = defaultdict(set)
    for row in _newest(row for row in rows if row.is_marked):
        if row.right is False and row.miss_class:
            found[row.miss_class].add(row.question)
    return {reason: frozenset(questions) for reason, questions in found.items()}


def _newest(rows: Iterable[Row]) -> Iterable[Row]:
    """For each question the newest item; of several at the same time, the missed one."""
    found: dict[int, Row] = {}
    for row in rows:
        known = found.get(row.question)
        if known is None or (row.at, row.right is False, row.miss_class) > (
            known.at, known.right is False, known.miss_class,
        ):  # fmt: skip
            found[row.question] = row
    return found.values()


def paces(rows: Iterable[Row]) -> Paces:
    """The seconds of the latest answers, each with right, wrong or None if it isn't marked; in no particular order."""
    measured = [row for row in rows if row.answered and row.seconds > 0]
    newest = sorted(measured, key=lambda row: (-row.at.timestamp(), -row.session, row.position))[:PACES]
    return tuple(sorted(((row.seconds, row.right if row.is_marked else None) for row in newest), key=_code))


def _code(pace: tuple[int, bool | None]) -> int:
    """A pace as one number, so that sorted ones have small differences."""
    seconds, right = pace
    return -seconds if right is None else 2 * seconds + right


def _met(rows: Iterable[Row]) -> frozenset[int]:
    return frozenset(row.question for row in rows if row.is_met)


def _oldest(rows: Iterable[Row]) -> tuple[int, ...]:
    last: dict[int, dt.datetime] = {}
    for row in rows:
        if row.displayed and row.displayed >= last.get(row.question, row.displayed):
            last[row.question] = row.displayed
    return tuple(sorted(last, key=lambda question: (last[question], question))[:OLDEST])


def _days(rows: Iterable[Row], zone: dt.tzinfo, today: dt.date) -> dict[dt.date, Day]:
    since = dt.datetime.combine(today - dt.timedelta(days=DAYS), dt.time.min, zone)
    domains_since = today - dt.timedelta(days=DOMAIN_DAYS)
    by_day: dict[dt.date, list[Row]] = defaultdict(list)
    for row in rows:
        if row.answered and not row.discarded and row.answered >= since:
            by_day[row.answered.astimezone(zone).date()].append(row)
    return {
        date: Day(
            answers=len(among),
            seconds=sum(row.seconds for row in among),
            reviews=sum(row.mode == REVIEW for row in among),
            domains=dict(Counter(r.domain for r in among if r.mode != MOCK)) if date >= domains_since else {},
        )
        for date, among in by_day.items()
    }


def _sum_of(one: Day, other: Day) -> Day:
    domains = dict(Counter(one.domains) + Counter(other.domains))
    return Day(one.answers + other.answers, one.seconds + other.seconds, one.reviews + other.reviews, domains)


def _answered(rows: Iterable[Row], zone: dt.tzinfo, date: dt.date) -> frozenset[int]:
    start = dt.datetime.combine(date, dt.time.min, zone)
    return frozenset(row.question for row in rows if row.answered and not row.discarded and row.answered >= start)


def _firsts(rows: Iterable[Row]) -> tuple[First, ...]:
    n: Counter[tuple[int, int | None]] = Counter()
    right: Counter[tuple[int, int | None]] = Counter()
    for row in rows:
        n[row.domain, row.confidence] += 1
        right[row.domain, row.confidence] += row.right is True
    return tuple(First(*key, n[key], right[key]) for key in sorted(n, key=lambda key: (key[0], key[1] or 0)))


def _by_concept(rows: Iterable[Row], concepts: Mapping[int, Sequence[int]]) -> dict[int, tuple[int, int]]:
    n: Counter[int] = Counter()
    right: Counter[int] = Counter()
    for row in rows:
        for concept in concepts.get(row.version, ()):
            n[concept] += 1
            right[concept] += row.right is True
    return {concept: (n[concept], right[concept]) for concept in sorted(n)}


def _latest(rows: Iterable[Row]) -> tuple[int, ...]:
    ended = {row.session: row.finished for row in rows if row.finished and row.mode not in SINGLE}
    return tuple(sorted(ended, key=lambda session: (ended[session], session), reverse=True)[:LATEST])


def pack(kept: Tally) -> str:
    """The stored form: ids as differences, so that a question takes two or three bytes."""
    return json.dumps(
        {
            "zone": kept.zone,
            **{name: _gaps(getattr(kept, name)) for name in ("seen", "unshown", "missed", "answered")},
            "only_seen": _gaps(kept.seen ^ kept.met),
            "oldest": kept.oldest,
            "paces": _gaps(map(_code, kept.paces)),
            "days": {date.isoformat(): _packed(day) for date, day in sorted(kept.days.items())},
            "firsts": kept.firsts,
            "concepts": [(concept, *counts) for concept, counts in kept.concepts.items()],
            "mock_at": kept.mock_at.isoformat() if kept.mock_at else None,
            "latest": kept.latest,
        },
        separators=(",", ":"),
    )


def unpack(text: str) -> Tally:
    """The inverse of ``pack``."""
    kept = json.loads(text)
    ids = {name: frozenset(accumulate(kept[name])) for name in ("seen", "unshown", "missed", "answered")}
    return Tally(
        zone=kept["zone"],
        **ids,
        met=ids["seen"] ^ frozenset(accumulate(kept.get("only_seen", ()))),
        oldest=tuple(kept.get("oldest", ())),
        paces=_paces(kept["paces"]),
        days={dt.date.fromisoformat(date): _unpacked(*day) for date, day in kept["days"].items()},
        firsts=tuple(First(*each) for each in kept["firsts"]),
        concepts={concept: (n, right) for concept, n, right in kept["concepts"]},
        mock_at=dt.datetime.fromisoformat(kept["mock_at"]) if kept["mock_at"] else None,
        latest=tuple(kept["latest"]),
    )


def paces_in(text: str) -> Paces:
    """Only the paces, from a tally's stored form."""
    return _paces(json.loads(text)["paces"])


class Seen(NamedTuple):
    """The questions seen: all, those of them whose solution was shown, and those seen longest ago, in order."""

    all: frozenset[int]
    shown: frozenset[int]
    oldest: tuple[int, ...]


def past_in(text: str) -> Seen:
    """Only the questions seen, from a tally's stored form; in one stored before ``oldest`` was, nothing is oldest."""
    kept = json.loads(text)
    seen = frozenset(accumulate(kept["seen"]))
    return Seen(seen, seen.difference(accumulate(kept["unshown"])), tuple(kept.get("oldest", ())))


def met_in(text: str) -> frozenset[int] | None:
    """Only the questions met, from a tally's stored form; None in one stored before it knew."""
    kept = json.loads(text)
    if "only_seen" not in kept:
        return None
    return frozenset(accumulate(kept["seen"])).symmetric_difference(accumulate(kept["only_seen"]))


def seen_in(text: str) -> frozenset[int]:
    """Only the questions seen, from a tally's stored form."""
    return frozenset(accumulate(json.loads(text)["seen"]))


def _paces(kept: Iterable[int]) -> Paces:
    return tuple((-each, None) if each < 0 else (each // 2, bool(each % 2)) for each in accumulate(kept))


def _gaps(ids: Iterable[int]) -> list[int]:
    return [high - low for low, high in pairwise([0, *sorted(ids)])]


def _packed(day: Day) -> list[object]:
    return [day.answers, day.seconds, day.reviews, *([sorted(day.domains.items())] if day.domains else [])]


def _unpacked(answers: int, seconds: int, reviews: int, domains: Iterable[tuple[int, int]] = ()) -> Day:
    return Day(answers, seconds, reviews, dict(domains))
