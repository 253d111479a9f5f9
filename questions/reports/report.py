"""Error reports: a reader says what is wrong, an editor decides, and the reader is told."""

from __future__ import annotations

import datetime as dt
import logging
from dataclasses import dataclass
from smtplib import SMTPException

from django.contrib.auth.models import AbstractBaseUser
from django.core.mail import send_mail
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.crypto import salted_hmac

from courseiva.common.hourly import minutes_to_wait
from courseiva.common.later import after_commit
from courseiva.common.page_cache import site_address
from questions.reports.errors import AlreadyAnswered, ReportRefused, TooManyReports
from questions.reports.models import MAX_REPORT, ContentReport, ReportKind, ReportState
from questions.reports.reads.reporters import Reporter
from questions.versions.models.versions import QuestionVersion

HOURLY_LIMIT = 10
"""Somebody working through a domain may find several errors in an hour. Guests report too, so it must also stop a
script, by its network."""
SALT = "questions.reporting"


logger = logging.getLogger("courseiva.reports")
TRIED_FOR = dt.timedelta(days=7)
"""Long enough for a mail server's bad week; an answer older than that is on the reporter's page anyway."""


@dataclass(frozen=True)
class Complaint:
    """What a reader says is wrong. ``slot`` is the option it is about; None means the question."""

    kind: ReportKind
    text: str
    slot: int | None = None


@dataclass(frozen=True)
class Answer:
    """An editor's answer to a report. ``public_note`` goes into the page's changelog if it is accepted."""

    state: ReportState
    outcome: str
    public_note: str = ""


def report(
    version: QuestionVersion, complaint: Complaint, reporter: Reporter, now: dt.datetime, limited: bool = True
) -> ContentReport:
    """Store the report; the same text by the same person on the same version returns the existing one.

    Raises ReportRefused, and TooManyReports unless ``limited`` is off (for texts counted elsewhere).
    """
    _refuse_unfit(version, complaint)
    mark = fingerprint(version.pk, complaint.text, reporter)
    # Before the limit is counted: pressing twice, or coming back to look, doesn't use up one of the ten.
    known = ContentReport.objects.filter(fingerprint=mark).first()
    if known:
        return known
    if limited:
        _count(reporter, now)
    fields = {
        "version": version,
        "kind": complaint.kind,
        "slot": complaint.slot,
        "text": complaint.text,
        "reporter_id": reporter.user_id,
        "made_at": now,
    }
    return ContentReport.objects.get_or_create(fingerprint=mark, defaults=fields)[0]


def reword(report_id: int, version: QuestionVersion, complaint: Complaint, reporter: Reporter) -> bool:
    """Change an open report's words because its source was changed; returns whether it did.

    An answered report keeps the words that were answered. Raises ReportRefused.
    """
    _refuse_unfit(version, complaint)
    rows = ContentReport.objects.filter(pk=report_id, version=version, state=ReportState.OPEN)
    mark = fingerprint(version.pk, complaint.text, reporter)
    if not ContentReport.objects.filter(fingerprint=mark).exists():
        rows.update(fingerprint=mark)
    return bool(rows.update(text=complaint.text, slot=complaint.slot))


def answer_report(report_id: int, answer: Answer, seen: int, by: AbstractBaseUser, now: dt.datetime) -> ContentReport:
    """Answer a report, or correct its answer. ``seen`` is its number of answers when the editor opened it.

    Raises AlreadyAnswered if somebody answered in between, and ReportRefused for an incomplete answer.
    """
    answer = complete(answer)
    with transaction.atomic():
        # Compare-and-set: if two editors have the same page open, the second sees what the first said.
        stored = ContentReport.objects.filter(pk=report_id, answers=seen).update(
            state=answer.state,
            outcome=answer.outcome,
            public_note=answer.public_note,
            answered_by=by.pk,
            answered_at=now,
            answers=seen + 1,
            told_at=None,
        )
        row = ContentReport.objects.select_related("answered_by").get(pk=report_id)
        if not stored:
            raise AlreadyAnswered(row)
        after_commit("questions.tell_outcomes")
    return row


def fingerprint(version_id: int, text: str, reporter: Reporter) -> str:
    """The same for the same person, version and words; it doesn't identify anybody."""
    words = " ".join(text.split()).casefold()
    return salted_hmac(SALT, f"{reporter.key}\n{version_id}\n{words}", algorithm="sha256").hexdigest()


def complete(answer: Answer) -> Answer:
    """The answer, tidied; raises ReportRefused if something is missing."""
    outcome, note = answer.outcome.strip(), " ".join(answer.public_note.split())
    if answer.state == ReportState.OPEN:
        raise ReportRefused("no-decision")
    if not outcome:
        raise ReportRefused("no-outcome")
    if note and answer.state != ReportState.ACCEPTED:
        raise ReportRefused("note-without-change")
    return Answer(answer.state, outcome, note)


def _refuse_unfit(version: QuestionVersion, complaint: Complaint) -> None:
    if not complaint.text.strip():
        raise ReportRefused("no-text")
    if len(complaint.text) > MAX_REPORT:
        raise ReportRefused("too-long", limit=MAX_REPORT)
    if complaint.slot is not None and complaint.slot not in {option["slot"] for option in version.options}:
        raise ReportRefused("unknown-option")


def _count(reporter: Reporter, now: dt.datetime) -> None:
    """Count one more report by this person in this hour; without a cache nobody is refused."""
    if minutes := minutes_to_wait(SALT, reporter.key, HOURLY_LIMIT, now):
        raise TooManyReports(HOURLY_LIMIT, minutes)


def tell_waiting(now: dt.datetime) -> int:
    """Send unsent outcomes; returns how many. Failed ones wait for the next run, for up to a week."""
    rows = ContentReport.objects.select_related("reporter", "version__question__exam").exclude(state=ReportState.OPEN)
    rows = rows.filter(told_at=None, reporter__is_active=True, answered_at__gt=now - TRIED_FOR)
    return sum(_tell(report, now) for report in rows.order_by("answered_at"))


def _tell(report: ContentReport, now: dt.datetime) -> bool:
    """Claim the email, so that two concurrent runs send one; release the claim if sending fails."""
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
    address = site_address() + reverse("report", args=[report.token])
    words = {"report": report, "exam": report.version.question.exam, "address": address}
    send_mail(
        f"Your report: {report.get_state_display()}",
        render_to_string("questions/email/report_outcome.txt", words),
        None,
        [report.reporter.email],
    )
