"""What people are told comes true, however they sit: tests/bench/people.py run small, and the site says the same."""

from dataclasses import replace

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
from questions.models import QuestionVersion
from tests.bench.people import BIAS, BIAS_INTERVAL, COVERED, KINDS, ROWS, Test, judged, lived, measured
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.sessions import batch, begin_mock, guest, seconds, state

LEARNERS = 40
DAY = 86400
QUICK = {"slow, 50 of 60": 0.15, "skipping 30% of misses": 0.15, "reserved 0.5 harder": 0.15}
"""At 40 learners the bias of a sound forecast is below this: over two standard errors of the share that passes."""


@pytest.mark.parametrize("name", QUICK)
def test_what_is_told_is_about_what_comes(name):
    kind = next(kind for kind in KINDS if kind.name == name)
    row = lived(np.random.default_rng(4), LEARNERS, kind)
    assert abs(row.bias) < QUICK[name]
    assert 0.7 < row.covered < 0.9


def test_a_forecast_that_is_off_breaks_the_bounds():
    told = [Test(60, 0.9, 44, 50, score) for score in (45, 30, 20, 43)]
    row = judged("flattering", [[each] for each in told] * 20)
    assert row.bias == pytest.approx(0.4)
    assert len(row.broken()) == 2


@pytest.mark.soak
@pytest.mark.parametrize("row", range(len(ROWS)))
def test_every_kind_keeps_the_bounds(row):
    found = measured(row, 2000)
    assert abs(found.bias) <= BIAS
    assert max(abs(found.low), abs(found.high)) <= BIAS_INTERVAL
    assert COVERED[0] <= found.covered <= COVERED[1]


@pytest.fixture
def exam():
    """Full mocks of an hour, enough for four; the reserved questions for one."""
    exam = make_exam()
    exam.blueprints.update(minutes=60)
    add_questions(exam, 14, pool="reserved")
    add_questions(exam, 45)
    return exam


class Watched:
    """One learner of the site, and the same learner followed by the pure functions from what was done alone."""

    def __init__(self, exam, seed) -> None:
        self.exam, self.rng, self.owner = exam, np.random.default_rng(seed), guest()[0]
        self.bank = Banks(exam).at(NOW)
        self.state, self.mocks, self.met = newcomer(), [], set()

    def sit(self, day, reached, skips):
        """A mock up to a question, wrong by chance, some blank; the forecast the site stored, and ours."""
        start = seconds(day * DAY)
        session = begin_mock(self.owner, self.exam, 60, start)
        told = self.told(start)
        writer = claim(session.uuid, self.owner, start).writer
        rights, places, states, keys = {}, [], [], self.keys(session)
        for n in range(1, 61):
            right, blank = self.rng.random() < 0.7, n > reached or self.rng.random() < skips
            key = keys[n]
            other = (next(place for place in range(4) if place not in key),)
            chosen = () if blank else key if right else other
            rights[n] = right and not blank
            each = 3600 // reached if n <= reached else 0
            places.append(Place(n, not blank, each))
            states.append(state(n, 1, *chosen, seconds=each))
        save(session.uuid, self.owner, batch(writer, *states), start.replace(minute=59))
        finish(session.uuid, self.owner, seconds(day * DAY + 3600))
        analyse(session.pk, seconds(day * DAY + 3700))
        session.refresh_from_db()
        self.follow(session, places, rights)
        return Forecast.objects.filter(session=session).first(), told

    def keys(self, session):
        """By position, the places of the right options."""
        rows = session.items.values_list("position", "option_order", "version__solution__key_mask")
        return {n: tuple(p for p, slot in enumerate(order) if mask >> int(slot, 16) & 1) for n, order, mask in rows}

    def told(self, moment):
        blueprint = self.exam.blueprints.get()
        mock = self.bank.mock(blueprint, self.met)
        reached = reach(self.mocks, 60, 1.0)
        days = (moment - NOW).total_seconds() / DAY
        return outlook(at(self.state, days), replace(mock, reached=reached))

    def follow(self, session, places, rights):
        last = session.items.exclude(answered_at=None).latest("answered_at").answered_at
        clock = Clock((last - session.started_at).seconds, 3600, ran_out=False)
        found = blanks(places, clock)
        rows = asked(QuestionVersion.objects.filter(pk__in=session.items.values("version")))
        of, beliefs = {row.version: row for row in rows}, self.bank.beliefs(rows)
        days = (session.finished_at - NOW).total_seconds() / DAY
        answered = {place.position for place in places if place.answered}
        # The site hears of what was answered first, then of what was left: as they came to be known.
        versions = dict(session.items.values_list("position", "version"))
        for n in sorted(answered) + sorted(found.omitted):
            version = versions[n]
            given = GivenAnswer(days, of[version].domain, version, beliefs[version], rights[n])
            self.state = update(self.state, given).state
        self.met |= {row.unit for row in rows}
        self.mocks.append(PastMock(found.reached / 60, 1.0))


def seen_alike(exam, seed, reached, skips):
    """Three mocks of one learner; how far the site's forecasts are from the pure functions' own."""
    watched = Watched(exam, seed)
    pairs = [watched.sit(day, reached, skips) for day in range(3)]
    later = [(stored, told) for stored, told in pairs if stored]
    assert later, "after two mocks there is a forecast"
    return [(stored.chance - told.chance, stored.low - told.low, stored.high - told.high) for stored, told in later]


@pytest.mark.django_db
@pytest.mark.parametrize(("reached", "skips"), [(60, 0.0), (45, 0.0), (60, 0.3)])
def test_the_site_says_what_the_pure_functions_say(exam, reached, skips):
    for chance, low, high in seen_alike(exam, 1, reached, skips):
        assert chance == pytest.approx(0, abs=1e-9)
        assert (low, high) == (0, 0)


@pytest.mark.soak
@pytest.mark.django_db
def test_a_hundred_learners_of_the_site_are_told_the_same(exam):
    for seed in range(100):
        reached, skips = [(60, 0.0), (35, 0.0), (60, 0.3), (50, 0.1)][seed % 4]
        for chance, low, high in seen_alike(exam, seed, reached, skips):
            assert chance == pytest.approx(0, abs=1e-9)
            assert (low, high) == (0, 0)
