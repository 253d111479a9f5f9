"""The mock's start page."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Count

from practice.assembly import allocate, largest_fair_count, shortfall
from practice.models import Learner, Mode, PracticeSession
from practice.picking import available, live_versions, seen_questions
from questions.models import Blueprint, Exam

SHORTER = (50, 40, 30, 20, 10)


@dataclass(frozen=True)
class SectionShare:
    """How many questions of a mock come from a section, and how many of these the learner has seen."""

    number: int
    name: str
    weight: Decimal
    count: int
    seen: int


@dataclass(frozen=True)
class MockPage:
    """What the start page says."""

    blueprint: Blueprint
    count: int
    counts: list[int]
    minutes: int
    sections: list[SectionShare]
    running: PracticeSession | None
    time_factor: str

    @property
    def seen(self) -> int:
        """How many of the questions the learner was shown before."""
        return sum(section.seen for section in self.sections)

    @property
    def is_short(self) -> bool:
        """The bank cannot fill the exam's full length."""
        return self.count < self.blueprint.question_count


def chosen_blueprint(exam: Exam, key: str) -> Blueprint:
    """The guide asked for, or the current one."""
    guides = {guide.key: guide for guide in exam.blueprints.all()}
    return guides.get(key) or next(guide for guide in guides.values() if guide.is_current)


def mock_counts(exam: Exam, key: str) -> list[int]:
    """The lengths on offer: the exam's own, or the longest the bank can fill exactly, and shorter ones."""
    blueprint = chosen_blueprint(exam, key)
    weights = list(blueprint.domains.values_list("domain_id", "weight"))
    have = available(exam)
    longest = largest_fair_count(weights, blueprint.question_count, have)
    shorter = [n for n in SHORTER if n < longest and not shortfall(allocate(weights, n), have)]
    return ([longest] if longest else []) + shorter


def mock_page(exam: Exam, learner: Learner | None, key: str = "") -> MockPage:
    """The start page for this learner."""
    blueprint = chosen_blueprint(exam, key)
    counts = mock_counts(exam, blueprint.key)
    count = counts[0] if counts else 0
    parts = list(blueprint.domains.select_related("domain"))
    wanted = allocate([(part.domain_id, part.weight) for part in parts], count)
    unseen = dict(
        live_versions(exam)
        .exclude(question_id__in=seen_questions(learner))
        .values_list("domain_id")
        .annotate(n=Count("pk"))
        .order_by()
    )
    sections = [
        SectionShare(
            number=part.domain.number,
            name=part.name,
            weight=part.weight.normalize(),
            count=wanted[part.domain_id],
            seen=max(0, wanted[part.domain_id] - unseen.get(part.domain_id, 0)),
        )
        for part in parts
    ]
    return MockPage(
        blueprint=blueprint,
        count=count,
        counts=counts,
        minutes=round(blueprint.minutes * count / blueprint.question_count),
        sections=sections,
        running=running_mock(exam, learner),
        time_factor=f"{learner.time_factor.normalize():f}" if learner else "1",
    )


def running_mock(exam: Exam, learner: Learner | None) -> PracticeSession | None:
    """The learner's open mock."""
    rows = PracticeSession.objects.filter(exam=exam, mode=Mode.MOCK, finished_at=None, discarded_at=None)
    return rows.filter(learner=learner).first() if learner else None
