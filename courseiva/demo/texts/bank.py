"""An exam made of placeholders, so that a page's own words can be told apart from its content."""

from __future__ import annotations

import dataclasses
import datetime as dt
from decimal import Decimal
from typing import Any

from django.db import transaction

from questions.catalogue.models import Blueprint, BlueprintDomain, Concept, Domain, Exam, StudyModule
from questions.catalogue.rules.sources import Source
from questions.desk.publish import publish
from questions.modules.rules.html import module_html
from questions.versions.models.drafts import Question
from questions.versions.models.versions import Change
from questions.versions.rules.draft import ANSWER_PARTS, DraftClue, DraftOption, DraftQuestion
from questions.versions.save import save_draft

FIRST, SECOND = "first-exam", "second-exam"
DOMAINS = ("one", "two", "three")
WEIGHTS = {"old-guide": (30, 40, 30), "new-guide": (20, 45, 35)}
# How many questions of each pool and kind are in each domain: after two mocks, a mock of ten still finds unseen
# reserved ones.
PER_DOMAIN = (("open", "single", 6), ("open", "multiple", 2), ("reserved", "single", 8))
DIFFICULTIES = ("easy", "medium", "hard")
FAMILY, FAMILY_CONCEPT, VARIANTS = "family", "concept-of-family", 3
MODULE = """## ⟦section 1⟧

⟦module text 1⟧ with `code`.

:::tip
⟦module text 2⟧
:::

:::pitfall
⟦module text 3⟧
:::

:::decision
⟦module text 4⟧
:::

## ⟦section 2⟧

⟦module text 5⟧
"""


def make_bank(now: dt.datetime) -> list[Exam]:
    """Two exams, so that pages can ask which one; the second has fewer questions, a family and no study module."""
    with transaction.atomic():
        first, second = (_exam(slug, place) for place, slug in enumerate((FIRST, SECOND), 1))
        for number in (1, 2):
            _module(first, number)
        for exam, share in ((first, 1), (second, 3)):
            _questions(exam, share, now)
        _family(second, now)
    return [first, second]


def _exam(slug: str, place: int) -> Exam:
    exam = Exam.objects.create(
        slug=slug,
        code=f"⟦exam code {place}⟧",
        name=f"⟦exam {place}⟧",
        vendor="⟦vendor⟧",
        summary=f"⟦summary {place}⟧",
        guide_url="https://vendor.example/guide",
        retake_days=[14, 60, 365],
        place=place,
    )
    domains = [Domain.objects.create(exam=exam, key=key, number=n) for n, key in enumerate(DOMAINS, 1)]
    for domain in domains:
        for n in (1, 2):
            Concept.objects.create(
                domain=domain, key=f"concept-{domain.number}-{n}", name=f"⟦concept {domain.number}.{n}⟧"
            )
    for n, (key, weights) in enumerate(WEIGHTS.items(), 1):
        blueprint = Blueprint.objects.create(
            exam=exam,
            key=key,
            name=f"⟦guide {n}⟧",
            effective_from=dt.date(2025 + n, 6, 1),
            is_current=n == len(WEIGHTS),
            question_count=20,
            minutes=40,
            pass_mark=70,
        )
        for domain, weight in zip(domains, weights, strict=True):
            name = f"⟦domain {domain.number} of guide {n}⟧"
            BlueprintDomain.objects.create(blueprint=blueprint, domain=domain, name=name, weight=Decimal(weight))
    return exam


def _module(exam: Exam, number: int) -> None:
    StudyModule.objects.create(
        exam=exam,
        domain=Domain.objects.get(exam=exam, number=number),
        number=number,
        slug=f"module-{number}",
        title=f"⟦module {number}⟧",
        summary=f"⟦module summary {number}⟧",
        body=MODULE,
        html=module_html(MODULE),
        words=900,
        sources=[{"title": "⟦source⟧", "url": "https://source.example/page", "as_of": "2026-11-21"}],
        notebook='{"cells": []}',
    )


