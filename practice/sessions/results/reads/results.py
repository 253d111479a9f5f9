"""The results of a finished session: the score first, then how it came about."""

from __future__ import annotations

import datetime as dt
import statistics
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from courseiva.common.masks import places_from_mask
from courseiva.common.quick.statements import composed_once
from practice.learners.reads.zones import zone_of
from practice.sessions.ending.outages.models import TimeCredit
from practice.sessions.ending.outages.reads import credits_of
from practice.sessions.models import Confidence, LateAnswer, Mode, PracticeSession, SessionItem
from practice.sessions.reads.history import SheetCell, session_name
from practice.sessions.reads.shown import items_of
from practice.sessions.scoring.models import RegradeNotice
from practice.sessions.scoring.reads import Key, keys_in_force
from practice.sessions.scoring.rules import predictive_range, told_share
from questions.catalogue.models import BlueprintDomain
from questions.versions.models.versions import QuestionVersion
from questions.versions.reads.breakdowns import LETTERS

FILTERS = {
    "all": "All",
    "through": "Worth going through",
    "wrong": "Missed",
    "flagged": "Flagged",
    "guessed": "Guessed",
    "slow": "Slow",
    "late": "Late",
}
THROUGH = ("wrong", "flagged", "guessed", "slow")
"""What is worth another look; "through" means any of them."""
SIGNS, SIGNS_A_ROW = {True: "●", False: "✗", None: "○"}, 10
UNANSWERED, SHOWN, WITHHELD = "unanswered", "answer shown", "answered"
WORDS = {True: "right", False: "wrong", None: "unanswered"}
LABELS = {0: "", **{each.value: each.label for each in Confidence}}
GUESS = LABELS[Confidence.GUESS.value]


@dataclass(frozen=True)
class ResultRow:
    """One question of a finished session. ``withheld``: neither title and solution nor an answer's mark are shown.

    ``is_correct`` counts in the score all the same; what a page shows is ``mark``.
    """

    position: int
    title: str
    domain: int
    is_correct: bool | None
    withheld: bool
    chosen: str
    flagged: bool
    confidence: str
    slow: bool
    late: bool
    late_right: bool
    seconds: int
    seen_before: bool
    variant_seen: bool
    revealed: bool
    changes: int
    change: str

    @property
    def mark(self) -> bool | None:
        """Right, wrong or nothing. Nothing for a withheld answer: its mark would give away the key."""
        return None if self.withheld and self.chosen else self.is_correct

    @property
    def word(self) -> str:
        if self.is_correct is False and not self.chosen:
            return UNANSWERED
        if self.withheld:
            return WITHHELD
        return SHOWN if self.revealed else WORDS[self.is_correct]

    @property
    def label(self) -> str:
        """What a screen reader says for its cell."""
        parts = [f"Question {self.position}", self.word]
        return ", ".join(parts + ["flagged"] * self.flagged + ["an answer arrived late"] * self.late)

    @property
    def cell(self) -> SheetCell:
        """Its cell on the marked sheet."""
        return SheetCell(bool(self.chosen), self.mark, self.flagged, self.late)

    @property
    def notes(self) -> list[str]:
        """What else is worth knowing besides the time it took."""
        marks = {
            "slow": self.slow,
            "flagged": self.flagged,
            "seen before": self.seen_before,
            "variant of a question seen before": self.variant_seen,
            "arrived late": self.late,
        }
        return [self.confidence.lower()] * bool(self.confidence) + [name for name, on in marks.items() if on]

    def fits(self, name: str) -> bool:
        """Whether this row passes a filter of the list."""
        if name == "through":
            return any(self.fits(each) for each in THROUGH)
        if name == "wrong":
            return self.mark is False
        if name == "guessed":
            return self.confidence == GUESS
        return bool(getattr(self, name)) if name in ("flagged", "slow", "late") else True


@dataclass(frozen=True)
class DomainRow:
    number: int
    name: str
    right: int
    answered: int

    @property
    def percent(self) -> int | None:
        return told_share(self.right, self.answered)


@dataclass(frozen=True)
class Outlook:
    """The likely score of another session of unseen questions, in percent, and the evidence for it."""

    low: int
    high: int
    count: int
    base: int
    only_fresh: bool

    @property
    def width(self) -> int:
        """Width of the band, in percent."""
        return self.high - self.low


@dataclass(frozen=True)
class Filter:
    """A filter of the list, how many rows it shows, and the first row whose solution may be read."""

    key: str
    name: str
    count: int
    first: int | None = None
    to_read: int = 0


