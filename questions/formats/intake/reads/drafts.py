"""Converting items to drafts: with names the exam knows, and only if pages can render them."""

from __future__ import annotations

import dataclasses
import textwrap

from django.utils.text import slugify

from questions.catalogue.rules.sources import OWN_WORK, Source
from questions.formats.intake.reads.target import Target
from questions.formats.rules.items import Item, digest
from questions.formats.rules.limits import OPTIONS
from questions.versions.models.drafts import Difficulty, Pool, Question
from questions.versions.reads.drafts import draft_of, with_draft
from questions.versions.rules.draft import DraftOption, DraftQuestion
from questions.versions.rules.family import shared_of
from questions.versions.rules.text_caps import refused_text

KEY_LENGTH = 90
"""As at the desk: the column holds 100."""
LONGEST = {"title": 120, "second_reader": 100}
LONGEST_PHRASE, LONGEST_SOURCE, LONGEST_URL = 300, 200, 500


def draft_of_item(target: Target, item: Item, key: str, before: DraftQuestion | None = None) -> DraftQuestion:
    """The item as a draft, with names the exam knows; options keep the slots they had ``before``."""
    slots = _slots(item, before)
    if item.draft:
        draft = _own_draft(target, item, item.draft, key, slots)
        return draft if draft.sources else dataclasses.replace(draft, sources=_sources(target))
    return DraftQuestion(
        key=key,
        domain=domain_of(target, item),
        concepts=known_concepts(target, item),
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
        sources=item.cited or _sources(target),
    )


def _sources(target: Target) -> tuple[Source, ...]:
    """The sources given for the whole file."""
    said = target.choice.source
    if not said:
        return ()
    return (Source(said, "", None) if said == OWN_WORK else Source(said[:LONGEST_SOURCE], said, None),)


def _own_draft(target: Target, item: Item, draft: DraftQuestion, key: str, slots: list[int]) -> DraftQuestion:
    """A complete question from our own format, without names this exam doesn't know."""
    places = dict(zip((option.slot for option in draft.options), slots, strict=False))
    own = dataclasses.replace(
        draft,
        key=key,
        domain=domain_of(target, item),
        concepts=known_concepts(target, item),
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
    """Whether a question can join the family it names: one from this import, untouched, with the same shared text.

    A family already in use belongs to the desk: a question joining it would change what is reviewed or live.
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


def known_concepts(target: Target, item: Item) -> tuple[str, ...]:
    return tuple(sorted({tag for tag in item.tags if tag in target.concepts}))


def _slots(item: Item, before: DraftQuestion | None) -> list[int]:
    """A slot for each option: the one its text had before, else an unused one; empty if they run out."""
    if before is None:
        return [o.slot for o in item.draft.options] if item.draft else list(range(1, len(item.options) + 1))
    had = {option.text: option.slot for option in before.options}
    fresh = iter(range(max(had.values(), default=0) + 1, OPTIONS + 1))
    slots = [had.pop(option.text, 0) or next(fresh, 0) for option in item.options]
    return slots if all(slots) else []


def domain_of(target: Target, item: Item) -> str:
    """The requested domain, else the one the item or its category names, else the exam's first."""
    return domain_named(target, item) or target.domain


def domain_named(target: Target, item: Item) -> str:
    """The domain the item or its category names; "" if none, or if one was requested."""
    names = [item.draft.domain] if item.draft else []
    names += [part.strip().casefold() for part in reversed(item.category.split("/"))]
    return next((target.domains[name] for name in names if name in target.domains), "")


def free_key(target: Target, item: Item, name: str) -> str:
    key = (slugify(name)[:KEY_LENGTH].strip("-")) or "item"
    return key if key not in target.keys else f"{key[: KEY_LENGTH - 10]}-{digest(item)[:9]}"


def too_long(draft: DraftQuestion) -> str:
    """Why the database can't store it or pages can't render it; "" if they can."""
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
