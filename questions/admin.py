from questions.catalogue.admin import ExamAdmin
from questions.desk.admin.families import FamilyAdmin
from questions.desk.admin.questions import QuestionAdmin
from questions.formats.admin import ImportedItemAdmin
from questions.formats.batches.admin import ImportJobAdmin
from questions.reports.admin import ContentReportAdmin
from questions.versions.material.pictures.admin import PictureAdmin
from questions.versions.statistics.admin import VersionStatisticsAdmin

__all__ = [
    "ContentReportAdmin",
    "ExamAdmin",
    "FamilyAdmin",
    "ImportJobAdmin",
    "ImportedItemAdmin",
    "PictureAdmin",
    "QuestionAdmin",
    "VersionStatisticsAdmin",
]
