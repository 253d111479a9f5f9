"""Predictions come true however mocks are taken, in a small run of tests/bench/people.py and on the site."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from practice.measurement.ability.rules.belief import GivenAnswer, at, newcomer, update
from practice.measurement.ability.rules.blanks import Clock, Place, blanks
from practice.measurement.ability.rules.pace import PastMock, reach
from practice.measurement.ability.rules.pass_chance import outlook
from practice.measurement.calibration.reads import Banks, asked
from practice.models import Forecast
from practice.readiness.derive.analyse import analyse
from practice.sessions.ending.finish import finish
from practice.sessions.player.save import claim, save
from questions.models import Calibration, ItemParameters, Pool, QuestionVersion
from tests.bench.people import BIAS, BIAS_INTERVAL, COVERED, KINDS, ROWS, Test, judged, lived, measured, table
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.sessions import batch, begin_mock, guest, seconds, state

pytestmark = pytest.mark.long("simulation")

LEARNERS, FEW_WORLDS = 40, 4
DAY = 86400
QUICK_BIAS = 0.15
"""How far a sound forecast for 40 learners may be off: over two standard errors of their pass rate."""


def about_right(row):
    return abs(row.bias) < QUICK_BIAS and 0.7 < row.covered < 0.9


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_predictions_match_outcomes(kind):
    assert about_right(lived(np.random.default_rng(4), LEARNERS, kind))


@pytest.mark.parametrize("row", ROWS[len(KINDS) :], ids=lambda row: row.keywords["name"])
def test_predictions_match_outcomes_after_unusual_first_users(row):
    assert about_right(row(np.random.default_rng(4), LEARNERS, worlds=FEW_WORLDS))


def test_a_biased_prediction_breaks_the_bounds():
    told = [Test(60, 0.9, 44, 50, score) for score in (45, 30, 20, 43)]
    row = judged("flattering", [[each] for each in told] * 20)
    assert row.bias == pytest.approx(0.4)
    assert len(row.broken()) == 2
    lines = table([row], 80).splitlines()
    assert [line for line in lines if line.startswith("| flattering | 80 | 0.900 | 0.500 |")]
    assert all(each in lines[-1] for each in row.broken())


@pytest.mark.soak
@pytest.mark.parametrize("row", range(len(ROWS)))
def test_predictions_for_every_kind_of_learner_stay_within_the_bounds(row):
    found = measured(row, 2000)
    assert abs(found.bias) <= BIAS
    assert max(abs(found.low), abs(found.high)) <= BIAS_INTERVAL
    assert COVERED[0] <= found.covered <= COVERED[1]


@dataclass(frozen=True)
class Way:
    """How somebody takes three mocks: the question reached, the share left blank, the question after which the second
    is abandoned with most of its time left, and the days of absence before it.
    """

    name: str
    reached: int = 60
    skips: float = 0.0
    quits: int = 0
    away: int = 0


WAYS = (
    Way("steady"),
    Way("slow, 35 of 60", reached=35),
    Way("slow, 50 of 60", reached=50, skips=0.1),
    Way("skipping", skips=0.3),
    Way("quitting", quits=20),
    Way("returning", away=180),
)
"""The other kinds in people.py differ in what the site believes beforehand: see ``measured``."""


@pytest.fixture
def exam():
    """Create a bank for four full mocks of an hour, with reserved questions for one of them."""
    exam = make_exam()
    exam.blueprints.update(minutes=60)
    add_questions(exam, 14, pool="reserved")
    add_questions(exam, 45)
    return exam


def measured_bank(exam):
    """Store a calibration from strong first users who improve; all questions have parameters, reserved ones harder."""
    rng = np.random.default_rng(8)
    run = Calibration.objects.create(
        exam=exam, made_at=seconds(-60), answers=9, learners=30, log_likelihood=0, centre=-0.4, growth_mean=0.001,
        growth_variance=0.002**2, newcomer_mean=0.4, newcomer_error=0.5,
    )  # fmt: skip
    rows = []
    for version in QuestionVersion.objects.order_by("pk"):
        harder = 0.5 if version.pool == "reserved" else 0.0
        found = {"slope": rng.lognormal(0, 0.3), "difficulty": rng.normal(harder, 1.0)}
        errors = {"slope_error": 0.1, "difficulty_error": rng.uniform(0.1, 0.4)}
        rows.append(ItemParameters(calibration=run, version=version, n=60, **found, **errors))
    ItemParameters.objects.bulk_create(rows)


class Watched:
    """A learner on the site whom the pure functions also follow, from the learner's actions alone."""

    def __init__(self, exam, seed) -> None:
        self.exam, self.rng, self.owner = exam, np.random.default_rng(seed), guest()[0]
        self.bank = Banks(exam).at(NOW)
        self.population = self.bank.population
        self.state, self.mocks, self.met = newcomer(self.population), [], set()

    def sit(self, day, way, quits=0):
        """Take a mock, wrong at random and partly blank; return the forecast the site stored, and ours."""
        start = seconds(day * DAY)
        session = begin_mock(self.owner, self.exam, 60, start)
        told = self.told(start)
        writer = claim(session.uuid, self.owner, start).writer
        rights, places, states, keys = {}, [], [], self.keys(session)
        reached, each = (quits, 60) if quits else (way.reached, 3600 // way.reached)
        for n in range(1, 61):
            right, blank = self.rng.random() < 0.7, n > reached or self.rng.random() < way.skips
            key = keys[n]
            other = (next(place for place in range(4) if place not in key),)
            chosen = () if blank else key if right else other
            rights[n] = right and not blank
            seen = each if n <= reached else 0
            places.append(Place(n, not blank, seen))
            states.append(state(n, 1, *chosen, seconds=seen))
        save(session.uuid, self.owner, batch(writer, *states), start.replace(minute=quits or 59))
        finish(session.uuid, self.owner, seconds(day * DAY + (60 * quits + 60 if quits else 3600)))
        analyse(session.pk, seconds(day * DAY + 3700))
        session.refresh_from_db()
        abandoned = self.follow(session, places, rights)
        stored = Forecast.objects.filter(session=session).first()
        assert abandoned == bool(quits)
        assert stored is None or stored.abandoned == abandoned
        return stored, told

    def keys(self, session):
        """Return the places of the right options, by position."""
        rows = session.items.values_list("position", "option_order", "version__solution__key_mask")
        return {n: tuple(p for p, slot in enumerate(order) if mask >> int(slot, 16) & 1) for n, order, mask in rows}

    def told(self, moment):
        blueprint = self.exam.blueprints.get()
        mock = self.bank.mock(blueprint, self.met)
        reached = reach(self.mocks, 60, 1.0)
        days = (moment - NOW).total_seconds() / DAY
        return outlook(at(self.state, days, self.population), replace(mock, reached=reached), self.population)

    def follow(self, session, places, rights):
        """Update our own state with what the mock says about the learner; return whether it was abandoned."""
        last = session.items.exclude(answered_at=None).latest("answered_at").answered_at
        clock = Clock((last - session.started_at).seconds, 3600, ran_out=False)
        found = blanks(places, clock)
        rows = asked(QuestionVersion.objects.filter(pk__in=session.items.values("version")))
        of, beliefs = {row.version: row for row in rows}, self.bank.beliefs(rows)
        days = (session.finished_at - NOW).total_seconds() / DAY
        answered = {place.position for place in places if place.answered}
        # The site learns first from the answers and then from the blanks, in the order in which each became known.
        versions = dict(session.items.values_list("position", "version"))
        for n in sorted(answered) + sorted(found.omitted):
            version = versions[n]
            given = GivenAnswer(days, of[version].domain, version, beliefs[version], rights[n])
            self.state = update(self.state, given, self.population).state
        # A reserved question that was never on screen stays hidden in the result, and may be drawn again.
        at = [(place, of[versions[place.position]]) for place in places]
        self.met |= {row.unit for place, row in at if place.seconds or row.pool != Pool.RESERVED}
        if not found.abandoned:
            self.mocks.append(PastMock(found.reached / 60, 1.0))
        return found.abandoned


def seen_alike(exam, seed, way):
    """Take three mocks as one learner; return how far the site's forecasts are from the pure functions'."""
    watched = Watched(exam, seed)
    days = (0, 1 + way.away, 2 + way.away)
    pairs = [watched.sit(day, way, way.quits if nth == 1 else 0) for nth, day in enumerate(days)]
    later = [(stored, told) for stored, told in pairs if stored]
    assert later, "after two mocks there is a forecast"
    return [(stored.chance - told.chance, stored.low - told.low, stored.high - told.high) for stored, told in later]


@pytest.mark.django_db
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_the_site_agrees_with_the_pure_functions(exam, way):
    for chance, low, high in seen_alike(exam, 1, way):
        assert chance == pytest.approx(0, abs=1e-9)
        assert (low, high) == (0, 0)


@pytest.mark.django_db
@pytest.mark.parametrize("way", [WAYS[1], WAYS[4]], ids=lambda way: way.name)
def test_the_site_agrees_once_questions_newcomers_and_growth_are_measured(exam, way):
    measured_bank(exam)
    for chance, low, high in seen_alike(exam, 1, way):
        assert chance == pytest.approx(0, abs=1e-9)
        assert (low, high) == (0, 0)


@pytest.mark.soak
@pytest.mark.django_db
def test_a_hundred_learners_on_the_site_get_the_same_predictions(exam):
    """Half of the learners come before the first calibration, half after it."""
    for seed in range(100):
        if seed == 50:
            measured_bank(exam)
        for chance, low, high in seen_alike(exam, seed, WAYS[seed % len(WAYS)]):
            assert chance == pytest.approx(0, abs=1e-9)
            assert (low, high) == (0, 0)
