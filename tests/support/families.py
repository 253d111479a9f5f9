"""Families for tests: variants with the same options, and stems that differ in one clause; each has its own key."""

from __future__ import annotations

import dataclasses

from questions.models import Domain, Exam, Family, Question, QuestionVersion
from questions.versions.rules.draft import DraftQuestion
from tests.support.bank import draft, publish_all

STEM = "Team {n} has one plain situation. {clause} What should they do?"


def add_family(
    exam: Exam, size: int = 3, pool: str = "open", domain: str = "d1", difficulty: str = "medium"
) -> list[QuestionVersion]:
    """Publish a family whose first variant has option 1 as its key, the second option 2, and so on."""
    start = Question.objects.filter(exam=exam).count() + 1
    stem = STEM.replace("{n}", str(start))
    family = Family.objects.create(exam=exam, key=f"f{start}", stem=stem)
    texts = [_variant(start + place - 1, start, place, stem, domain, pool) for place in range(1, size + 1)]
    texts = [dataclasses.replace(text, difficulty=difficulty) for text in texts]
    versions = publish_all(exam, [(Domain.objects.get(exam=exam, key=domain), text) for text in texts])
    for place, (version, text) in enumerate(zip(versions, texts, strict=True), start=1):
        facts = {"family": family, "clause": text.clause}
        QuestionVersion.objects.filter(pk=version.pk).update(**facts)
        Question.objects.filter(pk=version.question_id).update(place=place, **facts)
        version.refresh_from_db()
        version.question.refresh_from_db()
    return versions


def _variant(n: int, first: int, place: int, stem: str, domain: str, pool: str) -> DraftQuestion:
    plain = draft(n, domain, pool)
    clause = f"The deciding words {n} stand only in variant {place}."
    options = tuple(
        dataclasses.replace(
            option,
            text=f"Thing {option.slot} of family {first}",
            right=option.slot == place,
            right_if="" if option.slot == place else f"zqturn {first} {option.slot}",
        )
        for option in plain.options
    )
    clues = tuple(dataclasses.replace(clue, confirms=(place,)) for clue in plain.clues)
    whole = stem.replace("{clause}", clause)
    return dataclasses.replace(plain, stem=whole, options=options, clues=clues, family=f"f{first}", clause=clause)
