"""Check what the editors' list of questions shows, its filters and its actions on several questions."""

from __future__ import annotations

import dataclasses
import datetime as dt

import pytest
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from questions.desk import decide as desk
from questions.desk.publish import publish
from questions.desk.reads.editor_list import questions_to_edit
from questions.models import (
    Change,
    ContentReport,
    Desk,
    DeskEntry,
    Question,
    QuestionSource,
    ReportKind,
    VersionStatistics,
)
from questions.versions.statistics.rules import ItemCounts, rest_correlation
from tests.questions.test_pages_question import second_version
from tests.support.bank import NOW, add_questions, draft
from tests.support.editing import LIST, browser_of
from tests.support.hooks import codes, figures, parsed

pytestmark = pytest.mark.django_db
STATEMENTS = 10  # for the session, the person and their rights; exams, domains and people; a count, a page and its rows
COUNTS = {
    "n": 80, "right": 48, "rest_n": 80, "rest_sum": 44_000, "rest_squares": 28_000_000, "rest_right_n": 48,
    "rest_right_sum": 30_000,
}  # fmt: skip


@pytest.fixture
def client(alice):
    return browser_of(alice)


@pytest.fixture
def rows(exam):
    """Return six live questions, one for each domain."""
    add_questions(exam, 1)
    return list(Question.objects.order_by("pk"))


def listed(client, **query):
    response = client.get(LIST, query)
    assert response.status_code == 200
    return [row.pk for row in response.context["cl"].result_list]


def run(client, action, rows, **fields):
    return client.post(LIST, {"action": action, ACTION_CHECKBOX_NAME: [row.pk for row in rows], **fields}, follow=True)


def said(response):
    return [str(message) for message in response.context["messages"]]


class TestFilters:
    def test_the_list_is_filtered_by_live_or_not(self, client, rows, exam, alice):
        Question.objects.filter(pk=rows[0].pk).update(withdrawn_at=NOW)
        Question.objects.filter(pk=rows[1].pk).update(retired_at=NOW)
        new = desk.begin(exam, draft(50), alice, NOW)
        assert listed(client, live="withdrawn") == [rows[0].pk]
        assert listed(client, live="retired") == [rows[1].pk]
        assert listed(client, live="nothing") == [new.pk]
        assert len(listed(client, live="version")) == 4

    def test_the_list_is_filtered_by_desk_state_domain_pool_and_difficulty(self, client, rows, exam):
        Question.objects.filter(pk=rows[2].pk).update(desk=Desk.REVIEW, difficulty="hard", pool="reserved")
        other = {"desk__exact": "review", "difficulty__exact": "hard", "pool__exact": "reserved"}
        for name, value in {**other, "domain__id__exact": rows[2].domain_id}.items():
            assert listed(client, **{name: value}) == [rows[2].pk], name
        assert len(listed(client, exam__id__exact=exam.pk)) == 6

    def test_the_list_is_filtered_by_the_statistics_pages_figures(self, client, rows):
        first = rows[0].live_version
        VersionStatistics.objects.create(version=first, **COUNTS)
        second_version(rows[0], measured_as=first)
        counts = ItemCounts(**COUNTS, by_rest=[], by_seconds=[], options=[])
        r = rest_correlation(counts, COUNTS["rest_right_n"], COUNTS["rest_right_sum"])
        row = questions_to_edit(Question.objects.all()).get(pk=rows[0].pk)
        assert (row.facility, row.answers) == (0.6, 80)
        assert row.discrimination == pytest.approx(r)
        assert r > 0.3
        assert listed(client, facility="50") == [rows[0].pk]
        assert listed(client, discrimination="good") == [rows[0].pk]
        assert len(listed(client, facility="unknown")) == len(listed(client, discrimination="unknown")) == 5

    def test_counts_that_do_not_vary_have_no_discrimination(self, rows):
        VersionStatistics.objects.create(version=rows[0].live_version, **{**COUNTS, "rest_right_n": 80})
        assert questions_to_edit(Question.objects.all()).get(pk=rows[0].pk).discrimination is None

    def test_the_list_is_filtered_by_reports(self, client, rows):
        for n in range(2):
            ContentReport.objects.create(
                version=rows[3].live_version, kind=ReportKind.KEY, text="x", made_at=NOW, fingerprint=str(n)
            )
        assert listed(client, reports="some") == [rows[3].pk]
        assert len(listed(client, reports="none")) == 5
        assert client.get(LIST, {"reports": "some"}).context["cl"].result_list[0].reports_open == 2

    def test_the_list_is_filtered_by_age_of_the_facts_and_by_due_date(self, client, rows):
        today = timezone.localdate()
        for row, days in zip(rows, (10, 100, 200, 400), strict=False):
            for more in (0, 300):
                QuestionSource.objects.create(
                    question=row, title="x", url="https://e.example", as_of=today - dt.timedelta(days=days + more)
                )
        for band, row in zip(("3", "6", "12", "older"), rows, strict=False):
            assert listed(client, reviewed=band) == [row.pk]
        assert len(listed(client, reviewed="never")) == 2
        for row, days in zip(rows, (0, 20, 90), strict=False):
            Question.objects.filter(pk=row.pk).update(recheck_after=today + dt.timedelta(days=days))
        for band, row in zip(("due", "month", "later"), rows, strict=False):
            assert listed(client, recheck=band) == [row.pk]

    def test_search_finds_titles_stems_and_names(self, client, rows):
        assert listed(client, q="Situation 4") == listed(client, q="deciding words 4") == listed(client, q="q4")
        assert listed(client, q="Situation 4") == [rows[3].pk]


