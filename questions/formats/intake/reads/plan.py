"""What a file's next items would become: new drafts, updated drafts, or changes to questions."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q

from questions.formats.intake.reads.drafts import draft_of_item, free_key, too_long
from questions.formats.intake.reads.revised import revised
from questions.formats.intake.reads.target import BESIDE, Target, key_here
from questions.formats.models import ImportedItem
from questions.formats.rules.items import CannotTake, Item, digest
from questions.versions.models.drafts import Desk, Question
from questions.versions.models.versions import Solution
from questions.versions.reads.drafts import canonical, draft_of, draft_of_version, with_draft
from questions.versions.reads.drafts import digest as draft_digest
from questions.versions.rules.draft import DraftQuestion
from questions.versions.rules.draft_diff import FieldChange, changes

NEW, CHANGED, UNCHANGED, LEFT_ALONE, REFUSED = "new", "changed", "unchanged", "left alone", "refused"
DIFFERS = "differs"
OF_A_VERSION = ("version__question", "version__domain", "version__hint", "version__family")


@dataclass(frozen=True)
class Planned:
    """An item and what it would become. DIFFERS means an existing question with the item's name has different content:
    somebody has to choose.

    ``question`` is the one whose draft would change from ``stored`` to ``draft``, ``row`` the record of an earlier
    import.
    """

    item: Item
    name: str
    result: str
    reason: str = ""
    draft: DraftQuestion | None = None
    question: Question | None = None
    stored: DraftQuestion | None = None
    row: ImportedItem | None = None

    @property
    def changes(self) -> list[FieldChange]:
        """The fields that would change, word by word."""
        return changes(self.stored, self.draft) if self.stored and self.draft else []

    @property
    def base(self) -> str:
        """The question and the previewed revision, for a form."""
        return f"{self.question.pk}:{self.question.revision}" if self.question else ""


def plan(target: Target, named: list[tuple[Item, str]]) -> list[Planned]:
    """The plan for each, in order; keys of new drafts are reserved in ``target`` from then on."""
    digests = [digest(item) for item, _ in named]
    known = ImportedItem.objects.filter(exam=target.exam)
    by_name = {row.name: row for row in known.filter(source=target.source, name__in=[name for _, name in named])}
    by_content = {row.digest: row for row in known.filter(digest__in=digests)}
    rows = [by_name.get(name) or by_content.get(content) for (_, name), content in zip(named, digests, strict=True)]
    here = _here(target, named, rows)
    fresh: set[str] = set()
    found = []
    for (item, name), content, row in zip(named, digests, rows, strict=True):
        question = here.of(row.question_id if row else key_here(target, item, name))
        if content in fresh or (row and row.digest == content):
            found.append(Planned(item, name, UNCHANGED))
            continue
        each = _beside(target, here, item, name, question, row) if question else _new(target, item, name)
        if each.result == NEW:
            fresh.add(content)
        found.append(each)
    return found


class Here:
    """The existing questions for a batch of items; their live texts are read only when needed."""

    def __init__(self, questions: Iterable[Question]) -> None:
        self._found: dict[int | str, Question] = {}
        for question in questions:
            self._found[question.pk] = self._found[question.key] = question
        self._live: dict[int, DraftQuestion] | None = None

    def of(self, name: int | str) -> Question | None:
        """The question by id or key."""
        return self._found.get(name)

    def live(self, question: Question) -> DraftQuestion | None:
        """The text of its live version; None if nothing is live."""
        if self._live is None:
            wanted = {each.live_version_id for each in self._found.values()} - {None}
            rows = Solution.objects.filter(version__in=wanted).select_related(*OF_A_VERSION)
            drafts = {row.version.question_id: row for row in rows.prefetch_related("version__concepts")}
            self._live = {pk: draft_of_version(row) for pk, row in drafts.items()}
        return self._live.get(question.pk)


def _here(target: Target, named: list[tuple[Item, str]], rows: list[ImportedItem | None]) -> Here:
    keys = {key_here(target, item, name) for item, name in named} - {""}
    pks = {row.question_id for row in rows if row}
    if not keys and not pks:
        return Here([])
    questions = with_draft(Question.objects.filter(exam=target.exam).filter(Q(pk__in=pks) | Q(key__in=keys)))
    return Here(questions.select_related("exam"))


def _new(target: Target, item: Item, name: str) -> Planned:
    draft = draft_of_item(target, item, free_key(target, item, name))
    reason = too_long(draft)
    if reason:
        return Planned(item, name, REFUSED, reason)
    target.keys.add(draft.key)
    return Planned(item, name, NEW, draft=draft)


def _beside(target: Target, here: Here, item: Item, name: str, question: Question, row: ImportedItem | None) -> Planned:
    """The plan for an item whose name belongs to an existing question."""
    stored = draft_of(question)
    asked = Planned(item, name, DIFFERS, question=question, stored=stored, row=row)
    is_ours = row is not None and draft_digest(stored) == row.draft_digest and not question.live_version_id
    if question.retired_at:
        return _left_alone(target, asked, f"“{question.key}” is retired")
    try:
        if is_ours and not question.family_id and question.desk in (Desk.DRAFT, Desk.NOTHING):
            return dataclasses.replace(asked, result=CHANGED, draft=_again(target, item, stored))
        draft, reason = revised(target, item, question, stored), ""
    except CannotTake as refusal:
        draft, reason = stored, str(refusal)
    if (not reason and _same(draft, stored)) or _is_live(target, here, item, question):
        return dataclasses.replace(asked, result=UNCHANGED)
    if reason or _goes_beside(target, asked):
        return _left_alone(target, asked, reason)
    return dataclasses.replace(asked, draft=draft)


def _left_alone(target: Target, asked: Planned, reason: str) -> Planned:
    if _goes_beside(target, asked):
        return _new(target, asked.item, asked.name)
    return dataclasses.replace(asked, result=LEFT_ALONE, reason=reason)


def _goes_beside(target: Target, asked: Planned) -> bool:
    """Whether a separate draft is made from it.

    An item recorded by an earlier import belongs to that import's question.
    """
    return target.choice.matching == BESIDE and asked.row is None


def _again(target: Target, item: Item, stored: DraftQuestion) -> DraftQuestion:
    """An earlier import's draft, updated from the file. Raises CannotTake."""
    draft = draft_of_item(target, item, stored.key, stored)
    reason = too_long(draft) or ("" if draft.options else "has more new options than a question has slots for")
    if reason:
        raise CannotTake(reason)
    return draft


def _is_live(target: Target, here: Here, item: Item, question: Question) -> bool:
    """Whether the item equals the live text while the desk has something else: an export from before an edit brings
    nothing new."""
    live = here.live(question)
    try:
        return live is not None and _same(revised(target, item, question, live), live)
    except CannotTake:
        return False


def _same(one: DraftQuestion, other: DraftQuestion) -> bool:
    """Compare content; a question's second reader isn't changed by files."""
    return not changes(canonical(one), canonical(other))
