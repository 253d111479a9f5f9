"""Mail to signed-in reporters: what became of their report, once for each answer."""

from __future__ import annotations

import datetime as dt
import logging
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import send_mail
from django.template.loader import render_to_string
from django.urls import reverse

from questions.models import ContentReport, ReportState

logger = logging.getLogger("courseiva.reports")
TRIED_FOR = dt.timedelta(days=7)


def tell_waiting(now: dt.datetime) -> int:
    """Send what is not sent yet; returns how many. What cannot be sent waits for the next run, for a week."""
    rows = ContentReport.objects.select_related("reporter", "version__question__exam").exclude(state=ReportState.OPEN)
    rows = rows.filter(told_at=None, reporter__is_active=True, answered_at__gt=now - TRIED_FOR)
    return sum(_tell(report, now) for report in rows.order_by("answered_at"))


def _tell(report: ContentReport, now: dt.datetime) -> bool:
    """Claim the mail, so that two runs at once send one; give the claim back where sending fails."""
    answer = ContentReport.objects.filter(pk=report.pk, answers=report.answers)
    if not answer.filter(told_at=None).update(told_at=now):
        return False
    try:
        _send(report)
    except (SMTPException, OSError) as error:
        logger.warning("report %s: its reporter could not be told: %s", report.pk, error)
        answer.update(told_at=None)
        return False
    return True


def _send(report: ContentReport) -> None:
    if report.reporter is None:
        return
    address = settings.SITE_URL + reverse("report", args=[report.token])
    words = {"report": report, "exam": report.version.question.exam, "address": address}
    send_mail(
        f"Your report: {report.get_state_display()}",
        render_to_string("questions/email/report_outcome.txt", words),
        None,
        [report.reporter.email],
    )
