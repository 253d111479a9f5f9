"""Simulated learners and their past sessions, made by the same functions that serve the site."""

from __future__ import annotations

import datetime as dt
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from courseiva.accounts.models import User
from courseiva.common.masks import order_slots, slots_of
from practice.learners.reads.identity import Owner
from practice.sessions.ending.finish import finish
from practice.sessions.models import Confidence, PracticeSession, SessionItem
from practice.sessions.player.check import check
from practice.sessions.player.rules import Batch, ItemState
from practice.sessions.player.save import claim, save
from practice.start.begin import MockChoice, start_drill, start_mock
from practice.start.reads.fitting import DrillChoice
from practice.start.rules import Order
from questions.catalogue.models import Exam
from questions.versions.models.drafts import Difficulty
from questions.versions.models.versions import QuestionVersion, Solution

HARDNESS = {Difficulty.EASY: -0.8, Difficulty.MEDIUM: 0.0, Difficulty.HARD: 0.8}
MOCK_QUESTIONS, DRILL_QUESTIONS = 60, 10
FIRST_DAYS_AGO = 30
"""Long enough for review cards to have come due and for a trend, within the calendar's twelve weeks."""


@dataclass(frozen=True)
class Person:
    """A simulated learner: who, their ability on the logit scale, and how many sessions of each kind."""

    owner: Owner
    ability: float
    mocks: int
    drills: int


@dataclass(frozen=True)
class Truth:
    """By version id: the key as slots, and the difficulty label. ``truly`` replaces the key of a miskeyed version."""

    keys: Mapping[int, tuple[int, ...]]
    labels: Mapping[int, str]
    truly: Mapping[int, tuple[int, ...]]

    @classmethod
    def of(cls, exam: Exam, truly: Mapping[int, tuple[int, ...]]) -> Truth:
        versions = QuestionVersion.objects.filter(live_of__exam=exam)
        masks = Solution.objects.filter(version__in=versions).values_list("version_id", "key_mask")
        return cls(
            {pk: tuple(slots_of(mask)) for pk, mask in masks}, dict(versions.values_list("pk", "difficulty")), truly
        )


def person(email: str, name: str, ability: float, mocks: int, drills: int) -> Person:
    """A learner with an account nobody can sign in to."""
    user, made = User.objects.get_or_create(email=email, defaults={"display_name": name})
    if made:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    return Person(Owner(user_id=user.pk), ability, mocks, drills)


def practise(who: Person, exam: Exam, truth: Truth, rng: random.Random, now: dt.datetime) -> int:
    """All sessions of one learner, spread over the last month; returns how many."""
    plan = ["mock"] * who.mocks + ["drill"] * who.drills
    rng.shuffle(plan)
    step = FIRST_DAYS_AGO / (len(plan) + 1)
    for place, kind in enumerate(plan):
        at = now - dt.timedelta(days=FIRST_DAYS_AGO - place * step, minutes=rng.randrange(600))
        (_mock if kind == "mock" else _drill)(who, exam, truth, rng, at)
    return len(plan)


def _mock(who: Person, exam: Exam, truth: Truth, rng: random.Random, at: dt.datetime) -> None:
    blueprint = exam.blueprints.get(is_current=True)
    session = start_mock(who.owner, blueprint, MockChoice(MOCK_QUESTIONS), rng.randrange(10**6), at)
    writer = claim(session.uuid, who.owner, at).writer
    states = [_state(item, who, truth, rng) for item in _items(session)]
    took = min(sum(state.seconds for state in states), blueprint.minutes * 60 - 60)
    save(session.uuid, who.owner, Batch(writer, tuple(states)), at + dt.timedelta(seconds=took))
    finish(session.uuid, who.owner, at + dt.timedelta(seconds=took + 30))


def _drill(who: Person, exam: Exam, truth: Truth, rng: random.Random, at: dt.datetime) -> None:
    choice = DrillChoice(size=DRILL_QUESTIONS, order=Order.RANDOM)
    session = start_drill(who.owner, exam, choice, rng.randrange(10**6), at)
    for item in _items(session):
        at += dt.timedelta(seconds=90)
        state = _state(item, who, truth, rng, sureness=rng.choice([None, *Confidence.values]))
        check(session.uuid, who.owner, state, None, at)


def _items(session: PracticeSession) -> Sequence[SessionItem]:
    return list(session.items.order_by("position"))


def _state(item: SessionItem, who: Person, truth: Truth, rng: random.Random, sureness: int | None = None) -> ItemState:
    """Right or wrong by ability against the label; if wrong, each wrong option is equally likely."""
    key = truth.truly.get(item.version_id, truth.keys[item.version_id])
    slots = order_slots(item.option_order)
    chance = 0.2 + 0.8 / (1 + math.exp(HARDNESS[Difficulty(truth.labels[item.version_id])] - who.ability))
    chosen: Sequence[int] = key
    while rng.random() > chance and set(chosen) == set(key):
        chosen = rng.sample(slots, len(key))
    places = tuple(sorted(slots.index(slot) for slot in chosen))
    seconds = round(min(max(rng.lognormvariate(4.3, 0.45), 8), 400))
    return ItemState(item.position, 1, places, confidence=sureness, seconds=seconds, flagged=rng.random() < 0.1)
