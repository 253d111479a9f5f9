"""A question as schema.org data, with the same answers in the same order as the page shows them."""

from __future__ import annotations

import html
import re
from typing import Any

from questions.breakdowns import Breakdown, JudgedOption
from questions.selectors.question_pages import QuestionPage

TAGS = re.compile(r"<[^>]+>")


def question_graph(page: QuestionPage, base: str) -> dict[str, Any]:
    """One ``@graph``: where the page stands, and, unless its answer is being checked, the quiz item."""
    graph = [_crumbs(page, base)]
    if page.solution is not None:
        graph.append(_quiz(page, page.solution, base))
    return {"@context": "https://schema.org", "@graph": graph}


def plain_text(markup: str) -> str:
    """Sanitised HTML as the text a reader sees."""
    return " ".join(html.unescape(TAGS.sub("", markup)).split())


def _crumbs(page: QuestionPage, base: str) -> dict[str, Any]:
    exam = f"/exams/{page.exam.slug}/"
    places = [
        ("Exams", "/exams/"),
        (page.exam.code, exam),
        (f"Section {page.section.number}", page.section.url),
        (page.title, page.url),
    ]
    items = [
        {"@type": "ListItem", "position": n, "name": name, "item": f"{base}{path}"}
        for n, (name, path) in enumerate(places, 1)
    ]
    return {"@type": "BreadcrumbList", "itemListElement": items}


def _quiz(page: QuestionPage, solution: Breakdown, base: str) -> dict[str, Any]:
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


def _answer(position: int, option: JudgedOption) -> dict[str, Any]:
    return {
        "@type": "Answer",
        "position": position,
        "text": plain_text(option.html),
        "comment": {"@type": "Comment", "text": plain_text(option.why)},
    }
