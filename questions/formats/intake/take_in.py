"""Importing: items of a question file become drafts, in batches; a second import changes only what changed."""

from __future__ import annotations

import dataclasses
import datetime as dt
import hashlib
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from django.db import DatabaseError, transaction
from django.utils.text import slugify

from questions.catalogue.models import Concept, Exam, StudyModule
from questions.formats.errors import ImportRefused
from questions.formats.intake.add import add_drafts
from questions.formats.models import ImportedItem
from questions.formats.rules.items import Item, digest
from questions.formats.rules.limits import OPTIONS
from questions.versions.models.drafts import Desk, Difficulty, Pool, Question
from questions.versions.models.versions import Solution
from questions.versions.pictures.store import keep as keep_pictures
from questions.versions.reads.drafts import digest as draft_digest
from questions.versions.reads.drafts import draft_of, draft_of_version, with_draft
from questions.versions.rules.draft import DraftOption, DraftQuestion
from questions.versions.rules.family import Shared, shared_of
from questions.versions.rules.text_caps import refused_text
from questions.versions.save import save_draft

NEW, CHANGED, UNCHANGED, LEFT_ALONE, REFUSED = "new", "changed", "unchanged", "left alone", "refused"
BATCH = 100
KEY_LENGTH = 90
NAME_LENGTH = 150
LONGEST = {"title": 120, "second_reader": 100}
OF_A_VERSION = ("version__question", "version__domain", "version__hint", "version__family")
LONGEST_PHRASE, LONGEST_SOURCE, LONGEST_URL = 300, 200, 500


@dataclass(frozen=True)
class Outcome:
    """What became of one item: new, changed, unchanged, left alone or refused, and for the last two why."""

    item: Item
    result: str
    reason: str = ""


@dataclass
class Target:
    """Where a file is imported to, and the names that exist there."""

    exam: Exam
    source: str
    domain: str
    domains: dict[str, str]
    concepts: set[str]
    modules: set[str]
    keys: set[str]
    names: dict[str, str]  # of this file: digest -> name
    numbers: dict[str, int]  # of this file: name -> the last number that was given to its like
    families: dict[str, set[Shared | None]] = field(default_factory=dict)  # what was met of each; None where at work

    @classmethod
    def of(cls, slug: str, source: str, domain: str = "") -> Target:
        """Raises ImportRefused where the exam or the domain does not exist."""
        exam = Exam.objects.filter(slug=slug).first()
        if exam is None:
            raise ImportRefused(f"There’s no exam “{slug}”.")
        keys = list(exam.domains.values_list("key", flat=True))
        if not keys or (domain and domain not in keys):
            raise ImportRefused(f"Exam “{slug}” has no domain “{domain}”. It has: {', '.join(keys) or 'none'}.")
        printed = exam.domains.values_list("printed__name", "key")
        names = {name.casefold(): key for name, key in printed if name} | {key: key for key in keys}
        return cls(
            exam=exam,
            source=source[:200],
            domain=domain or keys[0],
            domains={} if domain else names,
            concepts=set(Concept.objects.filter(domain__exam=exam).values_list("key", flat=True)),
            modules=set(StudyModule.objects.filter(exam=exam).values_list("slug", flat=True)),
            keys=set(exam.questions.values_list("key", flat=True)),
            names={},
            numbers={},
        )


def import_items(target: Target, items: Iterable[Item], now: dt.datetime) -> Iterator[Outcome]:
    """Store each item as a draft. A batch is one transaction; where one fails, its items are stored one by one."""
    source = iter(items)
    while batch := list(islice(source, BATCH)):
        yield from import_batch(target, batch, now)


def import_batch(target: Target, batch: list[Item], now: dt.datetime) -> list[Outcome]:
    """Store the next items of a file in one transaction, or, where that fails, one by one."""
    named = [(item, _name(target, item)) for item in batch]
    try:
        return _together(target, named, now)
    except DatabaseError:
        return [_alone(target, item, name, now) for item, name in named]


def pass_over(target: Target, item: Item) -> None:
    """Take note of an item that an earlier run has dealt with, so that those after it get the names they would."""
    _name(target, item)


def _together(target: Target, named: list[tuple[Item, str]], now: dt.datetime) -> list[Outcome]:
    """All or nothing; the keys given out are free again where it was nothing."""
    # A copy: what fails may have taken keys that the items, stored one by one, will want.
    keys = set(target.keys)
    try:
        with transaction.atomic():
            return _store(target, named, now)
    except DatabaseError:
        target.keys = keys
        raise


def _alone(target: Target, item: Item, name: str, now: dt.datetime) -> Outcome:
    try:
        return _together(target, [(item, name)], now)[0]
    except DatabaseError:
        return Outcome(item, REFUSED, "could not be stored by the database")


