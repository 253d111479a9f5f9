"""The index of drafts, written with each draft: what editors search, including reserved and unpublished text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db import transaction
from django.db.models import Exists, OuterRef

from questions.versions.models.drafts import Question
from questions.versions.reads.drafts import draft_of, with_draft
from questions.versions.rules.draft import ANSWER_PARTS, DraftQuestion
from questions.versions.search.models import DraftEntry
from questions.versions.search.rules.asking import objective_word

BATCH = 200
"""As in index.py: a transaction short enough for an editor who saves meanwhile."""
BREAK = "\n"


def index_drafts(pairs: Sequence[tuple[Question, DraftQuestion]]) -> None:
    """Update these questions' entries from their drafts, in two queries. Call inside a transaction."""
    DraftEntry.objects.filter(question__in=[question.pk for question, _ in pairs]).delete()
    DraftEntry.objects.bulk_create(_entry(question, draft) for question, draft in pairs)


def catch_up_drafts() -> int:
    """Index drafts without an entry: all of them after an upgrade. Returns how many."""
    missing = with_draft(Question.objects.filter(~Exists(DraftEntry.objects.filter(question=OuterRef("pk")))))
    done = 0
    while found := list(missing.order_by("pk")[:BATCH]):
        with transaction.atomic():
            index_drafts([(question, draft_of(question)) for question in found])
        done += len(found)
    return done


def rebuild_drafts() -> int:
    """Delete and rebuild the entries."""
    with transaction.atomic():
        DraftEntry.objects.all().delete()
        return catch_up_drafts()


def _entry(question: Question, draft: DraftQuestion) -> DraftEntry:
    reasons = [text for o in draft.options for text in (o.tempts, o.why, o.right_if, o.never)]
    clues = [text for clue in draft.clues for text in (clue.phrase, clue.why)]
    answer = [*(getattr(draft, name) for name in ANSWER_PARTS), *draft.key_concepts, *draft.exam_tips]
    sources = [text for source in draft.sources for text in (source.title, source.url, source.says)]
    objectives = [objective_word(number) for number in draft.objectives]
    return DraftEntry(
        question=question,
        title=draft.title,
        names=_joined([question.key, draft.family, draft.domain, *draft.concepts, *draft.modules, *objectives]),
        prompt=_joined([draft.stem, *(option.text for option in draft.options)]),
        rest=_joined([*reasons, *clues, *answer, *sources]),
    )


def _joined(texts: Iterable[str]) -> str:
    return BREAK.join(text for text in texts if text)