@dataclass(frozen=True)
class ResultsPage:
    """A finished session. ``late_score`` is the score with late answers; None without any.

    ``fresh``, ``variants`` (of a question seen before) and ``seen`` are right answers and totals.
    """

    session: PracticeSession
    name: str
    rows: list[ResultRow]
    shown: list[ResultRow]
    active: str
    filters: list[Filter]
    domains: list[DomainRow]
    percent: int | None
    pass_mark: int | None
    outlook: Outlook | None
    missed: list[int]
    withheld: int
    answered: int
    late: int
    late_score: int | None
    fresh: tuple[int, int]
    variants: tuple[int, int]
    seen: tuple[int, int]
    median_seconds: int | None
    seconds: int
    right_to_wrong: int
    wrong_to_right: int
    last_answer_at: dt.datetime | None
    regrades: list[RegradeNotice]
    credits: list[TimeCredit]
    zone: dt.tzinfo

    @property
    def through(self) -> Filter:
        """Rows worth going through: missed, flagged, guessed or slow."""
        return next(each for each in self.filters if each.key == "through")

    @property
    def ways(self) -> list[Filter]:
        """The parts that have something to show."""
        return [each for each in self.filters if each.key in THROUGH and each.to_read]

    @property
    def is_shared(self) -> bool:
        """Whether there is a score to share; a check has none."""
        return bool(self.session.total) and self.session.mode != Mode.CHECK

    @property
    def sheet_lines(self) -> list[str]:
        """The marked answer sheet as text symbols."""
        signs = "".join(SIGNS[row.mark] for row in self.rows)
        return [signs[start : start + SIGNS_A_ROW] for start in range(0, len(signs), SIGNS_A_ROW)]

    @property
    def passed(self) -> bool:
        """Whether the practice pass mark was reached."""
        return None not in (self.percent, self.pass_mark) and 100 * (self.session.score or 0) >= (
            (self.pass_mark or 0) * self.session.total
        )


def results_page(session: PracticeSession, active: str = "all") -> ResultsPage:
    """The results in seven queries, whatever the number of questions; one more if time was given back."""
    items = items_of(session)
    rows = result_rows(session, items)
    active = active if active in FILTERS else "all"
    marked = [row for row in rows if row.is_correct is not None]
    fresh = _tally([row for row in marked if not (row.seen_before or row.variant_seen)])
    late = sum(row.late for row in rows)
    return ResultsPage(
        session=session,
        name=session_name(session),
        rows=rows,
        shown=[row for row in rows if row.fits(active)],
        active=active,
        filters=[_filter(key, name, rows) for key, name in FILTERS.items()],
        domains=_domains(session, marked),
        percent=round(100 * (session.score or 0) / session.total) if session.total else None,
        pass_mark=session.blueprint.pass_mark if session.blueprint else None,
        outlook=_outlook(session, fresh),
        missed=[row.position for row in rows if row.is_correct is False and not row.withheld],
        withheld=sum(row.withheld for row in rows),
        answered=sum(bool(row.chosen) for row in rows),
        late=late,
        late_score=sum(row.late_right if row.late else bool(row.is_correct) for row in rows) if late else None,
        fresh=fresh,
        variants=_tally([row for row in marked if row.variant_seen]),
        seen=_tally([row for row in marked if row.seen_before]),
        median_seconds=_median(items),
        seconds=sum(row.seconds for row in rows),
        right_to_wrong=sum(row.change == "right to wrong" for row in rows),
        wrong_to_right=sum(row.change == "wrong to right" for row in rows),
        last_answer_at=max((item.answered_at for item in items if item.answered_at), default=None),
        regrades=_regrades(session, {row.position for row in rows if row.withheld}),
        credits=credits_of(session),
        zone=zone_of(session.learner),
    )


def _filter(key: str, name: str, rows: Sequence[ResultRow]) -> Filter:
    fitting = [row for row in rows if row.fits(key)]
    readable = [row.position for row in fitting if not row.withheld]
    return Filter(key, name, len(fitting), readable[0] if readable else None, len(readable))


def result_rows(
    session: PracticeSession, items: Sequence[SessionItem], keys: Mapping[int, Key] | None = None
) -> list[ResultRow]:
    """A row for each item, in three queries, or two if the current keys are already known.

    Only for items that may be shown with their solution.
    """
    versions = {pk: (title, domain) for pk, title, domain in _facts([item.version_id for item in items])}
    keys = keys or keys_in_force(versions)
    late = dict(_late(session.pk))
    median = _median(items)
    return [
        _row(item, *versions[item.version_id], keys[item.version_id], median, late.get(item.position)) for item in items
    ]


