"""A small bank for tests: an exam with its blueprint, and published questions, created without the slow parts."""

from __future__ import annotations

import dataclasses
import datetime as dt
from decimal import Decimal
from html import escape
from unittest import mock

from django.core.cache import cache
from django.db.models import OuterRef, Subquery

from questions.catalogue.reads import IS_CHOICE
from questions.catalogue.rules.sources import Source
from questions.models import (
    Blueprint,
    BlueprintDomain,
    Change,
    Concept,
    Domain,
    Exam,
    Hint,
    Objective,
    Pool,
    Question,
    QuestionVersion,
    Solution,
)
from questions.versions.rules import documents
from questions.versions.rules.draft import DraftClue, DraftOption, DraftQuestion
from questions.versions.search import index
from questions.versions.search.drafts import index_drafts

NOW = dt.datetime(2026, 11, 21, 12, 0, tzinfo=dt.UTC)
WEIGHTS_V31 = (13, 14, 18, 20, 22, 13)
WEIGHTS_2026 = (13, 16, 21, 20, 18, 13)
CANARY = "zqcanary"


def make_exam(slug: str = "pmle", weights: tuple[int, ...] = WEIGHTS_2026) -> Exam:
    """Create an exam with one current blueprint: 60 questions in 120 minutes, pass mark 70."""
    if Exam.objects.exists():
        cache.delete(IS_CHOICE)
    exam = Exam.objects.create(
        slug=slug,
        code=slug.upper(),
        name=f"Exam {slug}",
        vendor="Vendor",
        summary="About.",
        guide_url="https://e.example",
    )
    blueprint = Blueprint.objects.create(
        exam=exam, key="june-2026", name="June 2026 guide", effective_from=dt.date(2026, 6, 1), is_current=True,
        question_count=60, minutes=120, pass_mark=70,
    )  # fmt: skip
    domains = Domain.objects.bulk_create(Domain(exam=exam, key=f"d{n}", number=n) for n in range(1, len(weights) + 1))
    Concept.objects.bulk_create(
        Concept(domain=each, key=f"c{each.number}", name=f"Concept {each.number}") for each in domains
    )
    BlueprintDomain.objects.bulk_create(
        BlueprintDomain(blueprint=blueprint, domain=each, name=f"Domain name {each.number}", weight=Decimal(weight))
        for each, weight in zip(domains, weights, strict=True)
    )
    return exam


def add_outline(exam: Exam, guide: Blueprint | None = None) -> Blueprint:
    """Give each domain of this or the current blueprint an objective with two points, one of which names a product."""
    guide = guide or exam.blueprints.get(is_current=True)
    guide.outline_sources = [
        {"n": 1, "title": "The guide", "url": "https://vendor.example/guide", "opened": ""},
        {"n": 2, "title": "A transcript", "url": "", "opened": "2026-11-23"},
    ]
    guide.logistics = {"questions": {"least": 50, "most": 60, "sources": [1, 2]}}
    guide.save()
    for n, row in enumerate(guide.domains.all(), 1):
        BlueprintDomain.objects.filter(pk=row.pk).update(number=str(n))
        place = {"blueprint": guide, "domain_id": row.domain_id}
        objective = Objective.objects.create(
            **place, place=3 * n, number=f"{n}.1", name=f"Printed {n}", words=f"Do {n}."
        )
        for letter, products in (("a", ["Lamp"]), ("b", [])):
            Objective.objects.create(
                **place, parent=objective, place=3 * n + 1 + (letter == "b"), number=f"{n}.1.{letter}",
                words=f"Point {letter} of {n}.", products=products,
            )  # fmt: skip
    return guide


def draft(n: int, domain: str = "d1", pool: str = "open", kind: str = "single") -> DraftQuestion:
    """Return a draft that lint accepts; the texts that give the answer away carry the canary."""
    right = {1} if kind == "single" else {1, 3}
    total = 4 if kind == "single" else 5
    return DraftQuestion(
        key=f"q{n}", domain=domain, concepts=(f"c{domain[1:]}",), pool=pool, kind=kind, difficulty="medium",
        title=f"Situation {n}",
        stem=f"Team {n} has a plain situation with deciding words {n}. What should they do?",
        options=tuple(
            DraftOption(slot, f"Thing {slot} of {n}", slot in right, f"{CANARY} tempts {n} {slot}",
                        f"{CANARY} why {n} {slot}", None)
            for slot in range(1, total + 1)
        ),
        clues=(DraftClue(f"deciding words {n}", f"Because {n}.", tuple(sorted(right))),),
        quick_answer=f"{CANARY} quick {n}", explanation=f"{CANARY} explanation {n}",
        principle=f"{CANARY} principle {n}", trap=f"{CANARY} trap {n}", detail=f"{CANARY} detail {n}",
        key_concepts=(f"{CANARY} concept {n}",), exam_tips=(f"{CANARY} tip {n}",),
        takeaway=f"{CANARY} takeaway {n}", example=f"{CANARY} example {n}",
        sources=(Source("Page", "https://source.example/page", dt.date(2026, 11, 21)),),
    )  # fmt: skip


