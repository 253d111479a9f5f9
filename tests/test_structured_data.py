"""Every public page has one data block, with types and properties of schema.org, that says what the page shows."""

import html as markup
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from courseiva.pages.views.articles import ARTICLES
from questions.models import Exam, Question, StudyModule
from questions.modules.rules.html import module_html
from tests.support.bank import NOW, add_outline, add_questions, make_exam

pytestmark = pytest.mark.django_db

Node = dict[str, Any]
BASE = "http://testserver"
LINKS = ("url", "item", "@id", "publishingPrinciples", "correctionsPolicy", "targetUrl")
ISO_DAY, DURATION = re.compile(r"\d{4}-\d{2}-\d{2}"), re.compile(r"PT\d+M")


def text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip()) and "<" not in value.replace("< ", "")


def address(value: object) -> bool:
    return isinstance(value, str) and urlsplit(value).scheme in ("http", "https") and bool(urlsplit(value).netloc)


def count(value: object) -> bool:
    return isinstance(value, int) and value >= 0


def yes(value: object) -> bool:
    return value is True


def matches(pattern: re.Pattern[str]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, str) and bool(pattern.fullmatch(value))


def one(*types: str) -> Callable[[object], bool]:
    return lambda value: isinstance(value, dict) and value.get("@type") in types


def many(*types: str) -> Callable[[object], bool]:
    return lambda value: isinstance(value, list) and bool(value) and all(one(*types)(each) for each in value)


def some(*types: str) -> Callable[[object], bool]:
    return lambda value: value == [] or one(*types)(value) or many(*types)(value)


PAGE = {"@id": address, "url": address, "name": text, "inLanguage": text}
# The types of schema.org that our pages use, with what each must have and what else it may have.
TYPES: dict[str, tuple[dict[str, Callable[[object], bool]], dict[str, Callable[[object], bool]]]] = {
    "BreadcrumbList": ({"itemListElement": many("ListItem")}, {}),
    "ListItem": ({"position": count, "name": text, "item": address}, {}),
    "ItemList": ({"numberOfItems": count, "itemListElement": some("ListItem")}, {}),
    "WebSite": (PAGE, {"description": text}),
    "WebPage": (PAGE, {"license": address, "publisher": one("Organization")}),
    "Organization": (
        {"name": text, "url": address, "publishingPrinciples": address, "correctionsPolicy": address}, {}
    ),
    "CollectionPage": (PAGE | {"mainEntity": one("ItemList")}, {}),
    "DefinedTermSet": (PAGE | {"hasDefinedTerm": some("DefinedTerm")}, {}),
    "DefinedTerm": ({"name": text, "url": address}, {"description": text}),
    "LearningResource": (
        PAGE | {"isAccessibleForFree": yes, "license": address, "learningResourceType": text, "description": text,
                "about": one("EducationalOccupationalCredential")},
        {"timeRequired": matches(DURATION), "teaches": text, "dateModified": matches(ISO_DAY)},
    ),
    "EducationalOccupationalCredential": ({"name": text, "url": address}, {}),
    "Quiz": (
        PAGE | {"about": one("Thing"), "hasPart": one("Question"), "version": count, "license": address,
                "datePublished": matches(ISO_DAY), "dateModified": matches(ISO_DAY), "publisher": one("Organization"),
                "citation": many("CreativeWork")},
        {"educationalAlignment": many("AlignmentObject"), "correction": many("CorrectionComment")},
    ),
    "CreativeWork": ({"name": text, "url": address}, {}),
    "AlignmentObject": (
        {"alignmentType": lambda value: value == "assesses", "educationalFramework": text, "targetName": text,
         "targetUrl": address},
        {},
    ),
    "CorrectionComment": ({"text": text, "datePublished": matches(ISO_DAY)}, {}),
    "Thing": ({"name": text}, {}),
    "Question": (
        {"name": text, "acceptedAnswer": some("Answer")},
        {"text": text, "eduQuestionType": lambda value: value in ("Checkbox", "Multiple choice"),
         "educationalLevel": text, "suggestedAnswer": some("Answer")},
    ),
    "Answer": ({"text": text}, {"position": count, "comment": one("Comment")}),
    "Comment": ({"text": text}, {}),
    "FAQPage": ({"mainEntity": many("Question")}, {}),
}  # fmt: skip


