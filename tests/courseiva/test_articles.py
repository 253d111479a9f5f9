"""Each article is public and light and says what the code does; the study guide is built from rows."""

import datetime as dt
import gzip
import re
from decimal import Decimal
from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.test import Client

from courseiva.pages.reads import study_guide
from courseiva.pages.rules import HOURS_A_WEEK, lay_out, study_weeks
from courseiva.pages.views.articles import ARTICLES
from practice.learners.reads.identity import GUEST_DAYS
from questions.models import Blueprint, BlueprintDomain, Exam, StudyModule
from tests.support.bank import WEIGHTS_V31, add_questions, make_exam

HTML_BUDGET = 30_000
LEAST_WORDS = 200


def words(html: str) -> int:
    [article] = re.findall(r"<article.*?</article>", html, re.DOTALL)
    return len(re.sub(r"<[^>]+>", " ", article).split())


@pytest.fixture
def exam(db: None) -> Exam:
    """Create an exam with two guides of different weights and a module in the second domain."""
    exam = make_exam()
    add_questions(exam, 1)
    old = Blueprint.objects.create(
        exam=exam, key="old", name="v3.1 guide", effective_from=dt.date(2024, 10, 1), question_count=50, minutes=100,
        pass_mark=65,
    )  # fmt: skip
    for domain, weight in zip(exam.domains.all(), WEIGHTS_V31, strict=True):
        BlueprintDomain.objects.create(blueprint=old, domain=domain, name=f"Old {domain.number}", weight=weight)
    Exam.objects.update(retake_days=[14, 60])
    StudyModule.objects.create(
        exam=exam, domain=exam.domains.get(key="d2"), number=1, slug="m", title="Of the second", summary="S.", body=""
    )
    return Exam.objects.get()


@pytest.mark.django_db
@pytest.mark.parametrize("article", ARTICLES, ids=lambda article: article.slug)
def test_an_article_is_public_light_and_the_same_for_everyone(article: Any) -> None:
    answer = Client().get(article.path)
    assert answer.status_code == 200
    assert "public" in answer.headers["Cache-Control"]
    assert not answer.cookies
    assert len(gzip.compress(answer.content)) <= HTML_BUDGET
    assert f"<h1>{article.title}</h1>" in answer.text
    assert words(answer.text) >= LEAST_WORDS
    assert f'<time datetime="{article.changed}">' in answer.text
    assert Client().post(article.path).status_code == 405


@pytest.mark.django_db
def test_the_index_and_every_footer_link_to_the_articles() -> None:
    html = Client().get("/articles/").text
    assert [article.slug for article in ARTICLES if f'href="{article.path}"' not in html] == []
    foot = html[html.index("<footer") :]
    for slug in ("about", "privacy", "terms", "accessibility", "contact"):
        assert f'href="/articles/{slug}/"' in foot
    assert Client().get("/articles/none/").status_code == 404


@pytest.mark.django_db
def test_cookie_lifetimes_on_the_privacy_page_match_the_code(settings: Any) -> None:
    settings.SESSION_COOKIE_AGE = 9 * 86400
    html = Client().get("/articles/privacy/").text
    assert re.findall(r"<td data-days>(\d+) ", html) == [str(GUEST_DAYS), "9", "9"]
    for path in ("/accounts/delete/", "/practice/export.json", "/practice/export.csv", "/practice/history/"):
        assert f'href="{path}"' in html


@pytest.mark.django_db
def test_public_pages_set_no_cookie_as_the_privacy_page_says(exam: Exam) -> None:
    client = Client()
    for path in ("/", "/exams/", "/exams/pmle/", "/exams/pmle/questions/1-situation-1/", "/search/?q=situation"):
        client.get(path)
    client.get("/practice/pmle/modules/", HTTP_HX_REQUEST="true")
    assert not client.cookies


def test_the_study_guide_shows_both_exam_guides_and_what_changed(exam: Exam) -> None:
    html = Client().get("/exams/pmle/study-guide/").text
    assert re.search(r">[^<]*Domain name 2[^<]*14%[^<]*16%", html)
    assert "v3.1 guide" in html
    assert re.search(r"\b60 [^<]*\b120 ", html)
    assert re.search(r"\b14 [^<]*\b60 ", html)
    assert "/exams/pmle/modules/1-m/" in html


