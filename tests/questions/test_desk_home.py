"""Each list on the desk's home page counts what is waiting for its reader, links to it and shows the first entries."""

from __future__ import annotations

import dataclasses
import datetime as dt

import pytest
from django.contrib.auth.models import Permission
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from questions.desk import decide as desk
from questions.desk.many import families
from questions.desk.reads.worklists import short_objectives
from questions.models import (
    ContentReport,
    Desk,
    ItemHealth,
    Question,
    QuestionVersion,
    ReportKind,
    ReportState,
    VersionStatistics,
)
from questions.reports.report import Answer, answer_report
from questions.versions.reads.drafts import draft_of
from questions.versions.statistics.reads.alarms import health_alarms
from tests.questions.test_statistics_pages import measure, measure_health, page_of
from tests.support.bank import NOW, add_outline, add_questions, draft
from tests.support.editing import EDITORS, LIST, address, browser_of, person
from tests.support.hooks import parsed

pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]
HOME = reverse("admin:questions_question_desk")
STATEMENTS = 24
ALARMS = {"miskeys", "health"}
SAYS_LITTLE = {"information": 0.01, "information_error": 0.01}


@pytest.fixture(autouse=True)
def _no_counts_kept():
    cache.clear()


def begin(exam, n, by):
    return desk.begin(exam, draft(n), by, NOW + dt.timedelta(minutes=n))


def counts(user):
    page = parsed(browser_of(user).get(HOME))
    return {each["data-list"]: int(each["data-count"]) for each in page.select("[data-list]")}


def listed(user, name):
    """Return the ids of the questions on the page that this list links to."""
    client = browser_of(user)
    link = parsed(client.get(HOME)).select_one(f'[data-list="{name}"] h2 a')["href"]
    return [row.pk for row in client.get(link).context["cl"].result_list]


class TestDrafts:
    def test_a_draft_is_on_its_authors_list_except_while_in_review(self, exam, alice, bob):
        question = begin(exam, 1, alice)
        assert (counts(alice)["drafts"], counts(bob)["drafts"]) == (1, 0)
        desk.submit(question.pk, 0, alice, NOW)
        assert (counts(alice)["drafts"], counts(bob)["review"]) == (0, 1)
        assert listed(bob, "review") == [question.pk]
        desk.send_back(question.pk, 0, bob, NOW, "The trap is thin.")
        assert (counts(alice)["sent_back"], counts(bob)["sent_back"], counts(bob)["review"]) == (1, 0, 0)
        assert listed(alice, "sent_back") == [question.pk]

    def test_a_line_about_a_draft_without_a_number_leaves_no_gap(self, exam, alice):
        begin(exam, 1, alice)
        line = parsed(browser_of(alice).get(HOME)).select_one("[data-list=drafts] .desk-about")
        assert line.text.startswith(f"{exam.code},")

    def test_nobody_can_review_a_draft_they_worked_on_or_a_sibling_of_one(self, exam, alice, bob):
        base = begin(exam, 1, alice)
        clause = "deciding words 1"
        families.add_to_lone(base.pk, 0, "", clause, families.NewVariant("Other", "other words"), bob, NOW)
        Question.objects.update(desk=Desk.REVIEW)
        base.authors.set([alice])
        lone = begin(exam, 2, alice)
        desk.submit(lone.pk, 0, alice, NOW)
        assert listed(bob, "review") == [lone.pk]

    def test_if_authors_may_publish_their_own_drafts_those_are_listed_too(self, exam, bob, settings):
        question = begin(exam, 1, bob)
        desk.submit(question.pk, 0, bob, NOW)
        assert counts(bob)["review"] == 0
        settings.PUBLISH_OWN_QUESTIONS = True
        assert listed(bob, "review") == [question.pk]

    def test_a_person_who_may_not_publish_has_no_review_list(self, exam, alice):
        assert "review" not in counts(alice)
        desk.submit(begin(exam, 1, person("carol", EDITORS)).pk, 0, alice, NOW)
        assert list(browser_of(alice).get(LIST, {"work": "review"}).context["cl"].result_list) == []


