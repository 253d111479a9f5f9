"""What is asked: exams and their blueprints, questions as drafts, versions as published, reports on them."""

from questions.models.desk import DeskAct, DeskEntry, Waiver
from questions.models.drafts import Clue, Desk, Difficulty, Kind, Option, Pool, Question, QuestionSource
from questions.models.exams import (
    RESERVED_SLUGS,
    Blueprint,
    BlueprintDomain,
    Concept,
    Domain,
    Exam,
    StudyModule,
    refuse_reserved_slug,
)
from questions.models.imports import UNFINISHED, ImportedItem, ImportJob, JobState
from questions.models.reports import MAX_REPORT, ContentReport, ReportKind, ReportState
from questions.models.statistics import (
    REST_BINS,
    SECONDS_BINS,
    Calibration,
    ItemParameters,
    OptionStatistics,
    VersionStatistics,
)
from questions.models.versions import Change, Hint, QuestionVersion, Solution

__all__ = [
    "MAX_REPORT",
    "RESERVED_SLUGS",
    "REST_BINS",
    "SECONDS_BINS",
    "UNFINISHED",
    "Blueprint",
    "BlueprintDomain",
    "Calibration",
    "Change",
    "Clue",
    "Concept",
    "ContentReport",
    "Desk",
    "DeskAct",
    "DeskEntry",
    "Difficulty",
    "Domain",
    "Exam",
    "Hint",
    "ImportJob",
    "ImportedItem",
    "ItemParameters",
    "JobState",
    "Kind",
    "Option",
    "OptionStatistics",
    "Pool",
    "Question",
    "QuestionSource",
    "QuestionVersion",
    "ReportKind",
    "ReportState",
    "Solution",
    "StudyModule",
    "VersionStatistics",
    "Waiver",
    "refuse_reserved_slug",
]
