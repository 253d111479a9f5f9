"""What editors do in the admin."""

from questions.admin.reports import ContentReportAdmin
from questions.admin.statistics import VersionStatisticsAdmin

__all__ = ["ContentReportAdmin", "VersionStatisticsAdmin"]
