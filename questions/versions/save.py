"""Writing drafts: a neutral draft becomes the rows of a question."""

from __future__ import annotations

from questions.catalogue.models import Concept, Domain, Exam, StudyModule
from questions.versions.models.drafts import Clue, Option, Question, QuestionSource
from questions.versions.reads.drafts import SAME_NAMES
from questions.versions.rules.draft import DraftQuestion


def save_draft(exam: Exam, draft: DraftQuestion, question: Question | None) -> Question:
    """Write the draft over ``question``, or make a new one. Call inside a transaction.

    Domain, concepts and modules must exist in the exam (the callers check and say where they do not).
    """
    question = question or Question(exam=exam, key=draft.key)
    question.domain = Domain.objects.get(exam=exam, key=draft.domain)
    for name in (*SAME_NAMES, "second_read_on"):
        setattr(question, name, getattr(draft, name))
    question.key_concepts = list(draft.key_concepts)
    question.exam_tips = list(draft.exam_tips)
    question.save()
    concepts = {c.key: c for c in Concept.objects.filter(domain__exam=exam)}
    question.concepts.set(concepts[key] for key in draft.concepts)
    question.modules.set(StudyModule.objects.filter(exam=exam, slug__in=draft.modules))
    _replace_parts(question, draft, concepts)
    return question


def _replace_parts(question: Question, draft: DraftQuestion, concepts: dict[str, Concept]) -> None:
    for rows in (question.options, question.clues, question.sources):
        rows.all().delete()
    Option.objects.bulk_create(
        Option(
            question=question,
            slot=o.slot,
            position=i,
            text=o.text,
            is_right=o.right,
            tempts=o.tempts,
            why=o.why,
            concept=concepts[o.concept] if o.concept else None,
        )
        for i, o in enumerate(draft.options)
    )
    Clue.objects.bulk_create(
        Clue(
            question=question,
            position=i,
            phrase=c.phrase,
            why=c.why,
            confirms=list(c.confirms),
        )
        for i, c in enumerate(draft.clues)
    )
    QuestionSource.objects.bulk_create(
        QuestionSource(question=question, title=s.title, url=s.url, as_of=s.as_of) for s in draft.sources
    )