def test_the_study_guide_lists_each_change_in_the_outline_once(exam: Exam) -> None:
    before = exam.blueprints.get(is_current=True)
    bare = BeautifulSoup(Client().get("/exams/pmle/study-guide/").text, "html.parser")
    assert not bare.select("#changed")
    assert bare.select("#domains #changes")
    came, went = "Amber & wires", "Lamps"
    before.changed = {
        "compared_with": "v3.1", "weights": [],
        "came": [{"where": "1.1", "what": came}],
        "went": [{"where": "2.2", "what": went}],
        "renamed": [{"former": "Old lamp", "now": "New lamp", "source": 1, "note": "Since May."}],
    }  # fmt: skip
    before.save()
    pages = {path: Client().get(path).text for path in ("/exams/pmle/study-guide/", "/exams/pmle/")}
    section = BeautifulSoup(pages["/exams/pmle/study-guide/"], "html.parser").select_one("#changed")
    assert section
    weights = [item.text.strip() for item in section.select("#changes li")]
    assert len(weights) == len(study_guide(exam).page.changes) > 1
    assert [item.text.strip() for item in section.select("li")] == [*weights, f"1.1 {came}", f"2.2 {went}"]
    assert [row.text for row in section.select("tbody th")] == ["Old lamp"]
    assert sum(text.count(f" {went}</li>") for text in pages.values()) == 1
    assert [text.count('id="changes"') for text in pages.values()] == [1, 1]


def test_the_study_guide_is_built_from_rows_not_from_text(exam: Exam) -> None:
    blueprint = Blueprint.objects.get(is_current=True).name
    Blueprint.objects.filter(is_current=True).update(question_count=44, minutes=77, name="Other guide")
    BlueprintDomain.objects.filter(blueprint__is_current=True, domain__number=1).update(weight=Decimal(90))
    page = study_guide(exam)
    assert sum(plan.questions for plan in page.domains) == 44
    assert page.domains[0].hours > study_weeks(44) * HOURS_A_WEEK / 3
    html = Client().get("/exams/pmle/study-guide/").text
    assert re.search(r"\b44 [^<]*\b77 ", html)
    assert "Other guide" in html
    assert blueprint not in html


def test_hours_and_questions_are_split_by_weight_and_every_week_is_full(exam: Exam) -> None:
    page = study_guide(exam)
    assert [plan.questions for plan in page.domains] == [8, 9, 12, 12, 11, 8]
    assert sum(plan.hours for plan in page.domains) == 6 * HOURS_A_WEEK
    assert [sum(part.hours for part in week) for week in page.weeks] == [HOURS_A_WEEK] * 6
    begun = [part.plan.domain.number for week in page.weeks for part in week if part.begins]
    assert begun == [1, 2, 3, 4, 5, 6]
    assert [module.title for module in page.domains[1].modules] == ["Of the second"]
    assert page.mock_weeks == [7, 8]


def test_a_shorter_exam_has_a_shorter_plan(exam: Exam) -> None:
    exam.blueprints.filter(is_current=True).update(question_count=50)
    page = study_guide(exam)
    assert [sum(part.hours for part in week) for week in page.weeks] == [HOURS_A_WEEK] * 5
    assert page.mock_weeks == [6, 7]


@pytest.mark.parametrize(("questions", "weeks"), [(1, 1), (14, 1), (15, 2), (50, 5), (60, 6)])
def test_a_plan_has_a_week_for_every_ten_questions_of_a_mock(questions: int, weeks: int) -> None:
    assert study_weeks(questions) == weeks


def test_an_exam_without_a_current_guide_has_no_plan(exam: Exam) -> None:
    Blueprint.objects.update(is_current=False)
    html = Client().get("/exams/pmle/study-guide/").text
    assert 'id="plan"' not in html
    assert 'id="worth"' not in html


@pytest.mark.parametrize(
    ("hours", "weeks"),
    [
        ({}, []),
        ({1: 6}, [[(1, 6)]]),
        ({1: 4, 2: 4}, [[(1, 4), (2, 2)], [(2, 2)]]),
        ({1: 13, 2: 0, 3: 1}, [[(1, 6)], [(1, 6)], [(1, 1), (3, 1)]]),
    ],
)
def test_hours_are_laid_out_week_by_week(hours: dict[int, int], weeks: list[list[tuple[int, int]]]) -> None:
    assert lay_out(hours, 6) == weeks