class TestActions:
    def test_a_review_date_can_be_set_for_several_questions(self, client, rows):
        page = run(client, "set_recheck", rows[:2])
        assert "Re-check after" in page.content.decode()
        assert [figures(each) for each in said(run(client, "set_recheck", rows[:2], apply="1", day="2027-02-01"))] == [
            [2]
        ]
        days = Question.objects.order_by("pk").values_list("recheck_after", flat=True)
        assert list(days)[:3] == [dt.date(2027, 2, 1), dt.date(2027, 2, 1), None]
        run(client, "set_recheck", rows[:1], apply="1", day="")
        assert Question.objects.get(pk=rows[0].pk).recheck_after is None

    def test_an_invalid_date_is_refused(self, client, rows):
        page = run(client, "set_recheck", rows[:2], apply="1", day="soon")
        assert codes(page.context["form"]) == {"day": ["invalid"]}
        assert parsed(page).select(".errorlist")
        assert not Question.objects.exclude(recheck_after=None).exists()

    def test_withdrawing_several_needs_a_reason_and_lists_those_left_alone(self, client, rows, alice):
        refused = run(client, "withdraw_all", rows[:2], apply="1", reason=" ")
        assert codes(refused.context["form"]) == {"reason": ["required"]}
        assert not Question.objects.exclude(withdrawn_at=None).exists()
        desk.withdraw(rows[1].pk, alice, NOW, "Before.")
        told = said(run(client, "withdraw_all", rows[:2], apply="1", reason="The price list changed."))
        assert figures(told[0]) == [1]
        assert told[1].startswith(f"{rows[1].key}: ")
        assert DeskEntry.objects.get(question=rows[0]).text == "The price list changed."

    def test_submitting_several_submits_only_drafts_that_pass_lint(self, client, exam, alice, rows):
        good = desk.begin(exam, draft(50), alice, NOW)
        bad = desk.begin(exam, dataclasses.replace(draft(51), sources=()), alice, NOW)
        told = said(run(client, "submit_all", [good, bad, rows[0]]))
        assert figures(told[0]) == [1]
        assert len(told) == 3
        desks = Question.objects.filter(pk__in=[good.pk, bad.pk]).order_by("pk").values_list("desk", flat=True)
        assert list(desks) == [Desk.REVIEW, Desk.DRAFT]


def test_the_statement_count_of_the_list_does_not_grow_with_the_questions(client, exam, rows, alice):
    def statements():
        with CaptureQueriesContext(connection) as queries:
            listed(client)
        return len(queries)

    listed(client)
    few = statements()
    for n in range(3):
        question = desk.begin(exam, draft(60 + n), alice, NOW)
        publish(question, NOW, Change.FIRST)
    assert statements() == few == STATEMENTS
