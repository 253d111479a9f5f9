"""Starting a session: mocks by the blueprint, drills by choice."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.conf import settings
from django.db import transaction

from courseiva.common.masks import shuffled_order
from practice.learners.enrol import lock_learner
from practice.learners.models import Learner
from practice.learners.reads.identity import Owner
from practice.sessions.ending.finish import close
from practice.sessions.errors import AlreadyRunning, MeetsMaintenance, NothingDue, TooFewQuestions
from practice.sessions.models import DRILLS, Mode, PracticeSession, SessionItem
from practice.sessions.reads.units import unit_of
from practice.start.rationing.ration import draw_on_reserved, note_mock
from practice.start.reads.bank import bank_of, large_bank
from practice.start.reads.drills import pick_drill
from practice.start.reads.fitting import DrillChoice
from practice.start.reads.past import Past, pick_by_past
from practice.start.reads.picking import Pick, Stock, pick_mock, stock_of, weights_of
from practice.start.rules import minutes_at_pace
from questions.catalogue.models import Blueprint, Exam
from questions.catalogue.rules.shares import allocate


@dataclass(frozen=True)
class MockChoice:
    """The settings of a mock. ``time_factor`` 0 means untimed; ``public_only`` takes no reserved questions."""

    count: int
    time_factor: Decimal = Decimal(1)
    pausable: bool = False
    public_only: bool = False

    def time_for(self, minutes: int) -> dt.timedelta:
        """How long the learner has for what takes others this many minutes."""
        return dt.timedelta(minutes=float(minutes * self.time_factor))


def mock_minutes(blueprint: Blueprint, count: int) -> int:
    """The minutes for a mock of a different length at the exam's pace."""
    return minutes_at_pace(blueprint.minutes, blueprint.question_count, count)


def start_mock(
    owner: Owner, blueprint: Blueprint, choice: MockChoice, seed: int, now: dt.datetime, network: str = ""
) -> PracticeSession:
    """Start a mock with exactly the blueprint's shares; ``network`` is where a guest comes from.

    Raises AlreadyRunning, MeetsMaintenance, ReservedUsedUp and TooFewQuestions.
    """
    exam, wanted = blueprint.exam, allocate(weights_of(blueprint), choice.count)
    minutes = mock_minutes(blueprint, choice.count)
    bank_of(exam)  # before the lock, because once a minute it is counted again
    deadline = now + choice.time_for(minutes) if choice.time_factor else None
    with transaction.atomic():
        learner = lock_learner(owner, now)
        running = _open_session(learner, exam, Mode.MOCK)
        if running and not running.expired(now):
            raise AlreadyRunning(running)
        if running:
            close(running, now)
        _refuse_to_meet_maintenance(now, deadline)
        # Before drawing: this locks the guest's network, so that mocks started at once count each other.
        reserved = draw_on_reserved(learner, network, now, choice.public_only)
        stock = stock_of(exam, reserved, None if learner.user_id else now.date())
        picks = _drawn(stock, learner, exam, wanted, seed)
        session = PracticeSession(
            learner=learner,
            exam=exam,
            blueprint=blueprint,
            mode=Mode.MOCK,
            label=f"{choice.count} questions, {blueprint.name}",
            started_at=now,
            minutes=minutes,
            time_factor=choice.time_factor,
            pausable=choice.pausable,
            deadline=deadline,
        )
        store_session(session, picks, seed)
        note_mock(session, network, reserved)
    return session


def _drawn(stock: Stock, learner: Learner, exam: Exam, wanted: Mapping[int, int], seed: int) -> list[Pick]:
    """Refused, not shortened: a mock has the blueprint's shares exactly."""
    past, count = Past.of(learner, exam), sum(wanted.values())
    picks = pick_by_past(stock, learner, past, wanted, seed) if past else []
    if len(picks) < count:
        bank = large_bank(exam)
        picks = pick_mock(stock, learner, wanted, seed, bank.sample(stock, wanted, seed) if bank else None)
    if len(picks) < count:
        raise TooFewQuestions(len(picks))
    return picks


