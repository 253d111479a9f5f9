"""Learners, their sessions, notes and plans, and what is derived from their answers."""

from practice.learners.models import (
    UNTOLD,
    Adoption,
    DrillPreset,
    ExamPlan,
    FreshStart,
    GuestAct,
    GuestNetwork,
    Highlight,
    Learner,
    ModuleRead,
    Note,
    Outcome,
    SectionRead,
    Star,
    ToldOutcome,
)
from practice.learners.trial.models import TrialMiss
from practice.readiness.models import Forecast, HonestyFigures, ReadinessSnapshot, Standing
from practice.regrade.reopening.models import Reopening
from practice.reviews.models import CardTurn, ReviewCard
from practice.sessions.ending.outages.models import Heartbeat, Outage, TimeCredit
from practice.sessions.models import GRACE, Confidence, Ended, LateAnswer, MissClass, Mode, PracticeSession, SessionItem
from practice.sessions.scoring.models import Regrade, RegradeNotice, RegradeProposal, RegradeRule

__all__ = [
    "GRACE",
    "UNTOLD",
    "Adoption",
    "CardTurn",
    "Confidence",
    "DrillPreset",
    "Ended",
    "ExamPlan",
    "Forecast",
    "FreshStart",
    "GuestAct",
    "GuestNetwork",
    "Heartbeat",
    "Highlight",
    "HonestyFigures",
    "LateAnswer",
    "Learner",
    "MissClass",
    "Mode",
    "ModuleRead",
    "Note",
    "Outage",
    "Outcome",
    "PracticeSession",
    "ReadinessSnapshot",
    "Regrade",
    "RegradeNotice",
    "RegradeProposal",
    "RegradeRule",
    "Reopening",
    "ReviewCard",
    "SectionRead",
    "SessionItem",
    "Standing",
    "Star",
    "TimeCredit",
    "ToldOutcome",
    "TrialMiss",
]