def nodes(value: object) -> Iterator[Node]:
    """Yield every node with a type, inner ones included."""
    if isinstance(value, dict):
        if "@type" in value:
            yield value
        for inner in value.values():
            yield from nodes(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from nodes(inner)


def faults_of(node: Node) -> list[str]:
    """Return what in a node isn't known to schema.org, or to our table of it."""
    kind = node["@type"]
    if kind not in TYPES:
        return [f"{kind} is no type of ours"]
    must, may = TYPES[kind]
    told = [f"{kind} without {name}" for name in must if name not in node]
    rules = must | may
    told += [f"{kind} with {name}" for name in node if name != "@type" and name not in rules]
    return told + [f"{kind}.{name} is {node[name]!r}" for name in node if name in rules and not rules[name](node[name])]


class Shown(HTMLParser):
    """The text of a page as a reader sees it, its breadcrumb, and its data blocks."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.blocks: list[str] = []
        self.parts: list[str] = []
        self.inside = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "script":
            self.inside = dict(attrs).get("type") or "script"

    def handle_endtag(self, tag: str) -> None:
        if tag == "script":
            self.inside = ""

    def handle_data(self, data: str) -> None:
        if self.inside == "application/ld+json":
            self.blocks.append(data)
        elif not self.inside:
            self.parts.append(data)

    @property
    def words(self) -> str:
        return " ".join("".join(self.parts).split())


def crumbs_of(page: str) -> list[str]:
    found = re.search(r'<nav class="crumbs".*?</nav>', page, re.DOTALL)
    return (
        [markup.unescape(name) for name in re.findall(r"<li[^>]*>(?:<a[^>]*>)?([^<]+)<", found.group())]
        if found
        else []
    )


@dataclass(frozen=True)
class World:
    """An exam with questions of both kinds and a module, and an exam without a picture."""

    exam: Exam
    question: Question
    module: StudyModule


@pytest.fixture
def world() -> World:
    exam = make_exam()
    add_outline(exam)
    add_questions(exam, 1)
    [version] = add_questions(exam, 1, kind="multiple", domains=("d2",))
    add_questions(exam, 1, pool="reserved")
    body = "## Part\n\nText.\n\n:::check q1\n:::\n"
    module = StudyModule.objects.create(
        exam=exam, domain=exam.domains.get(key="d1"), number=1, slug="first", title="First",
        summary="What comes first.", body=body, html=module_html(body), words=600, changed_at=NOW,
    )  # fmt: skip
    add_questions(make_exam("second"), 1)
    return World(exam, Question.objects.get(pk=version.question_id), module)


def public_pages(world: World) -> list[str]:
    slug, question = world.exam.slug, world.question
    names = ("exam", "questions", "objectives", "collections", "study-guide", "calibration", "evidence")
    return [
        "/",
        reverse("exams"),
        reverse("articles"),
        reverse("errata"),
        reverse("glossary"),
        *(reverse(name, args=[slug]) for name in names),
        *(article.path for article in ARTICLES),
        reverse("domain", args=[slug, question.domain.key]),
        reverse("concept", args=[slug, question.live_version.concepts.order_by("pk")[0].key]),
        reverse("collection", args=[slug, "choose-several"]),
        reverse("collection", args=[slug, "hard"]),
        reverse("module", args=[slug, world.module.number, world.module.slug]),
        *(row.get_absolute_url() for row in Question.objects.filter(exam=world.exam, number__in=(1, question.number))),
    ]


def graph_of(page: str) -> list[Node]:
    [block] = Shown(page).blocks
    data = json.loads(block)
    assert data["@context"] == "https://schema.org"
    assert set(data) == {"@context", "@graph"}
    return list(data["@graph"])


def test_every_public_page_has_one_valid_block(world: World) -> None:
    faults = {}
    for path in public_pages(world):
        page = Client().get(path).text
        told = [fault for node in nodes(graph_of(page)) for fault in faults_of(node)]
        for node in nodes(graph_of(page)):
            ours = [node[name] for name in LINKS if str(node.get(name, "")).startswith(BASE)]
            told += [link for link in ours if Client().get(link.partition("#")[0]).status_code != 200]
        if told:
            faults[path] = told
    assert faults == {}


def test_breadcrumb_data_matches_the_page(world: World) -> None:
    for path in public_pages(world):
        page = Client().get(path).text
        trails = [node["itemListElement"] for node in graph_of(page) if node["@type"] == "BreadcrumbList"]
        shown = crumbs_of(page)
        assert len(trails) == bool(shown), path
        for trail in trails:
            assert [each["name"] for each in trail] == shown, path
            assert [each["position"] for each in trail] == list(range(1, len(shown) + 1))
            assert trail[-1]["item"].removeprefix(BASE) == path


def test_every_question_and_answer_is_on_the_page(world: World) -> None:
    asked = 0
    for path in public_pages(world):
        page = Client().get(path).text
        words = Shown(page).words
        for node in nodes(graph_of(page)):
            if node["@type"] == "Question":
                asked += 1
                answers = [each for name in ("acceptedAnswer", "suggestedAnswer") for each in nodes(node.get(name, []))]
                said = [node["name"], *(each["text"] for each in answers)]
                assert [each for each in said if each not in words] == [], path
    assert asked >= 10


def test_a_question_is_a_quiz_with_its_kind_and_every_option(world: World) -> None:
    page = Client().get(world.question.get_absolute_url()).text
    assert [node["@type"] for node in graph_of(page)] == ["BreadcrumbList", "Quiz"]
    item = graph_of(page)[1]["hasPart"]
    assert item["eduQuestionType"] == "Checkbox"
    given = [*item["acceptedAnswer"], *item["suggestedAnswer"]]
    assert sorted(each["position"] for each in given) == [0, 1, 2, 3, 4]


def test_there_is_no_answer_data_if_the_page_shows_none(world: World) -> None:
    Question.objects.filter(pk=world.question.pk).update(withdrawn_at=NOW)
    page = Client().get(world.question.get_absolute_url()).text
    assert [node["@type"] for node in graph_of(page)] == ["BreadcrumbList"]
    Question.objects.filter(pk=world.question.pk).update(retired_at=NOW)
    gone = Client().get(world.question.get_absolute_url() + "?fresh=1")
    assert gone.status_code == 410
    assert "ld+json" not in gone.text


def test_pages_hidden_from_search_engines_have_no_data(world: World) -> None:
    for path in ("/search/?q=situation", f"/exams/{world.exam.slug}/questions/?difficulty=medium"):
        page = Client().get(path).text
        assert "ld+json" not in page
        assert '<meta name="robots" content="noindex">' in page


def test_titles_and_descriptions_are_unique(world: World) -> None:
    titles, descriptions = {}, {}
    for path in public_pages(world):
        page = Client().get(path).text
        [title] = re.findall(r"<title>([^<]+)</title>", page)
        [description] = re.findall(r'<meta name="description" content="([^"]+)">', page)
        [canonical] = re.findall(r'<link rel="canonical" href="([^"]+)">', page)
        assert canonical == BASE + path
        assert len(markup.unescape(description)) <= 160, path
        titles.setdefault(title, path)
        descriptions.setdefault(description, path)
        preview = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]+)">', page))
        assert preview["url"] == canonical
        assert title.startswith(preview["title"]), path
        assert preview["description"] == description
        assert preview["image"].startswith(BASE)
        assert page.count("<h1") == 1, path
    assert len(titles) == len(descriptions) == len(public_pages(world))


def test_an_exam_with_its_own_preview_picture_uses_it(world: World) -> None:
    drawn, other = (Client().get(f"/exams/{slug}/").text for slug in ("pmle", "second"))
    assert 'property="og:image" content="http://testserver/static/img/preview-pmle' in drawn
    assert 'property="og:image" content="http://testserver/static/img/preview.' in other


@pytest.mark.parametrize(
    ("node", "fault"),
    [
        ({"@type": "Quizz"}, "Quizz is no type of ours"),
        ({"@type": "Thing"}, "Thing without name"),
        ({"@type": "Thing", "name": "x", "colour": "red"}, "Thing with colour"),
        ({"@type": "Thing", "name": "<p>x</p>"}, "Thing.name is '<p>x</p>'"),
        ({"@type": "ListItem", "position": 1, "name": "x", "item": "/x/"}, "ListItem.item is '/x/'"),
        ({"@type": "FAQPage", "mainEntity": []}, "FAQPage.mainEntity is []"),
    ],
)
def test_the_check_finds_planted_faults(node: Node, fault: str) -> None:
    assert faults_of(node) == [fault]
