"""The results of a finished sitting: score first, then where it came from."""

from __future__ import annotations

import statistics
from dataclasses import dataclass

from practice.models import Confidence, LateAnswer, Mode, PracticeSession, SessionItem
from practice.scoring import is_right, predictive_range
from questions.breakdowns import LETTERS, Breakdown, breakdown_of, concept_names
from questions.masks import places_from_mask
from questions.models import BlueprintDomain, QuestionVersion

FILTERS = ("all", "wrong", "flagged", "guessed", "slow", "late")


@dataclass(frozen=True)
class ResultRow:
    """One question of the list."""

    position: int
    title: str
    domain_id: int
    is_correct: bool | None
    answered: bool
    flagged: bool
    guessed: bool
    slow: bool
    late: bool
    seconds: int
    seen_before: bool
    changes: int
    change: str
    version_id: int

    @property
    def word(self) -> str:
        """The mark in words."""
        if self.is_correct is None:
            return "not answered"
        return "right" if self.is_correct else ("wrong" if self.answered else "left open")

    @property
    def name(self) -> str:
        """The full name of its cell."""
        return f"Question {self.position}, {self.word}" + (", flagged" if self.flagged else "")


@dataclass(frozen=True)
class SectionRow:
    """A domain's share of the result."""

    number: int
    name: str
    right: int
    total: int

    @property
    def percent(self) -> int:
        """Of this section's questions."""
        return round(100 * self.right / self.total) if self.total else 0


@dataclass(frozen=True)
class ResultsPage:
    """A finished sitting."""

    session: PracticeSession
    rows: list[ResultRow]
    shown: list[ResultRow]
    active: str
    counts: dict[str, int]
    sections: list[SectionRow]
    percent: int | None
    pass_mark: int | None
    next_low: int | None
    next_high: int | None
    next_count: int | None
    late_score: int | None
    fresh: tuple[int, int]
    seen: tuple[int, int]
    median_seconds: int | None
    right_to_wrong: int
    wrong_to_right: int
    answered: int

    @property
    def missed(self) -> int:
        """Wrong or left open."""
        return self.counts["wrong"]


def results_page(session: PracticeSession, active: str = "all") -> ResultsPage:
    """The results in at most eight statements, whatever the number of questions."""
    items = list(session.items.order_by("position"))
    versions = QuestionVersion.objects.select_related("solution").in_bulk([item.version_id for item in items])
    late = {answer.position: answer for answer in LateAnswer.objects.filter(session=session)}
    median = _median([item.seconds for item in items if item.seconds])
    rows = [_row(item, versions[item.version_id], median, item.position in late) for item in items]
    counts = {name: len(filtered(rows, name)) for name in FILTERS}
    active = active if active in FILTERS else "all"
    answered = sum(row.answered for row in rows)
    base = session.total
    low = high = coming = None
    if base and session.mode == Mode.MOCK:
        coming = base
        low, high = (round(100 * k / coming) for k in predictive_range(*_fresh_base(rows, session), coming))
    return ResultsPage(
        session=session,
        rows=rows,
        shown=filtered(rows, active),
        active=active,
        counts=counts,
        sections=_sections(session, rows),
        percent=round(100 * (session.score or 0) / base) if base else None,
        pass_mark=session.blueprint.pass_mark if session.blueprint else None,
        next_low=low,
        next_high=high,
        next_count=coming,
        late_score=_late_score(items, versions, late),
        fresh=_tally(rows, seen_before=False),
        seen=_tally(rows, seen_before=True),
        median_seconds=median,
        right_to_wrong=sum(row.change == "right to wrong" for row in rows),
        wrong_to_right=sum(row.change == "wrong to right" for row in rows),
        answered=answered,
    )


def filtered(rows: list[ResultRow], name: str) -> list[ResultRow]:
    """The rows a filter of the list shows."""
    tests = {
        "wrong": lambda row: row.is_correct is False,
        "flagged": lambda row: row.flagged,
        "guessed": lambda row: row.guessed,
        "slow": lambda row: row.slow,
        "late": lambda row: row.late,
    }
    return [row for row in rows if name not in tests or tests[name](row)]


