"""The map of an exam: of each domain and concept what was seen, what was right, and nothing where little is known."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from practice.learners.models import Learner
from practice.measurement.ability.rules.pass_chance import NEEDED_IN_DOMAIN
from practice.sessions.models import Confidence, SessionItem
from practice.sessions.reads.marked import marked_answers
from practice.sessions.reads.units import seen_units
from practice.start.reads.picking import live_versions
from questions.catalogue.models import Concept, Exam


@dataclass(frozen=True)
class Score:
    """First answers, and how many of them were right."""

    right: int = 0
    answered: int = 0

    @property
    def percent(self) -> int | None:
        """None below three answers, which say too little for a share."""
        return round(100 * self.right / self.answered) if self.answered >= NEEDED_IN_DOMAIN else None


@dataclass(frozen=True)
class Tile:
    """A concept: its units in the bank, those this learner has met, and the first answers given to them."""

    key: str
    name: str
    total: int
    seen: int
    score: Score

    @property
    def state(self) -> str:
        """``unmet``, ``few`` answers, or ``read``: three or more, of which a share is told."""
        if self.score.percent is not None:
            return "read"
        return "few" if self.seen or self.score.answered else "unmet"

    @property
    def gap(self) -> int:
        """How far from the top of its box the filling begins, in percent."""
        return 100 - (self.score.percent or 0)


@dataclass(frozen=True)
class Sureness:
    """First answers given with one confidence, 1 to 3."""

    confidence: int
    name: str
    score: Score

    @property
    def wrong(self) -> int:
        return self.score.answered - self.score.right

    @property
    def is_sure(self) -> bool:
        return self.confidence == Confidence.SURE


@dataclass(frozen=True)
class FirstAnswers:
    """All first answers of a learner in an exam, by domain and by what they said of them, surest first."""

    total: Score
    by_domain: dict[int, Score]
    sureness: list[Sureness]


def first_answers(learner: Learner, exam: Exam) -> FirstAnswers:
    """In one statement. Blanks are none, and an answer in a running mock is not marked yet."""
    rows = _firsts(learner, exam).values_list("version__domain", "confidence")
    counted = list(rows.annotate(n=Count("position"), right=Count("position", filter=Q(is_correct=True))))
    domains = {row[0] for row in counted}
    said = sorted({row[1] for row in counted if row[1]}, reverse=True)
    return FirstAnswers(
        total=_sum(counted),
        by_domain={domain: _sum(row for row in counted if row[0] == domain) for domain in domains},
        sureness=[
            Sureness(value, Confidence(value).label, _sum(row for row in counted if row[1] == value)) for value in said
        ],
    )


def tiles(learner: Learner, exam: Exam) -> dict[int, list[Tile]]:
    """By domain id the concepts that have a live question, in the catalogue's order; in three statements."""
    live = live_versions(exam).order_by().values_list("concepts")
    met = Count("unit", distinct=True, filter=Q(unit__in=seen_units(learner)))
    units = {key: (total, seen) for key, total, seen in live.annotate(all=Count("unit", distinct=True), met=met)}
    firsts = _firsts(learner, exam).values_list("version__concepts")
    right = Count("position", filter=Q(is_correct=True))
    scores = {key: Score(hits, n) for key, n, hits in firsts.annotate(n=Count("position"), right=right)}
    found: dict[int, list[Tile]] = defaultdict(list)
    for concept in Concept.objects.filter(domain__exam=exam).order_by("domain", "pk"):
        if concept.pk in units:
            total, seen = units[concept.pk]
            tile = Tile(concept.key, concept.name, total, seen, scores.get(concept.pk, Score()))
            found[concept.domain_id].append(tile)
    return found


def _firsts(learner: Learner, exam: Exam) -> QuerySet[SessionItem]:
    """None to a variant of what was met before: it counts in part only, and a share of whole answers has no parts."""
    firsts = marked_answers(learner).filter(session__exam=exam, first_exposure=True, variant_seen=False)
    return firsts.order_by()


def _sum(rows: Iterable[tuple[int, int | None, int, int]]) -> Score:
    mine = list(rows)
    return Score(sum(row[3] for row in mine), sum(row[2] for row in mine))