def add_questions(
    exam: Exam, per_domain: int, pool: str = "open", kind: str = "single", domains: tuple[str, ...] = ()
) -> list[QuestionVersion]:
    """Publish questions in every domain (or in the ones named), in a handful of statements."""
    start = Question.objects.filter(exam=exam).count()
    rows = Domain.objects.filter(exam=exam)
    chosen = [domain for domain in rows if not domains or domain.key in domains]
    drafts = []
    for domain in chosen:
        for _ in range(per_domain):
            start += 1
            drafts.append((domain, draft(start, domain.key, pool, kind)))
    return publish_all(exam, drafts)


def plain(text: str) -> str:
    """Render Markdown as far as tests need it: escaped, in one paragraph. Rendering has its own tests."""
    return f"<p>{escape(text)}</p>"


def marked(text: str, phrases: list[str]) -> str:
    """Render it the same way, with the clue words marked."""
    html = plain(text)
    for phrase in phrases:
        html = html.replace(escape(phrase), f'<mark class="clue">{escape(phrase)}</mark>')
    return html


@mock.patch.multiple(documents, render=plain, render_inline=escape, render_marked=marked)
def publish_all(exam: Exam, drafts: list[tuple[Domain, DraftQuestion]]) -> list[QuestionVersion]:
    """Store in bulk what ``questions.desk.publish.publish`` stores."""
    number = exam.highest_number
    questions = []
    for domain, text in drafts:
        if text.pool == Pool.PUBLIC:
            number += 1
        plain = {f: getattr(text, f) for f in ("key", "kind", "difficulty", "pool", "title", "stem", *TEXTS)}
        questions.append(
            Question(exam=exam, domain=domain, number=number if text.pool == Pool.PUBLIC else None, **plain)
        )
    Question.objects.bulk_create(questions)
    Exam.objects.filter(pk=exam.pk).update(highest_number=number)
    exam.highest_number = number
    versions = [_version(question, text) for question, (_, text) in zip(questions, drafts, strict=True)]
    QuestionVersion.objects.bulk_create(versions)
    _documents(versions, [text for _, text in drafts])
    for question, version in zip(questions, versions, strict=True):
        question.live_version = version
    only = QuestionVersion.objects.filter(question=OuterRef("pk")).values("pk")[:1]
    Question.objects.filter(pk__in=[question.pk for question in questions]).update(live_version=Subquery(only))
    _index(questions, versions, [text for _, text in drafts])
    return versions


def _index(questions: list[Question], versions: list[QuestionVersion], drafts: list[DraftQuestion]) -> None:
    """Add what ``index.catch_up`` would find missing, without searching for it, which would cost as much again."""
    index_drafts([(question, _as_rows(text)) for question, text in zip(questions, drafts, strict=True)])
    index.index_new([version for version in versions if version.pool == Pool.PUBLIC])
    index.index_concepts(Concept.objects.all())


def _as_rows(text: DraftQuestion) -> DraftQuestion:
    """Return the draft as the database stores it: rows made in bulk hold neither options nor lists."""
    nothing = ("concepts", "options", "clues", "key_concepts", "exam_tips", "sources", "modules", "objectives")
    return dataclasses.replace(text, family="", **dict.fromkeys(nothing, ()))  # type: ignore[arg-type]


TEXTS = ("quick_answer", "explanation", "principle", "trap", "detail", "takeaway", "example")


def _version(question: Question, text: DraftQuestion) -> QuestionVersion:
    facts = documents.prompt_facts(text)
    return QuestionVersion(
        question=question, number=1, domain=question.domain, kind=text.kind, difficulty=text.difficulty,
        pool=text.pool, title=text.title, change=Change.FIRST, published_at=NOW, **facts,
        **documents.prompt_html(text.stem, facts["options"]),
    )  # fmt: skip


def _documents(versions: list[QuestionVersion], drafts: list[DraftQuestion]) -> None:
    concepts = {concept.key: concept for concept in Concept.objects.all()}
    links = []
    for version, text in zip(versions, drafts, strict=True):
        links += [
            QuestionVersion.concepts.through(questionversion_id=version.pk, concept_id=concepts[key].pk)
            for key in text.concepts
        ]
    QuestionVersion.concepts.through.objects.bulk_create(links)
    Hint.objects.bulk_create(
        Hint(version=v, clues=documents.hint_facts(d), html=documents.hint_html(d.stem, documents.hint_facts(d)))
        for v, d in zip(versions, drafts, strict=True)
    )
    Solution.objects.bulk_create(
        Solution(
            version=v, key_mask=documents.key_mask(d), text=documents.solution_facts(d),
            html=documents.solution_html(documents.solution_facts(d)),
        )
        for v, d in zip(versions, drafts, strict=True)
    )  # fmt: skip


def changed(text: DraftQuestion, **fields: object) -> DraftQuestion:
    """Return the draft with some fields replaced."""
    return dataclasses.replace(text, **fields)  # type: ignore[arg-type]
