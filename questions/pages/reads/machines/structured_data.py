"""What the public pages say to machines, as schema.org data: nothing that the page itself does not show."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from typing import Any

from questions.catalogue.models import Exam, StudyModule
from questions.pages.reads.exams import ExamPage
from questions.pages.reads.modules import ModulePage
from questions.pages.reads.questions import QuestionPage
from questions.versions.reads.breakdowns import Breakdown, JudgedOption
from questions.versions.reads.public import Link, QuestionLine

TAGS = re.compile(r"<[^>]+>")
Node = dict[str, Any]


def graph(nodes: Iterable[Node]) -> Node:
    """The one data block of a page."""
    return {"@context": "https://schema.org", "@graph": list(nodes)}


def plain_text(markup: str) -> str:
    """Sanitised HTML as the text a reader sees."""
    return " ".join(html.unescape(TAGS.sub("", markup)).split())


def crumbs(trail: Sequence[Link], base: str) -> Node:
    """Where the page stands, as its breadcrumb says."""
    items = [_item(place, link, base) for place, link in enumerate(trail, 1)]
    return {"@type": "BreadcrumbList", "itemListElement": items}


def listing(name: str, address: str, lines: Sequence[QuestionLine], base: str) -> Node:
    """A page that lists questions."""
    items = [_item(place, Link(line.title, line.url), base) for place, line in enumerate(lines, 1)]
    return _page("CollectionPage", name, address, base) | {
        "mainEntity": {"@type": "ItemList", "numberOfItems": len(items), "itemListElement": items}
    }


def web_page(name: str, address: str, base: str, kind: str = "WebPage", **more: Any) -> Node:
    """A page of text."""
    return _page(kind, name, address, base) | more


def faq(pairs: Iterable[tuple[str, str]]) -> Node:
    """Questions and answers that stand on the page, as plain text."""
    questions = [
        {"@type": "Question", "name": asked, "acceptedAnswer": {"@type": "Answer", "text": answer}}
        for asked, answer in pairs
    ]
    return {"@type": "FAQPage", "mainEntity": questions}


def exam_resource(page: ExamPage, address: str, base: str) -> Node:
    """The exam page: what can be learnt here for which exam."""
    return _resource(page.exam.name, address, base) | {
        "description": page.exam.summary,
        "learningResourceType": "practice questions",
        "about": _exam(page.exam),
    }


def module_resource(page: ModulePage, address: str, base: str) -> Node:
    """A chapter of the study guide."""
    module: StudyModule = page.module
    node = _resource(module.title, address, base) | {
        "description": module.summary,
        "learningResourceType": "study module",
        "timeRequired": f"PT{module.minutes}M",
        "teaches": page.section.name,
        "about": _exam(page.exam),
    }
    return node | ({"dateModified": module.changed_at.date().isoformat()} if module.changed_at else {})


def quiz(page: QuestionPage, solution: Breakdown, base: str) -> Node:
    """The question with the same answers in the same order as the page shows them."""
    wrong = [_answer(n, o) for n, o in enumerate(solution.options) if not o.is_right]
    right = [_answer(n, o) for n, o in enumerate(solution.options) if o.is_right]
    question = {
        "@type": "Question",
        "eduQuestionType": "Checkbox" if page.is_multiple else "Multiple choice",
        "name": page.title,
        "text": plain_text(page.stem_html),
        "educationalLevel": page.difficulty,
        "suggestedAnswer": wrong,
        "acceptedAnswer": right if page.is_multiple else right[0],
    }
    return {
        "@type": "Quiz",
        "@id": f"{base}{page.url}#question",
        "url": f"{base}{page.url}",
        "name": page.title,
        "inLanguage": "en",
        "about": {"@type": "Thing", "name": f"{page.exam.name}: {page.section.name}"},
        "hasPart": question,
    }


def _page(kind: str, name: str, address: str, base: str) -> Node:
    return {"@type": kind, "@id": f"{base}{address}#page", "url": f"{base}{address}", "name": name, "inLanguage": "en"}


def _resource(name: str, address: str, base: str) -> Node:
    return _page("LearningResource", name, address, base) | {"isAccessibleForFree": True}


def _exam(exam: Exam) -> Node:
    return {"@type": "EducationalOccupationalCredential", "name": exam.name, "url": exam.guide_url}


def _item(place: int, link: Link, base: str) -> Node:
    return {"@type": "ListItem", "position": place, "name": link.name, "item": f"{base}{link.url}"}


def _answer(position: int, option: JudgedOption) -> Node:
    return {
        "@type": "Answer",
        "position": position,
        "text": plain_text(option.html),
        "comment": {"@type": "Comment", "text": plain_text(option.why)},
    }