def _refuse_to_meet_maintenance(now: dt.datetime, deadline: dt.datetime | None) -> None:
    """Before anything is drawn: a mock that planned maintenance would interrupt must not start."""
    if settings.MAINTENANCE and settings.MAINTENANCE.meets(now, deadline):
        raise MeetsMaintenance(settings.MAINTENANCE)


def start_drill(
    owner: Owner, exam: Exam, choice: DrillChoice, seed: int, now: dt.datetime, carry_on: bool = False
) -> PracticeSession:
    """Start a drill, or with the state "due" a review. Raises TooFewQuestions and NothingDue.

    Only one drill or review is unfinished in an exam at a time: the previous one ends, keeping its answers.
    ``carry_on`` makes the learner's last answer on a question page of the chosen domain the first item.
    """
    if not choice.is_review:
        bank_of(exam)  # before the lock, because once a minute it is counted again
    with transaction.atomic():
        learner = lock_learner(owner, now)
        # Before anything is drawn: what the ending drill has displayed is no longer unseen.
        end_running_drill(learner, exam, now)
        first = _last_page_answer(learner, exam, choice) if carry_on else None
        picks = pick_drill(learner, exam, choice, seed, now, without=unit_of(first.version.question) if first else None)
        if not picks:
            raise NothingDue if choice.is_review else TooFewQuestions(0)
        total = len(picks) + (1 if first else 0)
        # Said before the start: there are fewer than requested, and not as many as the page promised.
        if choice.expects is not None and total < choice.size and total != choice.expects:
            raise TooFewQuestions(total)
        session = PracticeSession(
            learner=learner,
            exam=exam,
            mode=Mode.REVIEW if choice.is_review else Mode.DRILL,
            label=choice.label,
            started_at=now,
            feedback_each=choice.feedback_each,
            ask_confidence=choice.ask_confidence,
        )
        if choice.minutes_each:
            session.deadline = now + dt.timedelta(minutes=choice.minutes_each * len(picks))
        store_session(session, picks, seed, first)
    return session


def store_session(
    session: PracticeSession, picks: Sequence[Pick], seed: int, first: SessionItem | None = None
) -> PracticeSession:
    """Store a session and its items, each with its own option order; ``first`` is moved to the front."""
    session.total = len(picks) + (1 if first else 0)
    session.save()
    # Has its own seed, separate from the draw's, so that the same seed gives the same session.
    rng = random.Random(f"options {seed}")
    items = [
        SessionItem(
            session=session,
            position=position,
            version_id=pick.version_id,
            option_order=shuffled_order(pick.slots, rng),
            seen_before=pick.seen_before,
            variant_seen=pick.variant_seen,
        )
        for position, pick in enumerate(picks, start=2 if first else 1)
    ]
    if first:
        # Moved, not copied: an answer in two sessions would be counted twice.
        SessionItem.objects.filter(session_id=first.session_id, position=first.position).delete()
        first.session, first.position = session, 1
        items.insert(0, first)
    SessionItem.objects.bulk_create(items)
    return session


def end_running_drill(learner: Learner, exam: Exam, now: dt.datetime) -> None:
    """End the exam's unfinished drill, review or check, keeping its answers. Needs the learner's lock."""
    running = _open_session(learner, exam, *DRILLS)
    if running:
        close(running, now)


def _open_session(learner: Learner, exam: Exam, *modes: Mode) -> PracticeSession | None:
    rows = PracticeSession.objects.filter(learner=learner, exam=exam, mode__in=modes)
    return rows.filter(finished_at=None, discarded_at=None).first()


def _last_page_answer(learner: Learner, exam: Exam, choice: DrillChoice) -> SessionItem | None:
    rows = SessionItem.objects.filter(session__learner=learner, session__exam=exam, session__mode=Mode.PAGE)
    if choice.domains:
        rows = rows.filter(version__domain__key__in=choice.domains)
    return rows.select_related("version__question").order_by("-answered_at").first()
