"""What to do on each day until the real exam; pure. Recomputed each time, so that anything not done moves on.

1. Today begins with the step that is recommended everywhere (``advise``), in its size; the rest follows its order.
2. No day takes longer than the learner's minutes, except one with a mock, which has nothing else.
3. Reviews come before anything new; those that don't fit into a day wait for the next.
4. Mocks are a week apart. The last unseen one is kept for the last week; those before need a fair chance.
5. The last days have reviews, and that mock if it was missed. On the day of the exam only reviews are left.
6. Everything else rotates: a drill of a domain and some of its unread sections, which come first if the domain is new
   or mostly answered wrong (``next_domain``).
"""

from __future__ import annotations

import datetime as dt
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from practice.readiness.check.rules import MOST
from practice.readiness.rules import (
    BLOCK,
    DUE_FIRST,
    LAST_DAYS,
    LAST_WEEK,
    MEASURE,
    MOCK,
    MOCK_BEFORE_DAYS,
    MOCK_EVERY_DAYS,
    MOCK_FROM,
    PRACTISE,
    READ,
    REST,
    REVIEW,
    Advice,
    DomainFacts,
    Facts,
    advise,
    minutes_for,
    next_domain,
)
from practice.reviews.rules import DAILY, DAY

READ_MINUTES = 10
"""How long to read about a domain before practising it."""
FARTHEST_DAYS = 366
"""A date picker takes the year 9999, and each day is computed at each view. Nobody plans by the day beyond a year."""


@dataclass(frozen=True)
class Section:
    """An unread section of a study module; ``domain`` is the module's domain key."""

    domain: str
    module: int
    anchor: str
    title: str
    minutes: int
    url: str = ""

    @property
    def key(self) -> str:
        """Its name in forms."""
        return f"{self.module}:{self.anchor}"


@dataclass(frozen=True)
class Entry:
    """One task: ``count`` questions, or ``sections`` to read, taking this many minutes. ``kind`` is as in Advice.

    A check has no count: it asks as many as it needs.
    """

    kind: str
    minutes: int
    count: int = 0
    domain: DomainFacts | None = None
    sections: tuple[Section, ...] = ()


@dataclass(frozen=True)
class Day:
    date: dt.date
    entries: tuple[Entry, ...] = ()
    is_exam: bool = False

    @property
    def minutes(self) -> int:
        return sum(entry.minutes for entry in self.entries)


@dataclass(frozen=True)
class Known:
    """What a plan is based on. ``arriving`` reviews become due on each of the coming days, tomorrow first."""

    facts: Facts
    today: dt.date
    mock_count: int
    mock_minutes: int
    arriving: Sequence[int] = ()
    sections: Sequence[Section] = ()


def plan_days(known: Known) -> list[Day]:
    """From today to exam day; empty without both figures, or once the exam is over."""
    return list(_days(known))


def plan_today(known: Known) -> Day | None:
    """The first of these days; doesn't need the following ones."""
    return next(_days(known), None)


def _days(known: Known) -> Iterator[Day]:
    facts = known.facts
    if not facts.is_planned or facts.days_to_exam is None:
        return
    advice = advise(facts)
    mocks, work, waiting = mock_days(known, advice), _Work(known, advice), facts.due
    for ahead in range(min(facts.days_to_exam, FARTHEST_DAYS) + 1):
        waiting += known.arriving[ahead - 1] if 0 < ahead <= len(known.arriving) else 0
        entries, reviewed = _day(known, work, ahead, waiting, ahead in mocks)
        waiting -= reviewed
        yield Day(known.today + ahead * DAY, entries, ahead == facts.days_to_exam)


def mock_days(known: Known, advice: Advice) -> set[int]:
    """The days with a mock: today if one is recommended, then a week apart."""
    facts, end = known.facts, known.facts.days_to_exam or 0
    left, found = facts.unseen_mocks, set()
    free = 0 if facts.days_since_mock is None else max(MOCK_EVERY_DAYS - facts.days_since_mock, 0)
    if advice.kind == MOCK:
        found, left, free = {0}, left - 1, MOCK_EVERY_DAYS
    free = max(free, 1)  # today's mock was recommended, or none is due today
    while left > 1 and (facts.chance or 0) >= MOCK_FROM and free <= end - LAST_WEEK - MOCK_EVERY_DAYS:
        found.add(free)
        left, free = left - 1, free + MOCK_EVERY_DAYS
    last = max(free, end - LAST_WEEK)
    if left > 0 and last <= end - MOCK_BEFORE_DAYS:
        found.add(last)
    return found


