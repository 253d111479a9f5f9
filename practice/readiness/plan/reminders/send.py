"""Sending the day's reminders, each at most once."""

from __future__ import annotations

import datetime as dt
import logging
from typing import Any

from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Q, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse

from courseiva.common.heads.mails import leaving_headers
from courseiva.common.later import one_by_one
from courseiva.common.page_cache import site_address
from practice.learners.models import ExamPlan
from practice.learners.reads.zones import zone_of
from practice.readiness.plan.reads import today_of
from practice.readiness.plan.reminders.rules import is_time
from practice.readiness.reads.steps import next_step, situation
from practice.reviews.rules import DAY
from questions.catalogue.reads import guide_of

logger = logging.getLogger("courseiva.reminders")


def send_reminders(now: dt.datetime) -> int:
    """Check the plans that are due; returns how many emails were written.

    If there is nothing to do, there is no email. A failing one is retried the next time and doesn't hold up the others
    (``one_by_one``). Raises ExceptionGroup.
    """
    waiting = _asked(now).select_related("learner").only("remind_on", "reminded_on", "learner")
    due = [plan.pk for plan in waiting.iterator() if _is_time(plan, now)]
    return one_by_one("plan", due, lambda pk: _remind(pk, now), logger)


def _asked(now: dt.datetime) -> QuerySet[ExamPlan]:
    # It may still be yesterday somewhere; whether an exam is over in its learner's time zone is checked below.
    ahead = Q(exam_date__gte=now.date() - DAY, minutes_a_day__gt=0, exam__blueprints__is_current=True)
    return ExamPlan.objects.filter(ahead, remind_on__gt=0, learner__user__is_active=True, reminder_token__isnull=False)


def _is_time(plan: ExamPlan, now: dt.datetime) -> bool:
    return is_time(plan.remind_on, plan.reminded_on, now.astimezone(zone_of(plan.learner)))


def _remind(plan_id: int, now: dt.datetime) -> bool:
    # The day is recorded in the transaction that writes the email, so that neither exists without the other.
    with transaction.atomic():
        plan = _asked(now).select_related("learner__user", "exam").filter(pk=plan_id).first()
        if plan is None:
            return False
        date = now.astimezone(zone_of(plan.learner)).date()
        # Compare-and-set: if two runs are concurrent, one finds it done.
        unseen = ExamPlan.objects.filter(~Q(reminded_on=date) | Q(reminded_on=None), pk=plan_id, remind_on__gt=0)
        if not unseen.update(reminded_on=date):
            return False
        exam, learner = plan.exam, plan.learner
        found = situation(guide_of(pk=exam.pk), learner, now)
        today = today_of(exam, found, next_step(exam, found))
        if today is None or not today.tasks:
            return False
        _mail(plan, {"day": today.day, "days_to_exam": found.facts.days_to_exam}).send()
    return True


def _mail(plan: ExamPlan, words: dict[str, Any]) -> EmailMessage:
    user = plan.learner.user
    leave = site_address() + reverse("plan-unsubscribe", args=[plan.reminder_token])
    words |= {"exam": plan.exam, "leave": leave, "address": site_address() + reverse("plan", args=[plan.exam.slug])}
    return EmailMessage(
        render_to_string("practice/email/reminder_subject.txt", words).strip(),
        render_to_string("practice/email/reminder.txt", words),
        None,
        [user.email if user else ""],
        headers=leaving_headers(leave),
    )