def _name(target: Target, item: Item) -> str:
    """The item's name in its file; other content under the same name gets a number."""
    content = digest(item)
    if content in target.names:
        return target.names[content]
    base = " ".join(item.name.split())
    if len(base) > NAME_LENGTH:
        base = "name-" + hashlib.sha256(base.encode()).hexdigest()
    name, count = base, target.numbers.get(base, 0)
    while name in target.numbers:  # goes on from the last number: a file may have one title for everything
        count += 1
        name = f"{base} ({count})"
    target.numbers[name] = 1
    target.numbers[base] = max(count, 1)
    target.names[content] = name
    return name


def _store(target: Target, named: list[tuple[Item, str]], now: dt.datetime) -> list[Outcome]:
    names, digests = [name for _, name in named], [digest(item) for item, _ in named]
    known = ImportedItem.objects.filter(exam=target.exam)
    by_name = {row.name: row for row in known.filter(source=target.source, name__in=names)}
    by_content = {row.digest: row for row in known.filter(digest__in=digests)}
    outcomes = []
    standing = _standing(target, [item for item, _ in named])
    fresh: dict[str, tuple[Item, str, DraftQuestion]] = {}
    for (item, name), content in zip(named, digests, strict=True):
        row = by_name.get(name) or by_content.get(content)
        if content in fresh or (row and row.digest == content) or (row is None and item.draft in standing):
            outcomes.append(Outcome(item, UNCHANGED))
        elif row:
            outcomes.append(_change(target, item, row, now))
        else:
            draft = draft_of_item(target, item, _free_key(target, item, name))
            reason = _too_long(draft)
            outcomes.append(Outcome(item, REFUSED, reason) if reason else Outcome(item, NEW))
            if not reason:
                fresh[content] = item, name, draft
                target.keys.add(draft.key)
    _add(target, list(fresh.values()), now)
    return outcomes


def _standing(target: Target, items: list[Item]) -> set[DraftQuestion]:
    """The whole questions among these that are here under their own ids, word for word: on the desk or live.

    So what a site exported says nothing new to it. Who read a question second is not part of a version.
    """
    drafts = {item.draft.key: item.draft for item in items if item.draft and item.draft.key in target.keys}
    rows = with_draft(Question.objects.filter(exam=target.exam, key__in=drafts)) if drafts else []
    standing = set()
    for question in rows:
        said = draft_digest(_unread(drafts[question.key]))
        here = [draft_of(question)]
        if question.live_version_id:
            here.append(draft_of_version(Solution.objects.select_related(*OF_A_VERSION).get(version__live_of=question)))
        if said in {draft_digest(_unread(each)) for each in here}:
            standing.add(drafts[question.key])
    return standing


def _unread(draft: DraftQuestion) -> DraftQuestion:
    return dataclasses.replace(draft, second_reader="", second_read_on=None)


def _add(target: Target, fresh: list[tuple[Item, str, DraftQuestion]], now: dt.datetime) -> None:
    keep_pictures(picture for item, _, _ in fresh for picture in item.pictures)
    questions = add_drafts(target.exam, [draft for _, _, draft in fresh], now, f"Imported from {target.source}.")
    rows = [
        _remembering(ImportedItem(question=q, exam=target.exam, source=target.source, name=name), item, draft, now)
        for q, (item, name, draft) in zip(questions, fresh, strict=True)
    ]
    ImportedItem.objects.bulk_create(rows)


def _change(target: Target, item: Item, row: ImportedItem, now: dt.datetime) -> Outcome:
    """Bring the draft up to the file's new content, where nobody edited it since."""
    question = with_draft(Question.objects.select_for_update(of=("self",)).filter(pk=row.question_id)).get()
    stored = draft_of(question)
    if draft_digest(stored) != row.draft_digest or question.desk not in (Desk.DRAFT, Desk.NOTHING):
        return Outcome(item, LEFT_ALONE, f"changed in the file, but “{question.key}” has been edited here since")
    if question.family_id:
        return Outcome(item, LEFT_ALONE, f"changed in the file, but “{question.key}” shares its text with a family")
    draft = draft_of_item(target, item, question.key, stored)
    reason = _too_long(draft) or ("" if draft.options else "has more new options than a question has slots for")
    if reason:
        return Outcome(item, LEFT_ALONE, reason)
    question.desk, question.revision, question.changed_at = Desk.DRAFT, question.revision + 1, now
    keep_pictures(item.pictures)
    save_draft(target.exam, draft, question)
    _remembering(row, item, draft, now).save()
    return Outcome(item, CHANGED)


def _remembering(row: ImportedItem, item: Item, draft: DraftQuestion, now: dt.datetime) -> ImportedItem:
    row.digest, row.draft_digest, row.at = digest(item), draft_digest(draft), now
    row.category, row.tags = item.category, list(item.tags)
    return row


