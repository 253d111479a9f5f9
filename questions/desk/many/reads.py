"""What a change to several questions would do: each question's diff, and lint's findings."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Q

from questions.catalogue.models import Exam
from questions.desk.many.rules import MOST_AT_ONCE, Recipe, Withdrawal, recipe_of
from questions.desk.models import BulkChange
from questions.lint.reads import known_names, with_pictures_of
from questions.lint.rules import BASIC, FULL, REFUSE, Known, Problem, completeness, lint, lint_families
from questions.versions.models.drafts import Desk, Question
from questions.versions.reads.drafts import digest, draft_of, with_draft
from questions.versions.rules.draft import DraftQuestion
from questions.versions.rules.draft_diff import FieldChange, changes
from questions.versions.search.models import DraftEntry


@dataclass(frozen=True)
class ChangedQuestion:
    """A question that would differ. If it is live with nothing on its desk, a new version is published."""

    question: Question
    before: DraftQuestion
    after: DraftQuestion
    refused: Sequence[Problem]
    withdraws: bool = False

    @property
    def publishes(self) -> bool:
        """Whether it goes live at once, because there is no unfinished draft."""
        return goes_live(self.question) and not self.withdraws

    @property
    def changes(self) -> list[FieldChange]:
        """The differences, field by field."""
        return changes(self.before, self.after)


@dataclass(frozen=True)
class Preview:
    """Everything a change would do.

    ``seen`` identifies it: a different value means that something has changed meanwhile.
    """

    lines: Sequence[ChangedQuestion]
    unchanged: int
    seen: str

    @property
    def is_refused(self) -> bool:
        """Whether lint refuses one of them, so that none can be changed."""
        return any(line.refused for line in self.lines)

    @property
    def publishing(self) -> int:
        """How many get a new version."""
        return sum(line.publishes for line in self.lines)

    @property
    def withdrawing(self) -> int:
        """How many are withdrawn."""
        return sum(line.withdraws for line in self.lines)

    @property
    def drafts(self) -> int:
        """How many stay drafts."""
        return len(self.lines) - self.publishing - self.withdrawing


def goes_live(question: Question) -> bool:
    """Whether a reviewed change is published: drafts in progress aren't."""
    return question.desk == Desk.NOTHING and question.live_version_id is not None


def with_families(ids: Iterable[int]) -> list[Question]:
    """These questions and their siblings, without retired ones, in a constant number of queries.

    What siblings share is changed in all of them; otherwise they would no longer be a family.
    """
    chosen = Question.objects.filter(pk__in=list(ids))
    families = chosen.exclude(family=None).values("family")
    rows = Question.objects.filter(pk__in=chosen.values("pk")) | Question.objects.filter(family__in=families)
    rows = with_draft(rows.filter(retired_at=None).select_related("exam", "live_version"))
    return list(rows.order_by("exam", "family", "place", "pk"))


def questions_for(recipe: Recipe, ids: Iterable[int]) -> list[Question]:
    """The questions affected by a recipe for these: whole families, except for a withdrawal, which affects nothing
    shared."""
    if not isinstance(recipe, Withdrawal):
        return with_families(ids)
    rows = Question.objects.filter(pk__in=list(ids), retired_at=None).select_related("exam", "live_version")
    return list(with_draft(rows).order_by("exam", "pk"))


def preview(questions: Sequence[Question], recipe: Recipe) -> Preview:
    """What the recipe does to these questions, which must be whole families."""
    drafts = {each.pk: draft_of(each) for each in questions}
    if isinstance(recipe, Withdrawal):
        leaving = [each for each in questions if each.live_version_id and not each.withdrawn_at]
        gone = [ChangedQuestion(each, drafts[each.pk], drafts[each.pk], [], withdraws=True) for each in leaving]
        return Preview(gone, len(questions) - len(gone), mark(questions, drafts))
    after = {pk: recipe.of(draft) for pk, draft in drafts.items()}
    known = {exam.pk: known_names(exam) for exam in {each.exam for each in questions}}
    beside: dict[str, list[Problem]] = {}
    for draft, problem in lint_families(list(after.values())):
        if problem.severity == REFUSE:
            beside.setdefault(draft.key, []).append(problem)
    lines = []
    for each in questions:
        if after[each.pk] == drafts[each.pk]:
            continue
        alone = _refused(each, drafts[each.pk], after[each.pk], known[each.exam_id])
        lines.append(ChangedQuestion(each, drafts[each.pk], after[each.pk], [*alone, *beside.get(each.key, [])]))
    return Preview(lines, len(questions) - len(lines), mark(questions, after))


def _refused(question: Question, before: DraftQuestion, after: DraftQuestion, known: Known) -> list[Problem]:
    """What is live or in review has passed the checks of its level and must pass them again; a draft may be half
    written."""
    if goes_live(question):
        level = BASIC if question.live_version and question.live_version.is_basic else FULL
    elif question.desk == Desk.REVIEW:
        level = BASIC if completeness(before, with_pictures_of(known, before)).level == BASIC else FULL
    else:
        return []
    return lint(after, with_pictures_of(known, after), REFUSE, level)


def mark(questions: Sequence[Question], after: dict[int, DraftQuestion]) -> str:
    """A digest of the questions, their states and texts."""
    facts = [
        f"{each.pk} {each.revision} {each.desk} {each.live_version_id} {each.withdrawn_at} {digest(after[each.pk])}"
        for each in sorted(questions, key=lambda each: each.pk)
    ]
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()


def saying(exam: Exam, text: str) -> list[Question]:
    """The exam's questions whose drafts contain this text in any case, with their families; at most one too many."""
    found = Q(title__icontains=text) | Q(prompt__icontains=text) | Q(rest__icontains=text)
    entries = DraftEntry.objects.filter(found, question__exam=exam, question__retired_at=None).order_by("question")
    # One more than the limit, so that the caller can tell "too many" from "all of them" without counting.
    return with_families(list(entries.values_list("question", flat=True)[: MOST_AT_ONCE + 1]))


def preview_of(change: BulkChange) -> Preview:
    """What a waiting change would do now."""
    recipe = recipe_of(change.recipe)
    return preview(questions_for(recipe, change.questions.values_list("pk", flat=True)), recipe)
