"""Writing drafts: a neutral draft becomes the rows of a question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from questions.catalogue.models import Concept, Domain, Exam, StudyModule
from questions.versions.models.drafts import Clue, Family, Option, Question, QuestionSource
from questions.versions.reads.drafts import SAME_NAMES
from questions.versions.rules.draft import DraftQuestion
from questions.versions.rules.family import template_of
from questions.versions.search.drafts import index_drafts


def save_draft(exam: Exam, draft: DraftQuestion, question: Question | None) -> Question:
    """Write the draft over ``question``, or create one. Call inside a transaction.

    Domain, concepts and modules must exist in the exam (callers check this and report).
    """
    question = question or Question(exam=exam, key=draft.key)
    is_new = question.pk is None
    question.domain = Domain.objects.get(exam=exam, key=draft.domain)
    question.family = family_of(exam, draft)
    for name, value in own_columns(draft).items():
        setattr(question, name, value)
    question.save()
    concepts = concept_ids(exam)
    named, slugs = [concepts[key] for key in draft.concepts], module_slugs(draft)
    modules = StudyModule.objects.filter(exam=exam, slug__in=slugs).values_list("pk", flat=True) if slugs else []
    if is_new:  # Nothing is linked yet that ``set`` would have to read first; noticeable for two thousand questions.
        question.concepts.add(*named)
        question.modules.add(*modules)
    else:
        question.concepts.set(named)
        question.modules.set(modules)
        for rows in (question.options, question.clues, question.sources):
            rows.all().delete()
    add_parts([(question, draft)], concepts)
    return question


def save_new(exam: Exam, pairs: Sequence[tuple[Question, DraftQuestion]]) -> None:
    """Write drafts to questions that have no row yet, in a few statements. Call inside a transaction.

    Keys must be free; domains, concepts and modules must exist in the exam.
    """
    domains = {domain.key: domain for domain in exam.domains.all()}
    of_family = {draft.family: draft for _, draft in pairs if draft.family}
    families = {key: family_of(exam, draft) for key, draft in of_family.items()}
    for question, draft in pairs:
        question.domain, question.family = domains[draft.domain], families.get(draft.family)
        for name, value in own_columns(draft).items():
            setattr(question, name, value)
    Question.objects.bulk_create(question for question, _ in pairs)
    concepts = concept_ids(exam)
    _add_names(exam, pairs, concepts)
    add_parts(pairs, concepts)


def _add_names(exam: Exam, pairs: Sequence[tuple[Question, DraftQuestion]], concepts: dict[str, int]) -> None:
    """Concepts and modules."""
    modules = dict(StudyModule.objects.filter(exam=exam).values_list("slug", "pk"))
    of_concepts, of_modules = Question.concepts.through, Question.modules.through
    of_concepts.objects.bulk_create(
        of_concepts(question_id=question.pk, concept_id=concepts[key])
        for question, draft in pairs
        for key in dict.fromkeys(draft.concepts)
    )
    of_modules.objects.bulk_create(
        of_modules(question_id=question.pk, studymodule_id=modules[slug])
        for question, draft in pairs
        for slug in module_slugs(draft)
    )


def family_of(exam: Exam, draft: DraftQuestion) -> Family | None:
    """The row of a draft's family, created or updated with the draft's stem; None for a single question."""
    if not draft.family:
        return None
    stem = template_of(draft.stem, draft.clause)
    family, _ = Family.objects.get_or_create(exam=exam, key=draft.family, defaults={"stem": stem})
    if family.stem != stem:
        family.stem = stem
        family.save(update_fields=["stem"])
    return family


def own_columns(draft: DraftQuestion) -> dict[str, Any]:
    """The draft's parts in the question's own row, by column, without key and domain."""
    columns = {name: getattr(draft, name) for name in (*SAME_NAMES, "second_read_on", "clause")}
    lists = {name: list(getattr(draft, name)) for name in ("key_concepts", "exam_tips", "objectives")}
    return columns | lists | {"sections": [each for each in draft.modules if "#" in each]}


def module_slugs(draft: DraftQuestion) -> list[str]:
    """The modules a draft names, each once, without their sections."""
    return list(dict.fromkeys(each.partition("#")[0] for each in draft.modules))


def concept_ids(exam: Exam) -> dict[str, int]:
    return dict(Concept.objects.filter(domain__exam=exam).values_list("key", "pk"))


def add_parts(pairs: Sequence[tuple[Question, DraftQuestion]], concepts: dict[str, int]) -> None:
    """Options, clues and sources for questions that have none, and their search entries, in five queries."""
    Option.objects.bulk_create(
        Option(
            question=question,
            slot=o.slot,
            position=i,
            text=o.text,
            is_right=o.right,
            tempts=o.tempts,
            why=o.why,
            right_if=o.right_if,
            never=o.never,
            concept_id=concepts[o.concept] if o.concept else None,
        )
        for question, draft in pairs
        for i, o in enumerate(draft.options)
    )
    Clue.objects.bulk_create(
        Clue(
            question=question,
            position=i,
            phrase=c.phrase,
            why=c.why,
            confirms=list(c.confirms),
            rules_out=list(c.rules_out),
        )
        for question, draft in pairs
        for i, c in enumerate(draft.clues)
    )
    QuestionSource.objects.bulk_create(
        QuestionSource(question=question, title=s.title, url=s.url, as_of=s.as_of, says=s.says)
        for question, draft in pairs
        for s in draft.sources
    )
    index_drafts(pairs)
