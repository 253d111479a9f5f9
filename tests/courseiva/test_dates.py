"""Django writes every date as day, month as a word and year, and an ambiguous date is refused."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
from django import forms
from django.contrib import admin
from django.template import Context, Template
from django.template.defaultfilters import date as date_of_django
from django.test import Client
from django.urls import reverse
from django.utils import formats, timezone

from courseiva.accounts.models import User
from courseiva.templatetags import days
from questions.models import ContentReport, Question
from tests.support.bank import NOW, add_questions, make_exam

AMERICAN = re.compile(r"\b[A-Z][a-z]{2,8}\.? \d{1,2}, (?:19|20)\d\d|\b\d{1,2}/\d{1,2}/\d{2,4}|\d [ap]\.m\.")
WRITTEN = r"21 November 2026, 12:00"


@pytest.fixture
def administrator(db: None) -> Client:
    user = User.objects.create_superuser("root@example.org", "a long enough password", last_login=NOW)
    User.objects.filter(pk=user.pk).update(date_joined=NOW)
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def report(db: None) -> ContentReport:
    add_questions(make_exam(), 1, domains=("d1",))
    version = Question.objects.get().live_version
    return ContentReport.objects.create(version=version, kind="fact", text="x", made_at=NOW, fingerprint="x")


def test_dates_and_times_are_written_as_on_the_pages() -> None:
    written = Template("{{ at }}|{{ day }}|{{ at|date }}").render(Context({"at": NOW, "day": NOW.date()}))
    assert written == f"{WRITTEN}|21 November 2026|21 November 2026"
    assert not AMERICAN.search(formats.date_format(NOW, "SHORT_DATETIME_FORMAT"))


@pytest.mark.parametrize(
    "form",
    [None, "j F Y", "l j F", "D j M", "j M", "jn", "Y-m-d", "j F Y, H:i", "j M Y, H:i", "H:i", "j F Y H:i:s", "c", ""],
)
def test_a_date_is_written_as_by_django(form: str | None) -> None:
    texts: list[Any] = [NOW, NOW.replace(month=1, day=9, hour=3, minute=7), NOW.time(), "", None, "tomorrow"]
    for at in texts if "H" in (form or "") else [*texts, NOW.date()]:
        assert days.date(at, form) == date_of_django(at, form)


def test_a_date_is_written_in_the_readers_zone() -> None:
    """Twelve minutes to midnight in Greenwich is the next day in Berlin."""
    late, day = Template("{{ at|date:'Y-m-d' }} {{ at|date:'Y-m-d H:i' }}"), NOW.replace(hour=23, minute=48)
    with timezone.override("Europe/Berlin"):
        assert late.render(Context({"at": day})) == "2026-11-22 2026-11-22 00:48"


def test_no_admin_page_writes_an_american_date(administrator: Client, report: ContentReport) -> None:
    paths = [
        reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        for model, at in admin.site._registry.items()
        if at.get_urls()
    ]
    paths.append(reverse("admin:questions_contentreport_change", args=[report.pk]))
    texts = {path: administrator.get(path, follow=True).text for path in paths}
    assert len(texts) > 10
    assert {path for path, text in texts.items() if AMERICAN.search(re.sub(r"<[^>]+>", " ", text))} == set()
    assert WRITTEN in texts[reverse("admin:accounts_user_changelist")]
    assert WRITTEN in texts[paths[-1]]


@pytest.mark.parametrize(
    ("typed", "day"),
    [
        ("2026-11-03", dt.date(2026, 11, 3)),
        ("3 November 2026", dt.date(2026, 11, 3)),
        ("3 Nov 2026", dt.date(2026, 11, 3)),
        ("11/03/2026", None),
        ("03/11/26", None),
        ("Nov 3, 2026", None),
    ],
)
def test_an_ambiguous_date_is_refused(typed: str, day: dt.date | None) -> None:
    field = forms.DateField()
    if day:
        assert field.clean(typed) == day
    else:
        with pytest.raises(forms.ValidationError):
            field.clean(typed)


def test_the_admins_date_fields_accept_what_they_write(administrator: Client) -> None:
    assert forms.DateInput().format_value(NOW.date()) == "2026-11-21"
    script = administrator.get(reverse("admin:jsi18n")).text
    assert re.search(r'"DATE_INPUT_FORMATS": \[\s*"%Y-%m-%d"', script)
    assert re.search(r'"FIRST_DAY_OF_WEEK": 1\b', script)
