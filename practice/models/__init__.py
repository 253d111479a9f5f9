"""What learners do, what they keep and plan, and what is derived from their answers."""

from practice.models.analysis import Forecast, ReadinessSnapshot, ReviewCard, Standing
from practice.models.learners import UNTOLD, Adoption, Bookmark, Learner, ModuleRead, Note
from practice.models.networks import GuestAct, GuestNetwork
from practice.models.plans import ExamPlan, Outcome, ToldOutcome
from practice.models.regrades import Regrade, RegradeNotice, RegradeRule
from practice.models.sittings import (
    GRACE,
    Confidence,
    Ended,
    LateAnswer,
    MissClass,
    Mode,
    PracticeSession,
    SessionItem,
)

__all__ = [
    "GRACE",
    "UNTOLD",
    "Adoption",
    "Bookmark",
    "Confidence",
    "Ended",
    "ExamPlan",
    "Forecast",
    "GuestAct",
    "GuestNetwork",
    "LateAnswer",
    "Learner",
    "MissClass",
    "Mode",
    "ModuleRead",
    "Note",
    "Outcome",
    "PracticeSession",
    "ReadinessSnapshot",
    "Regrade",
    "RegradeNotice",
    "RegradeRule",
    "ReviewCard",
    "SessionItem",
    "Standing",
    "ToldOutcome",
]