def _questions(exam: Exam, share: int, now: dt.datetime) -> None:
    number = 0
    for domain in Domain.objects.filter(exam=exam):
        for pool, kind, count in PER_DOMAIN:
            for _ in range(-(-count // share)):
                number += 1
                question = save_draft(exam, draft(number, domain, pool, kind), None)
                publish(question, now - dt.timedelta(days=90), Change.FIRST)


def _family(exam: Exam, now: dt.datetime) -> None:
    """Variants with their own concept, so that a drill can select just them."""
    domain = Domain.objects.get(exam=exam, number=1)
    Concept.objects.create(domain=domain, key=FAMILY_CONCEPT, name="⟦concept of the family⟧")
    first = Question.objects.filter(exam=exam).count() + 1
    for place in range(VARIANTS):
        question = save_draft(exam, _variant(first + place, place, domain), None)
        Question.objects.filter(pk=question.pk).update(place=place)
        publish(question, now - dt.timedelta(days=90), Change.FIRST)


def _variant(n: int, place: int, domain: Domain) -> DraftQuestion:
    """A question of the family whose clause makes the option at ``place`` right."""
    alone, clause = draft(n, domain), f"⟦clause {n}⟧"
    options = tuple(
        dataclasses.replace(
            option,
            text=f"⟦option of the family {option.slot}⟧",
            right=position == place,
            right_if="" if position == place else f"⟦right if {n}.{option.slot}⟧",
            concept=None,
        )
        for position, option in enumerate(alone.options)
    )
    return dataclasses.replace(
        alone,
        concepts=(FAMILY_CONCEPT,),
        stem=f"⟦scenario of the family⟧ {clause}\n\n⟦question of the family⟧",
        options=options,
        clues=(DraftClue(clause, f"⟦clue reason {n}⟧", (options[place].slot,)),),
        modules=(),
        family=FAMILY,
        clause=clause,
    )


def draft(n: int, domain: Domain, pool: str = "open", kind: str = "single") -> DraftQuestion:
    """The n-th question's text, which lint accepts."""
    right = {1} if kind == "single" else {1, 3}
    concept = f"concept-{domain.number}-{1 + n % 2}"
    options = tuple(
        DraftOption(
            slot,
            f"⟦option {n}.{slot}⟧",
            slot in right,
            f"⟦temptation {n}.{slot}⟧",
            f"⟦reason {n}.{slot}⟧",
            concept if slot in right else None,
        )
        for slot in range(1, 5 if kind == "single" else 6)
    )
    return DraftQuestion(
        key=f"question-{n}",
        domain=domain.key,
        concepts=(concept,),
        pool=pool,
        kind=kind,
        difficulty=DIFFICULTIES[n % 3],
        title=f"⟦title {n}⟧",
        stem=f"⟦scenario {n}⟧ ⟦clue {n}⟧\n\n⟦question {n}⟧",
        options=options,
        clues=(DraftClue(f"⟦clue {n}⟧", f"⟦clue reason {n}⟧", tuple(sorted(right))),),
        modules=(f"module-{domain.number}",),
        sources=(Source("⟦source⟧", "https://source.example/page", dt.date(2026, 11, 21)),),
        second_reader="⟦second reader⟧",
        second_read_on=dt.date(2026, 11, 21),
        **_answers(n),
    )


def _answers(n: int) -> dict[str, Any]:
    texts: dict[str, Any] = {name: f"⟦{name.replace('_', ' ')} {n}⟧" for name in ANSWER_PARTS}
    return texts | {"key_concepts": (f"**⟦key concept {n}⟧**: ⟦meaning {n}⟧",), "exam_tips": (f"⟦exam tip {n}⟧",)}


def questions_of(exam: Exam, pool: str = "open") -> list[Question]:
    """The exam's questions of a pool, by key, with their live versions."""
    rows = Question.objects.filter(exam=exam, pool=pool).select_related("live_version", "domain", "exam")
    return list(rows.order_by("pk"))