def draft_of_item(target: Target, item: Item, key: str, before: DraftQuestion | None = None) -> DraftQuestion:
    """The item as a draft with what the exam knows of its names; options keep the slots they had ``before``."""
    slots = _slots(item, before)
    if item.draft:
        return _own_draft(target, item, item.draft, key, slots)
    return DraftQuestion(
        key=key,
        domain=_domain(target, item),
        concepts=_concepts(target, item),
        pool=Pool.PUBLIC,
        kind=item.kind,
        difficulty=Difficulty.MEDIUM,
        title=textwrap.shorten(item.title or item.stem, LONGEST["title"], placeholder="…"),
        stem=item.stem,
        options=tuple(
            DraftOption(slot, option.text, option.right, "", option.feedback)
            for option, slot in zip(item.options, slots, strict=False)
        ),
        clues=(),
        quick_answer="",
        explanation=item.explanation,
        principle="",
        trap="",
        detail="",
        key_concepts=(),
        exam_tips=(),
        takeaway="",
        example="",
        sources=(),
    )


def _own_draft(target: Target, item: Item, draft: DraftQuestion, key: str, slots: list[int]) -> DraftQuestion:
    """A whole question of ours, without the names that this exam does not know."""
    places = dict(zip((option.slot for option in draft.options), slots, strict=False))
    own = dataclasses.replace(
        draft,
        key=key,
        domain=_domain(target, item),
        concepts=_concepts(target, item),
        modules=tuple(each for each in sorted(draft.modules) if each.partition("#")[0] in target.modules),
        options=tuple(
            dataclasses.replace(o, slot=slot, concept=o.concept if o.concept in target.concepts else None)
            for o, slot in zip(draft.options, slots, strict=False)
        ),
        clues=tuple(
            dataclasses.replace(
                clue,
                confirms=tuple(places[slot] for slot in clue.confirms if slot in places),
                rules_out=tuple(places[slot] for slot in clue.rules_out if slot in places),
            )
            for clue in draft.clues
        ),
    )
    return own if _may_join(target, own) else dataclasses.replace(own, family="", clause="")


def _may_join(target: Target, draft: DraftQuestion) -> bool:
    """Whether a question can stand in the family it names: one of this import, untouched, with the same shared text.

    A family that is at work here is the desk's: a question that joined it would change what is reviewed or live.
    """
    if not draft.family or draft.stem.count(draft.clause) != 1:
        return False
    if draft.family not in target.families:
        members = with_draft(Question.objects.filter(exam=target.exam, family__key=draft.family))
        target.families[draft.family] = {
            shared_of(draft_of(each)) if each.live_version_id is None and each.revision == 0 else None
            for each in members
        }
    shared = target.families[draft.family]
    if not shared:
        shared.add(shared_of(draft))
    return shared == {shared_of(draft)}


def _concepts(target: Target, item: Item) -> tuple[str, ...]:
    return tuple(sorted({tag for tag in item.tags if tag in target.concepts}))


def _slots(item: Item, before: DraftQuestion | None) -> list[int]:
    """A slot for each option: the one its text had before, else one that was not in use; none where they run out."""
    if before is None:
        return [o.slot for o in item.draft.options] if item.draft else list(range(1, len(item.options) + 1))
    had = {option.text: option.slot for option in before.options}
    fresh = iter(range(max(had.values(), default=0) + 1, OPTIONS + 1))
    slots = [had.pop(option.text, 0) or next(fresh, 0) for option in item.options]
    return slots if all(slots) else []


def _domain(target: Target, item: Item) -> str:
    """The domain asked for, else the one the item or its category names, else the exam's first."""
    names = [item.draft.domain] if item.draft else []
    names += [part.strip().casefold() for part in reversed(item.category.split("/"))]
    return next((target.domains[name] for name in names if name in target.domains), target.domain)


def _free_key(target: Target, item: Item, name: str) -> str:
    key = (slugify(name)[:KEY_LENGTH].strip("-")) or "item"
    return key if key not in target.keys else f"{key[: KEY_LENGTH - 10]}-{digest(item)[:9]}"


def _too_long(draft: DraftQuestion) -> str:
    """Why the database could not hold it, or no page draw it; "" where they can."""
    where, why = refused_text(draft.prose())
    if why:
        return f"{where}: {why}"
    for name, most in LONGEST.items():
        if len(getattr(draft, name)) > most:
            return f"has a {name} of more than {most} characters"
    if any(len(clue.phrase) > LONGEST_PHRASE for clue in draft.clues):
        return f"has a clue of more than {LONGEST_PHRASE} characters"
    if any(len(source.title) > LONGEST_SOURCE or len(source.url) > LONGEST_URL for source in draft.sources):
        return "has a source with a title or address that is too long"
    return ""