def _day(known: Known, work: _Work, ahead: int, waiting: int, is_mock: bool) -> tuple[tuple[Entry, ...], int]:
    """A day's tasks, and how many of the waiting reviews it takes."""
    if is_mock:
        return (Entry(MOCK, known.mock_minutes, known.mock_count),), 0
    facts = known.facts
    left = (facts.minutes_left if ahead == 0 else facts.minutes_a_day) or 0
    count = min(waiting, DAILY, facts.holds(left))
    reviews = [Entry(REVIEW, minutes_for(count, facts.seconds), count)] if count else []
    others = work.take(left - sum(entry.minutes for entry in reviews)) if work.is_new(ahead) else []
    reviews_first = work.advice.kind == REVIEW if ahead == 0 else waiting >= DUE_FIRST
    return tuple([*reviews, *others] if reviews_first else [*others, *reviews]), count


class _Work:
    """Work done in rotation, taken day by day. Whatever doesn't fit into a day stays first for the next."""

    def __init__(self, known: Known, advice: Advice) -> None:
        self.facts, self.advice = known.facts, advice
        self.head: deque[Entry] = deque()
        self.turns = _turns(known, advice)

    def is_new(self, ahead: int) -> bool:
        """Whether a day brings anything new. Today does only if that is recommended."""
        is_before_the_last = (self.facts.days_to_exam or 0) - ahead > LAST_DAYS
        if ahead == 0:
            return self.advice.kind == MEASURE or (is_before_the_last and self.advice.kind != REST)
        return is_before_the_last

    def take(self, left: int) -> list[Entry]:
        """Take as much as fits into these minutes, in order."""
        taken: list[Entry] = []
        while left > 0:
            entry = self.head.popleft() if self.head else next(self.turns, None)
            if entry is None:
                break
            part, rest = self._part(entry, left, is_first=not taken)
            if rest:
                self.head.appendleft(rest)
            if part is None:
                break
            taken.append(part)
            left -= part.minutes
        return taken

    def _part(self, entry: Entry, left: int, *, is_first: bool) -> tuple[Entry | None, Entry | None]:
        """The part of an entry that fits, and the rest. The rest of a drill is dropped: it has had its turn."""
        if entry.minutes <= left:
            return entry, None
        if entry.kind == READ:
            return _some_sections(entry, left, is_first=is_first)
        if not entry.count:
            return replace(entry, minutes=left), None
        count = self.facts.holds(left)
        if count < self.facts.smallest:
            return None, entry
        return replace(entry, count=count, minutes=minutes_for(count, self.facts.seconds)), None


def _some_sections(entry: Entry, left: int, *, is_first: bool) -> tuple[Entry | None, Entry | None]:
    """The sections that fit; one longer than a whole day is split."""
    fitting: list[Section] = []
    for section in entry.sections:
        if sum(each.minutes for each in fitting) + section.minutes > left:
            break
        fitting.append(section)
    if fitting:
        return _reading(fitting, entry.domain), _reading(entry.sections[len(fitting) :], entry.domain)
    if not is_first:
        return None, entry
    first, *others = entry.sections
    part = replace(entry, minutes=left, sections=(replace(first, minutes=left),))
    return part, _reading([replace(first, minutes=first.minutes - left), *others], entry.domain)


def _reading(sections: Sequence[Section], domain: DomainFacts | None) -> Entry:
    return Entry(READ, sum(section.minutes for section in sections), domain=domain, sections=tuple(sections))


def _turns(known: Known, advice: Advice) -> Iterator[Entry]:
    """Today's recommendation, with its size, then the domains in endless rotation."""
    facts = known.facts
    if advice.kind == MEASURE:
        yield Entry(MEASURE, minutes_for(advice.count or MOST, facts.seconds), advice.count)
    size = advice.count if advice.kind == PRACTISE else BLOCK
    drilled = {domain.key: domain.recent for domain in facts.domains}
    unread = {domain.key: deque(_of_domain(known.sections, domain.key)) for domain in facts.domains}
    while facts.domains and not facts.is_last_days:
        domain = next_domain(facts.domains, drilled)
        drill = Entry(PRACTISE, minutes_for(size, facts.seconds), size, domain)
        parts = [_next_reading(unread[domain.key], domain), drill]
        yield from (part for part in (parts if domain.reads_first(drilled[domain.key]) else parts[::-1]) if part)
        drilled[domain.key] += BLOCK
        size = BLOCK


def _of_domain(sections: Sequence[Section], key: str) -> list[Section]:
    return [section for section in sections if section.domain == key]


def _next_reading(unread: deque[Section], domain: DomainFacts) -> Entry | None:
    """The next sections of one module: at least one, together at most READ_MINUTES."""
    taken: list[Section] = []
    while unread and (not taken or unread[0].module == taken[0].module):
        if taken and sum(each.minutes for each in taken) + unread[0].minutes > READ_MINUTES:
            break
        taken.append(unread.popleft())
    return _reading(taken, domain) if taken else None
