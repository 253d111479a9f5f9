"""Emailing people waiting for a draft, once per step, and the switch to turn it off."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.core.mail import EmailMessage
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse

from courseiva.common.page_cache import site_address
from questions.desk.mail.reads import Step, is_told, untold_steps
from questions.desk.models import DeskEntry, NoDeskMail, ToldEntry


def tell_waiting(now: dt.datetime) -> int:
    """Queue an email for each step not yet notified; returns how many."""
    return sum(_tell(step) for step in untold_steps(now))


def switch_mail(user: AbstractBaseUser, wanted: bool) -> None:
    """Turn the desk's emails on or off for this person."""
    if wanted:
        NoDeskMail.objects.filter(user=user.pk).delete()
    else:
        NoDeskMail.objects.get_or_create(user_id=user.pk)


def _tell(step: Step) -> bool:
    # The email is a row in this transaction, so that neither it nor the mark exists without the other.
    with transaction.atomic():
        ids = [entry.pk for entry in step.entries]
        list(DeskEntry.objects.select_for_update().filter(pk__in=ids).order_by("pk"))
        if is_told(step.entries):
            return False
        ToldEntry.objects.bulk_create(ToldEntry(entry=entry) for entry in step.entries)
        if step.waits is None:
            return False
        _mail(step, step.waits).send()
    return True


def _mail(step: Step, person: Any) -> EmailMessage:
    question, base = step.first.question, site_address()
    words = {
        "step": step.first,
        "person": person,
        "title": question.title or question.key,
        "more": len(step.entries) - 1,
        "address": base + reverse("admin:questions_question_change", args=[question.pk]),
        "desk": base + reverse("admin:questions_question_desk"),
    }
    subject = " ".join(render_to_string("questions/email/desk_subject.txt", words).split())
    return EmailMessage(subject, render_to_string("questions/email/desk.txt", words), None, [person.email])
