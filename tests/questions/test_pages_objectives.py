"""Check what the page of an exam guide's objectives lists and counts and the drills that it starts."""

from __future__ import annotations

import dataclasses
import datetime as dt
import gzip
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from practice.models import PracticeSession
from questions.bank_files.load import load_exam
from questions.bank_files.rules.folder import read_exam_file
from questions.bank_files.rules.outlines import read_outlines
from questions.catalogue.outlines import store_outline
from questions.catalogue.rules.outline_file import Outline
from questions.models import Blueprint, BlueprintDomain, Exam, Objective, Question, StudyModule
from questions.modules.rules.html import module_html
from questions.pages.reads.exams import objectives_address
from tests.support.bank import add_outline, draft, make_exam, publish_all
from tests.support.hooks import figures, parsed, states

pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]

FIXTURES = Path(settings.BASE_DIR) / "fixtures"
HTML_BUDGET = 30_000
OWN = {"HTTP_SEC_FETCH_SITE": "same-origin"}
URL = "/exams/pmle/objectives/"


@pytest.fixture
def exam() -> Exam:
    exam = make_exam()
    add_outline(exam)
    return exam


def ask(exam: Exam, n: int, *objectives: str, pool: str = "open", modules: tuple[str, ...] = ()) -> None:
    named = dataclasses.replace(draft(n, pool=pool), objectives=objectives, modules=modules)
    publish_all(exam, [(exam.domains.get(key="d1"), named)])


def add_former(exam: Exam) -> Blueprint:
    former = Blueprint.objects.create(
        exam=exam, key="v3.1", name="v3.1 guide", effective_from=dt.date(2024, 10, 1), question_count=60, minutes=120,
        pass_mark=70,
    )  # fmt: skip
    for domain in exam.domains.all():
        BlueprintDomain.objects.create(blueprint=former, domain=domain, name=f"Former {domain.number}", weight=10)
    return add_outline(exam, former)


def counted(html: HttpResponse | str) -> dict[str, list[int]]:
    """Return how many public and reserved questions the page counts, by objective or point."""
    return {row["data-counts"]: figures(row.text) for row in parsed(html).select("[data-counts]")}


def page(url: str = URL) -> str:
    answer = Client().get(url)
    assert answer.status_code == 200
    return " ".join(re.sub(r"<[^>]+>", " ", answer.text).split())


def entry(number: str, text: str) -> str:
    """Return the text between this number and the next one in the outline."""
    return re.split(r" \d\.1(?:\.[ab])? ", text.partition(f" {number} ")[2])[0]


def test_objectives_and_points_are_in_order_with_their_products(exam: Exam) -> None:
    text, rows = page(), {row.number: row for row in Objective.objects.all()}
    found = re.findall(r"(?<= )\d\.1(?:\.[ab])?(?= )", text)
    assert found == [number for n in range(1, 7) for number in (f"{n}.1", f"{n}.1.a", f"{n}.1.b")]
    assert entry("2.1", text) == f"{rows['2.1'].name} {rows['2.1'].words}"
    assert entry("2.1.a", text) == f"{rows['2.1.a'].words} Lamp"
    assert figures(parsed(Client().get(URL)).select_one("#section-2 h2").text)[-1] == 16


def test_the_page_says_if_no_question_names_an_objective(exam: Exam) -> None:
    ask(exam, 1)
    html = Client().get(URL)
    assert states(html) == ["none-named"]
    assert not counted(html)


def test_questions_are_counted_by_pool_once_under_each_objective_and_point(exam: Exam) -> None:
    ask(exam, 1, "1.1.a", "1.1.b")
    ask(exam, 2, "1.1.a")
    ask(exam, 3, "1.1", pool="reserved")
    ask(exam, 4)
    html = Client().get(URL)
    assert figures(parsed(html).select_one("#counted").text) == [3, 4]
    assert counted(html) == {"1.1": [2, 1], "1.1.a": [2, 0], "1.1.b": [1, 0]}


def test_an_objective_with_public_questions_starts_a_drill_of_just_those(exam: Exam) -> None:
    for n, objectives in enumerate((("1.1.a",), ("1.1",), ("2.1",), ("1.10",), ()), 1):
        ask(exam, n, *objectives)
    ask(exam, 6, "3.1.a", pool="reserved")
    forms = re.findall(r'<input type="hidden" name="objective" value="([^"]+)">', Client().get(URL).text)
    assert forms == ["1.1", "1.1.a", "2.1"]
    answer = Client().post("/practice/pmle/drill/", {"objective": "1.1", "size": "10"}, **OWN)
    assert answer.status_code == 302
    drill = PracticeSession.objects.get()
    assert set(drill.items.values_list("version__question__key", flat=True)) == {"q1", "q2"}
    assert drill.label == "Objective 1.1"


def test_a_point_with_public_questions_starts_a_drill_of_just_those(exam: Exam) -> None:
    for n, objectives in enumerate((("1.1.a",), ("1.1",), ("1.1.b",)), 1):
        ask(exam, n, *objectives)
    answer = Client().post("/practice/pmle/drill/", {"objective": "1.1.a", "size": "10"}, **OWN)
    assert answer.status_code == 302
    drill = PracticeSession.objects.get()
    assert list(drill.items.values_list("version__question__key", flat=True)) == ["q1"]


