"""The pages of exams, questions and modules as schema.org data."""

from __future__ import annotations

from collections.abc import Sequence

from courseiva.common.heads.links import Link
from courseiva.common.heads.structured_data import CONTENT_LICENCE, Node, item, node, plain_text, publisher, resource
from questions.catalogue.models import Exam, StudyModule
from questions.pages.reads.exams import ExamPage
from questions.pages.reads.modules import ModulePage
from questions.pages.reads.questions import QuestionPage
from questions.versions.reads.breakdowns import Breakdown, MarkedOption
from questions.versions.reads.public import QuestionLine


def listing(name: str, address: str, lines: Sequence[QuestionLine], base: str) -> Node:
    items = [item(place, Link(line.title, line.url), base) for place, line in enumerate(lines, 1)]
    return node("CollectionPage", name, address, base) | {
        "mainEntity": {"@type": "ItemList", "numberOfItems": len(items), "itemListElement": items}
    }


def exam_resource(page: ExamPage, address: str, base: str) -> Node:
    """The exam page: what can be learnt here, and for which exam."""
    return resource(page.exam.name, address, base) | {
        "description": page.exam.summary,
        "learningResourceType": "practice questions",
        "about": _exam(page.exam),
    }


def module_resource(page: ModulePage, address: str, base: str) -> Node:
    module: StudyModule = page.module
    said = resource(module.title, address, base) | {
        "description": module.summary,
        "learningResourceType": "study module",
        "timeRequired": f"PT{module.minutes}M",
        "teaches": page.domain.name,
        "about": _exam(page.exam),
    }
    return said | ({"dateModified": module.changed_at.date().isoformat()} if module.changed_at else {})


def quiz(page: QuestionPage, solution: Breakdown, base: str) -> Node:
    """The question with the same answers in the same order as on the page."""
    wrong = [_answer(n, o) for n, o in enumerate(solution.options) if not o.is_right]
    right = [_answer(n, o) for n, o in enumerate(solution.options) if o.is_right]
    question = {
        "@type": "Question",
        "eduQuestionType": "Checkbox" if page.is_multiple else "Multiple choice",
        "name": page.title,
        "text": plain_text(page.stem_html),
        "suggestedAnswer": wrong,
        "acceptedAnswer": right if page.is_multiple else right[0],
    }
    if not page.measured:  # the page shows an editor's estimate until then
        question["educationalLevel"] = page.difficulty
    return {
        "@type": "Quiz",
        "@id": f"{base}{page.url}#question",
        "url": f"{base}{page.url}",
        "name": page.title,
        "inLanguage": "en",
        "about": {"@type": "Thing", "name": f"{page.exam.name}: {page.domain.name}"},
        "hasPart": question,
    } | _trust(page, solution, base)


def _trust(page: QuestionPage, solution: Breakdown, base: str) -> Node:
    """Data on whether the question can be relied on."""
    history = page.history
    said: Node = {
        "version": page.version,
        "datePublished": history.published.isoformat(),
        "dateModified": history.changed.isoformat(),
        "license": CONTENT_LICENCE,
        "publisher": publisher(base),
        "citation": [
            {"@type": "CreativeWork", "name": source["title"], "url": source["url"]}
            for source in solution.sources
            if source["url"]
        ],
        "educationalAlignment": [
            {
                "@type": "AlignmentObject",
                "alignmentType": "assesses",
                "educationalFramework": f"{page.exam.code}, {page.blueprint}",
                "targetName": link.name,
                "targetUrl": f"{base}{link.url}",
            }
            for link in page.names.objectives
        ],
        "correction": [
            {
                "@type": "CorrectionComment",
                "text": line.note or line.kind,
                "datePublished": line.date.isoformat(),
            }
            for line in history.corrections
        ],
    }
    return {name: value for name, value in said.items() if value != []}


def _exam(exam: Exam) -> Node:
    return {"@type": "EducationalOccupationalCredential", "name": exam.name, "url": exam.guide_url}


def _answer(position: int, option: MarkedOption) -> Node:
    return {
        "@type": "Answer",
        "position": position,
        "text": plain_text(option.html),
    } | ({"comment": {"@type": "Comment", "text": plain_text(option.why)}} if option.why else {})