class TestAlarms:
    def test_open_reports_due_rechecks_and_withdrawn_questions_are_listed(self, exam, alice):
        add_questions(exam, 1)
        rows = list(Question.objects.order_by("pk"))
        for n in range(2):
            report = ContentReport.objects.create(
                version=rows[n].live_version, kind=ReportKind.KEY, text="x", made_at=NOW, fingerprint=str(n)
            )
        answer_report(report.pk, Answer(ReportState.DECLINED, "It is so."), 0, alice, NOW)
        today = timezone.localdate()
        Question.objects.filter(pk=rows[2].pk).update(recheck_after=today)
        Question.objects.filter(pk=rows[3].pk).update(recheck_after=today + dt.timedelta(days=1))
        Question.objects.filter(pk=rows[4].pk).update(withdrawn_at=NOW)
        Question.objects.filter(pk=rows[5].pk).update(withdrawn_at=NOW, retired_at=NOW)
        found = counts(alice)
        assert (found["reports"], found["recheck"], found["withdrawn"]) == (1, 1, 1)
        assert listed(alice, "recheck") == [rows[2].pk]
        assert listed(alice, "withdrawn") == [rows[4].pk]

    def test_objectives_with_too_few_questions_are_listed_largest_gap_first(self, exam, alice):
        add_outline(exam)
        add_questions(exam, 9, domains=("d1",))
        Question.objects.update(objectives=["1.1.a"])
        first = Question.objects.order_by("pk").first()
        Question.objects.filter(pk=first.pk).update(objectives=["2.1", "2.10.a"])
        page = browser_of(alice).get(HOME).context["page"]
        assert [(each.objective.number, each.count) for each in page.short] == [
            ("3.1", 0), ("4.1", 0), ("5.1", 0), ("6.1", 0), ("2.1", 1),
        ]  # fmt: skip
        link = parsed(browser_of(alice).get(HOME)).select('[data-list="short"] li a')[-1]["href"]
        assert [row.pk for row in browser_of(alice).get(link).context["cl"].result_list] == [first.pk]

    def test_a_basic_question_does_not_count_for_an_objective(self, exam, alice):
        add_outline(exam)
        versions = add_questions(exam, 8, domains=("d1",))
        Question.objects.update(objectives=["1.1.a"])
        assert "1.1" not in [each.objective.number for each in short_objectives()]
        QuestionVersion.objects.filter(pk=versions[0].pk).update(is_basic=True)
        assert ("1.1", 7) in [(each.objective.number, each.count) for each in short_objectives()]

    def test_alarms_link_to_the_questions_whose_answers_stand_out(self, exam, alice):
        versions = add_questions(exam, 1)
        measure(versions, {versions[1].pk: 2})
        for version, facts in ((versions[2], {"squares": 32.0}), (versions[3], {"squares": 32.0, **SAYS_LITTLE})):
            measure_health(version, **facts)
        measure_health(versions[4])
        Question.objects.filter(pk=versions[5].question_id).update(retired_at=NOW)
        measure_health(versions[5], squares=32.0)
        assert {name: counts(alice)[name] for name in ALARMS} == {"miskeys": 1, "health": 2}
        assert listed(alice, "miskeys") == [versions[1].question_id]
        assert set(listed(alice, "health")) == {versions[2].question_id, versions[3].question_id}
        lines = parsed(browser_of(alice).get(HOME)).select('[data-list="health"] li')
        assert [line.a["href"] for line in lines] == [page_of(versions[n].question_id) for n in (3, 2)]
        assert ["information" in line.text for line in lines] == [True, False]

    def test_a_list_of_alarms_is_filtered_by_its_figure(self, exam, alice):
        versions = add_questions(exam, 1)
        measure(versions, {})
        measure_health(versions[0], squares=32.0)
        measure_health(versions[1], **SAYS_LITTLE)
        client = browser_of(alice)
        with CaptureQueriesContext(connection) as queries:
            assert len(health_alarms()) == 2
        few = len(queries)
        measure_health(versions[2], squares=32.0)
        with CaptureQueriesContext(connection) as queries:
            assert len(health_alarms()) == 3
        assert len(queries) == few == 3
        ItemHealth.objects.filter(version=versions[2]).delete()
        for name, version in (("fit", versions[0]), ("information", versions[1])):
            found = client.get(LIST, {"health": name}).context["cl"].result_list
            assert [row.pk for row in found] == [version.question_id]

    def test_figures_are_shown_only_with_permission(self, exam, alice):
        versions = add_questions(exam, 1)
        measure(versions, {})
        measure_health(versions[0], squares=32.0)
        assert counts(alice).keys() >= ALARMS
        alice.groups.clear()
        alice.user_permissions.add(Permission.objects.get(codename="change_question"))
        assert not ALARMS & counts(alice).keys()
        client = browser_of(alice)
        assert list(client.get(LIST, {"work": "health"}).context["cl"].result_list) == []
        assert len(client.get(LIST, {"health": "fit"}).context["cl"].result_list) == 6


class TestLinksToTheDesk:
    def test_the_header_links_only_editors_to_the_desk(self, exam, alice):
        who = reverse("account_who")
        assert [a["href"] for a in parsed(browser_of(alice).get(who)).select("[data-editors]")] == [HOME]
        for stranger in (Client(), browser_of(person("mona"))):
            assert not parsed(stranger.get(who)).select("[data-editors]")

    def test_a_public_page_is_the_same_for_everybody_and_links_to_its_draft(self, exam, alice):
        version = add_questions(exam, 1, domains=("d1",))[0]
        url = version.question.get_absolute_url()
        pages = [client.get(url).content for client in (Client(), browser_of(alice))]
        assert pages[0] == pages[1]
        assert [a["href"] for a in parsed(pages[0].decode()).select("[data-edit]")] == [address(version.question)]


def test_the_statement_count_does_not_grow_with_the_questions(exam, alice, bob):
    add_outline(exam)
    client = browser_of(bob)

    def statements():
        cache.clear()
        with CaptureQueriesContext(connection) as queries:
            assert client.get(HOME).status_code == 200
        return len(queries)

    for n in (1, 2):
        desk.submit(begin(exam, n, alice).pk, 0, alice, NOW)
    few = statements()
    add_questions(exam, 3)
    Question.objects.filter(number__lt=10).update(recheck_after=dt.date(2026, 1, 1))
    VersionStatistics.objects.create(version=Question.objects.get(number=1).live_version)
    for n in (50, 51, 52):
        question = begin(exam, n, alice)
        desk.keep(question.pk, dataclasses.replace(draft_of(question), trap="Other."), 0, bob, NOW)
    assert statements() == few == STATEMENTS