@composed_once
def _facts(versions: Collection[int]) -> QuerySet[QuestionVersion, tuple[int, str, int]]:
    rows = QuestionVersion.objects.filter(pk__in=versions).order_by()
    return rows.values_list("pk", "title", "domain__number")


@composed_once
def _late(session: int) -> QuerySet[LateAnswer, tuple[int, int]]:
    return LateAnswer.objects.filter(session=session).values_list("position", "selected")


def export_rows(page: ResultsPage) -> list[list[object]]:
    """The table of the CSV export, its head first."""
    names = {domain.number: domain.name for domain in page.domains}
    head: list[object] = [
        "position", "title", "domain", "domain name", "result", "chosen", "seconds", "changes", "changed", "flagged",
        "confidence", "seen before", "variant seen before", "arrived late",
    ]  # fmt: skip
    return [head] + [
        [row.position, row.title, row.domain, names.get(row.domain, ""), row.word, row.chosen, row.seconds,
         row.changes, row.change, _yes(row.flagged), row.confidence, _yes(row.seen_before),
         _yes(row.variant_seen), _yes(row.late)]
        for row in page.rows
    ]  # fmt: skip


def _row(item: SessionItem, title: str, domain: int, key: Key, median: int | None, late: int | None) -> ResultRow:
    return ResultRow(
        position=item.position,
        title="" if item.withheld else title,
        domain=domain,
        is_correct=item.is_correct,
        withheld=item.withheld,
        chosen=" ".join(LETTERS[place] for place in places_from_mask(item.selected, item.option_order)),
        flagged=item.flagged,
        confidence=LABELS[item.confidence or 0],
        slow=bool(median and item.seconds > 2 * median),
        late=late is not None,
        late_right=late is not None and bool(item.is_correct if item.withheld else key.mark(late)),
        seconds=item.seconds,
        seen_before=item.seen_before,
        variant_seen=item.variant_seen,
        revealed=item.revealed,
        changes=item.changes,
        change=_change(item, key),
    )


def _change(item: SessionItem, key: Key) -> str:
    """The effect of changing the answer: the first selection compared with the last."""
    if not item.changes or item.withheld or item.first_selected == item.selected:
        return ""
    before, after = bool(key.mark(item.first_selected)), bool(item.is_correct)
    return f"{WORDS[before]} to {WORDS[after]}"


def _regrades(session: PracticeSession, withheld: set[int]) -> list[RegradeNotice]:
    """What corrected keys changed here, except anything that would give away a withheld question's key."""
    return [notice for notice in _notices(session.pk) if notice.position not in withheld]


@composed_once
def _notices(session: int) -> QuerySet[RegradeNotice]:
    return RegradeNotice.objects.filter(session=session).select_related("regrade")


def _domains(session: PracticeSession, marked: list[ResultRow]) -> list[DomainRow]:
    """The domains in the session, with their names in the session's guide or the current one."""
    domains = []
    for number, name in _printed(session.exam_id, session.blueprint_id):
        marks = [bool(row.is_correct) for row in marked if row.domain == number]
        if marks:
            domains.append(DomainRow(number, name, sum(marks), len(marks)))
    return domains


@composed_once
def _printed(exam: int, blueprint: int | None) -> QuerySet[BlueprintDomain, tuple[int, str]]:
    rows = BlueprintDomain.objects.filter(domain__exam=exam).order_by("domain__number")
    rows = rows.filter(blueprint=blueprint) if blueprint else rows.filter(blueprint__is_current=True)
    return rows.values_list("domain__number", "name")


def _outlook(session: PracticeSession, fresh: tuple[int, int]) -> Outlook | None:
    """From first-seen questions if they are at least half, otherwise from all of them."""
    total = session.total
    if session.mode != Mode.MOCK or not total:
        return None
    only_fresh = 2 * fresh[1] >= total
    right, base = fresh if only_fresh else (session.score or 0, total)
    low, high = predictive_range(right, base, total)
    return Outlook(round(100 * low / total), round(100 * high / total), total, base, only_fresh and base < total)


def _tally(part: list[ResultRow]) -> tuple[int, int]:
    return sum(bool(row.is_correct) for row in part), len(part)


def _median(items: Sequence[SessionItem]) -> int | None:
    values = [item.seconds for item in items if item.seconds]
    return round(statistics.median(values)) if values else None


def _yes(value: bool) -> str:
    return "yes" if value else "no"
