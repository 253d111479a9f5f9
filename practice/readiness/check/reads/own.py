"""What a check's answers say on their own, without anything else the learner has done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from practice.measurement.ability.rules.belief import GivenAnswer, LearnerState, Population, newcomer, update
from practice.measurement.ability.rules.pass_chance import (
    Mock,
    abilities,
    central_range,
    passing,
    score_distribution,
)
from practice.measurement.calibration.reads import Bank, Banks, asked
from practice.readiness.check.rules import MOST, is_known, is_sure
from practice.readiness.rules import bounded, word_for
from practice.sessions.models import Ended, PracticeSession
from practice.sessions.reads.units import unit_at
from questions.versions.models.versions import QuestionVersion


@dataclass(frozen=True)
class Own:
    """What a check has found so far. ``chance``, ``low`` and ``high`` are about the next fresh mock."""

    bank: Bank
    state: LearnerState
    domains: tuple[int, ...]
    answers: int
    chance: float
    low: int
    high: int
    count: int
    needed: int

    @property
    def is_measured(self) -> bool:
        """Difficulties come from a calibration, not from editors' labels alone."""
        return self.bank.calibration is not None

    @property
    def is_known(self) -> bool:
        """Whether the check may stop."""
        return is_known(self.state.firsts, self.domains, self.chance)


@dataclass(frozen=True)
class CheckResult:
    """A finished check. ``word`` is empty if it ended before every domain was asked: then nothing can be said.

    ``stopped``: it ended because it was sure. ``corrected``: a key corrected since has changed its result.
    """

    own: Own
    word: str
    percent: int
    stopped: bool
    corrected: bool
    saved: int
    pass_mark: int

    @property
    def is_full(self) -> bool:
        """Whether it went on to its last question."""
        return self.own.answers >= MOST

    @property
    def low_percent(self) -> int:
        return round(100 * self.own.low / self.own.count)

    @property
    def high_percent(self) -> int:
        return round(100 * self.own.high / self.own.count)

    @property
    def width(self) -> int:
        """Width of the range, in percent."""
        return self.high_percent - self.low_percent


def own_of(session: PracticeSession) -> Own | None:
    """What a check's marked answers say, with the calibration at its start; None if no mock can be drawn.

    It uses one calibration for the whole check and its result, so that the result is what it stopped for.
    """
    if session.blueprint is None:
        return None
    bank = Banks(session.exam).at(session.started_at)
    columns = ("version", "version__question", "version__domain", "is_correct", "first_exposure")
    marked = session.items.filter(is_correct__isnull=False, version__is_basic=False).order_by("position")
    rows = list(marked.annotate(unit=unit_at("version__question")).values_list(*columns, "unit"))
    mock = bank.mock(session.blueprint, {unit for *_, unit in rows})
    if mock is None:
        return None
    beliefs = bank.beliefs(asked(QuestionVersion.objects.filter(pk__in={row[0] for row in rows})))
    given = [
        GivenAnswer(0.0, domain, question, beliefs[version], right, bool(first))
        for version, question, domain, right, first, _ in rows
    ]
    return _own(bank, mock, given, bank.population)


def _own(bank: Bank, mock: Mock, given: Sequence[GivenAnswer], population: Population) -> Own:
    state = newcomer(population)
    for answer in given:
        state = update(state, answer, population).state
    domains = tuple(mock.counts)
    scores = score_distribution(abilities(state, domains, population), mock)
    low, high = central_range(scores)
    chance = passing(scores, mock.needed)
    return Own(bank, state, domains, len(given), chance, low, high, mock.questions, mock.needed)


def check_result(session: PracticeSession) -> CheckResult | None:
    """The result of a finished check; None if nothing was answered."""
    own = own_of(session)
    if own is None or not own.answers or session.blueprint is None:
        return None
    stopped = session.ended == Ended.KNOWN
    met = all(own.state.firsts.get(domain, 0) for domain in own.domains)
    return CheckResult(
        own=own,
        word=word_for(own.chance) if met else "",
        percent=bounded(own.chance),
        stopped=stopped,
        corrected=stopped and not is_sure(own.chance),
        saved=max(0, MOST - own.answers) if stopped else 0,
        pass_mark=session.blueprint.pass_mark,
    )