def test_no_drill_starts_for_an_objective_that_no_question_names(exam: Exam) -> None:
    ask(exam, 1, "1.1.a")
    assert Client().post("/practice/pmle/drill/", {"objective": "2.1"}, **OWN).status_code == 400
    assert not PracticeSession.objects.exists()


@pytest.mark.parametrize("state", ["withdrawn_at", "retired_at"])
def test_removed_questions_are_not_counted(exam: Exam, state: str) -> None:
    ask(exam, 1, "1.1.a")
    ask(exam, 2, "1.1.a")
    Question.objects.filter(key="q1").update(**{state: timezone.now()})
    assert figures(parsed(Client().get(URL)).select_one("#counted").text) == [1, 1]


def test_an_objective_links_to_the_module_sections_its_public_questions_name(exam: Exam) -> None:
    StudyModule.objects.create(
        exam=exam, domain=exam.domains.get(key="d1"), number=3, slug="lamps", title="Lamps", summary="S.",
        body=(body := "## Part\n\nText."), html=module_html(body),
    )  # fmt: skip
    ask(exam, 1, "1.1.a", modules=("lamps#part", "gone#part"))
    ask(exam, 2, "1.1.b", modules=("lamps#secret",), pool="reserved")
    html = Client().get(URL).text
    assert html.count('<a href="/exams/pmle/modules/3-lamps/#part">3 Lamps</a>') == 2, "at the point and its objective"
    assert "#secret" not in html
    assert '<a href="/exams/pmle/modules/3-lamps/">3 Lamps</a>' in html


def test_facts_and_sources_are_shown_with_the_date_they_were_opened(exam: Exam) -> None:
    html = parsed(Client().get(URL))
    facts = {row["data-fact"]: figures(row.text) for row in html.select("#facts dd[data-fact]")}
    assert facts == {"questions": [50, 60, 1, 2]}
    assert [row.get("data-opened") for row in html.select("#sources li")] == ["", "2026-11-23"]


@pytest.mark.parametrize("path", ["/exams/pmle/", "/exams/pmle/study-guide/"])
def test_the_exams_page_and_its_study_guide_begin_with_the_same_facts(exam: Exam, path: str) -> None:
    html = parsed(Client().get(path))
    [facts] = html.select("#facts")
    assert figures(facts.select_one('[data-fact="questions"]').text) == [50, 60, 1, 2]
    assert [link["href"] for link in facts.select("a")] == [f"{URL}#source-1", f"{URL}#source-2"]
    sections = [section.get("id") for section in html.select("main section[id]")]
    assert sections[:2] == ["facts", "domains"]


@pytest.mark.parametrize("path", ["/exams/plain/", "/exams/plain/study-guide/"])
def test_without_an_outline_the_exams_pages_show_no_facts(path: str) -> None:
    make_exam("plain")
    assert not parsed(Client().get(path)).select("#facts")


def test_both_exam_guides_can_be_chosen_and_only_the_current_one_is_counted(exam: Exam) -> None:
    add_former(exam)
    ask(exam, 1, "1.1.a")
    assert '<a href="/exams/pmle/objectives/v3.1/">v3.1 guide</a>' in Client().get(URL).text
    former = Client().get(f"{URL}v3.1/").text
    assert parsed(former).select_one(f'main a[href="{URL}"]').text == exam.blueprints.get(is_current=True).name
    assert "Former 1" in former
    assert states(former) == ["not-counted"]
    assert not counted(former)


def test_the_current_guide_has_one_address(exam: Exam) -> None:
    answer = Client().get(f"{URL}june-2026/")
    assert (answer.status_code, answer.headers["Location"]) == (302, URL)
    assert f'<link rel="canonical" href="http://testserver{URL}">' in Client().get(URL).text


def test_an_exam_without_an_outline_has_no_such_page_and_no_link_to_one() -> None:
    make_exam("plain")
    assert Client().get("/exams/plain/objectives/").status_code == 404
    assert "objectives" not in Client().get("/exams/plain/").text
    assert "objectives" not in Client().get("/sitemaps/plain/pages.xml").text


def test_the_exam_and_the_sitemap_link_to_every_guide_that_has_an_outline(exam: Exam) -> None:
    add_former(exam)
    assert f'<a href="{URL}">Exam objectives</a>' in Client().get("/exams/pmle/").text
    sitemap = Client().get("/sitemaps/pmle/pages.xml").text
    assert f"{URL}</loc>" in sitemap
    assert f"{URL}v3.1/</loc>" in sitemap


@pytest.mark.parametrize("slug", ["ace", "pmle"])
def test_the_pages_of_our_own_exam_guides_are_light(slug: str) -> None:
    folder = FIXTURES / slug
    exam, parsed = load_exam(folder / "exam.yaml"), read_exam_file(folder).exam
    assert parsed is not None
    for outline in read_outlines(folder, parsed):
        assert isinstance(outline, Outline)
        store_outline(exam, outline)
    for guide in exam.blueprints.all():
        answer = Client().get(objectives_address(exam, guide))
        assert answer.status_code == 200
        assert len(gzip.compress(answer.content)) <= HTML_BUDGET
        assert answer.text.count("<h3 id=") == guide.objectives.filter(parent=None).count()