def item_breakdown(session: PracticeSession, position: int) -> tuple[SessionItem, QuestionVersion, Breakdown] | None:
    """One question of a finished sitting, or a checked one of a running drill; None for any other."""
    item = session.items.filter(position=position).first()
    if item is None or not (session.finished_at or item.checked_at):
        return None
    version = QuestionVersion.objects.select_related("solution", "question__exam").get(pk=item.version_id)
    return item, version, breakdown_of(version, item.option_order, item.selected, concept_names([version]))


def letters(mask: int, order: str) -> str:
    """The letters of a mask as this sitting showed them."""
    return " ".join(LETTERS[place] for place in places_from_mask(mask, order))


def _row(item: SessionItem, version: QuestionVersion, median: int | None, late: bool) -> ResultRow:
    return ResultRow(
        position=item.position,
        title=version.title,
        domain_id=version.domain_id,
        is_correct=item.is_correct,
        answered=bool(item.selected),
        flagged=item.flagged,
        guessed=item.confidence == Confidence.GUESS,
        slow=bool(median and item.seconds > 2 * median),
        late=late,
        seconds=item.seconds,
        seen_before=item.seen_before,
        changes=item.changes,
        change=_change(item, version.solution.key_mask),
        version_id=version.pk,
    )


def _change(item: SessionItem, key: int) -> str:
    if not item.changes or item.first_selected == item.selected:
        return ""
    before, after = is_right(item.first_selected, key), bool(item.is_correct)
    if before == after:
        return "wrong to wrong"
    return "right to wrong" if before else "wrong to right"


def _sections(session: PracticeSession, rows: list[ResultRow]) -> list[SectionRow]:
    printed = BlueprintDomain.objects.select_related("domain").filter(domain__in={row.domain_id for row in rows})
    if session.blueprint_id:
        printed = printed.filter(blueprint=session.blueprint_id)
    else:
        printed = printed.filter(blueprint__is_current=True)
    judged = [row for row in rows if row.is_correct is not None]
    return [
        SectionRow(
            number=part.domain.number,
            name=part.name,
            right=sum(bool(row.is_correct) for row in judged if row.domain_id == part.domain_id),
            total=sum(row.domain_id == part.domain_id for row in judged),
        )
        for part in printed.order_by("domain__number")
    ]


def _fresh_base(rows: list[ResultRow], session: PracticeSession) -> tuple[int, int]:
    right, total = _tally(rows, seen_before=False)
    return (right, total) if total >= session.total / 2 else (session.score or 0, session.total)


def _tally(rows: list[ResultRow], *, seen_before: bool) -> tuple[int, int]:
    part = [row for row in rows if row.seen_before == seen_before and row.is_correct is not None]
    return sum(bool(row.is_correct) for row in part), len(part)


def _late_score(
    items: list[SessionItem], versions: dict[int, QuestionVersion], late: dict[int, LateAnswer]
) -> int | None:
    """The score had the late answers counted; the last one of each question decides."""
    if not late:
        return None
    masks = {item.position: late[item.position].selected if item.position in late else item.selected for item in items}
    return sum(is_right(masks[i.position], versions[i.version_id].solution.key_mask) for i in items)


def _median(values: list[int]) -> int | None:
    return round(statistics.median(values)) if values else None


def export_rows(session: PracticeSession) -> list[list[object]]:
    """The table of the CSV export, its head first."""
    page = results_page(session)
    items = {item.position: item for item in session.items.all()}
    names = {section.number: section.name for section in page.sections}
    numbers = dict(
        BlueprintDomain.objects.filter(domain__in={row.domain_id for row in page.rows}).values_list(
            "domain_id", "domain__number"
        )
    )
    head = ["position", "title", "section", "result", "chosen", "seconds", "flagged", "confidence", "seen before"]
    rows: list[list[object]] = [list(head)]
    for row in page.rows:
        item = items[row.position]
        rows.append(
            [
                row.position,
                row.title,
                names.get(numbers[row.domain_id], ""),
                row.word,
                letters(item.selected, item.option_order),
                row.seconds,
                "yes" if row.flagged else "no",
                item.get_confidence_display() or "",
                "yes" if row.seen_before else "no",
            ]
        )
    return rows
