"""What is asked: exams and their blueprints, questions as drafts, versions as published, reports on them."""

from questions.catalogue.models import (
    RESERVED_SLUGS,
    Blueprint,
    BlueprintDomain,
    Concept,
    Domain,
    Exam,
    GlossaryTerm,
    Objective,
    StudyModule,
    refuse_reserved_slug,
)
from questions.desk.models import DeskAct, DeskEntry, Waiver
from questions.formats.models import UNFINISHED, ImportedItem, ImportJob, JobState
from questions.reports.models import MAX_REPORT, ContentReport, ReportKind, ReportState
from questions.versions.models.drafts import (
    Clue,
    Desk,
    Difficulty,
    Family,
    Kind,
    Option,
    Pool,
    Question,
    QuestionSource,
)
from questions.versions.models.versions import Change, Hint, QuestionVersion, Solution
from questions.versions.pictures.models import Picture, PictureUse
from questions.versions.search.models import SearchEntry, SearchWord
from questions.versions.statistics.models import (
    REST_BINS,
    SECONDS_BINS,
    Calibration,
    ItemHealth,
    ItemParameters,
    OptionStatistics,
    VersionStatistics,
)

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
    "Family",
    "GlossaryTerm",
    "Hint",
    "ImportJob",
    "ImportedItem",
    "ItemHealth",
    "ItemParameters",
    "JobState",
    "Kind",
    "Objective",
    "Option",
    "OptionStatistics",
    "Picture",
    "PictureUse",
    "Pool",
    "Question",
    "QuestionSource",
    "QuestionVersion",
    "ReportKind",
    "ReportState",
    "SearchEntry",
    "SearchWord",
    "Solution",
    "StudyModule",
    "VersionStatistics",
    "Waiver",
    "refuse_reserved_slug",
]
