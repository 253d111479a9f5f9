"""What editors do in the admin."""

from questions.admin.exams import ExamAdmin
from questions.admin.imports import ImportedItemAdmin
from questions.admin.questions import QuestionAdmin
from questions.admin.reports import ContentReportAdmin
from questions.admin.statistics import VersionStatisticsAdmin

__all__ = ["ContentReportAdmin", "ExamAdmin", "ImportedItemAdmin", "QuestionAdmin", "VersionStatisticsAdmin"]
