"""How an item would change the existing question with its name: what the item says replaces it, the rest stays.

Text that looks the same on the page counts as the same: formats that store HTML give different Markdown back.
"""

from __future__ import annotations

import dataclasses
from itertools import count

from courseiva.common.rich_text import render
from questions.catalogue.rules.sources import Source
from questions.formats.intake.reads.drafts import domain_named, known_concepts, too_long
from questions.formats.intake.reads.target import Target
from questions.formats.rules.items import CannotTake, Item
from questions.formats.rules.limits import OPTIONS
from questions.versions.models.drafts import Question
from questions.versions.reads.drafts import highest_slot
from questions.versions.rules.draft import DraftOption, DraftQuestion
from questions.versions.rules.family import CLAUSE, shared_of, template_of


def revised(target: Target, item: Item, question: Question, stored: DraftQuestion) -> DraftQuestion:
    """The revised draft; empty parts of the item change nothing. Raises CannotTake with why the desk has to do it."""
    draft = (
        _whole(target, item, item.draft, question, stored) if item.draft else _partly(target, item, question, stored)
    )
    draft = _in_family(draft, stored)
    if not all(1 <= option.slot <= OPTIONS for option in draft.options):
        raise CannotTake("has more new options than the question has slots for")
    reason = too_long(draft)
    if reason:
        raise CannotTake(reason)
    return draft


def _partly(target: Target, item: Item, question: Question, stored: DraftQuestion) -> DraftQuestion:
    """The parts that every format has. Tags that don't match a concept don't affect concepts."""
    return dataclasses.replace(
        stored,
        domain=domain_named(target, item) or stored.domain,
        concepts=known_concepts(target, item) or stored.concepts,
        kind=item.kind,
        title=_kept(stored.title, item.title),
        stem=_kept(stored.stem, item.stem),
        options=_options(item, question, stored),
        explanation=_kept(stored.explanation, item.explanation),
        sources=_sources(item, stored),
    )


def _sources(item: Item, stored: DraftQuestion) -> tuple[Source, ...]:
    """The item's sources; for a page already cited here, empty fields keep their values."""
    had = {source.url: source for source in stored.sources}
    cited = []
    for said in item.cited:
        was = had.get(said.url, said)
        cited.append(dataclasses.replace(said, as_of=said.as_of or was.as_of, says=said.says or was.says))
    return tuple(cited) or stored.sources


def _options(item: Item, question: Question, stored: DraftQuestion) -> tuple[DraftOption, ...]:
    """The options that stay, in their existing order, then new ones. An option is known by its words, else by its
    position: if reworded, it keeps its slot and its reasons.

    By position only if none was removed; otherwise options after a gap would get their neighbours' reasons.
    """
    left = list(stored.options)
    was: dict[int, DraftOption] = {}
    for place, option in enumerate(item.options):
        found = next((each for each in left if _same(each.text, option.text)), None)
        if found:
            left.remove(found)
            was[place] = found
    if len(item.options) >= len(stored.options):
        for place in set(range(len(stored.options))) - set(was):
            if stored.options[place] in left:
                left.remove(stored.options[place])
                was[place] = stored.options[place]
    slots = count(highest_slot(question) + 1) if len(was) < len(item.options) else count()
    options = [
        dataclasses.replace(
            was[place],
            text=_kept(was[place].text, option.text),
            right=option.right,
            why=_kept(was[place].why, option.feedback),
        )
        if place in was
        else DraftOption(next(slots), option.text, option.right, "", option.feedback)
        for place, option in enumerate(item.options)
    ]
    order = {option.slot: place for place, option in enumerate(stored.options)}
    return tuple(sorted(options, key=lambda option: order.get(option.slot, len(order))))


def _whole(target: Target, item: Item, said: DraftQuestion, question: Question, stored: DraftQuestion) -> DraftQuestion:
    """A complete question from our own format, replacing the existing one; slots unknown here are reassigned."""
    had = {option.slot for option in stored.options}
    new = [option.slot for option in said.options if option.slot not in had]
    slots = dict(zip(new, count(highest_slot(question) + 1), strict=False)) if new else {}
    order = {option.slot: place for place, option in enumerate(stored.options)}
    options = [
        dataclasses.replace(
            option,
            slot=slots.get(option.slot, option.slot),
            concept=option.concept if option.concept in target.concepts else None,
        )
        for option in said.options
    ]
    return dataclasses.replace(
        said,
        key=stored.key,
        domain=domain_named(target, item) or stored.domain,
        concepts=tuple(sorted(key for key in said.concepts if key in target.concepts)),
        modules=tuple(each for each in sorted(said.modules) if each.partition("#")[0] in target.modules),
        options=tuple(sorted(options, key=lambda option: order.get(option.slot, len(order)))),
        clues=tuple(
            dataclasses.replace(
                clue,
                confirms=tuple(slots.get(slot, slot) for slot in clue.confirms),
                rules_out=tuple(slots.get(slot, slot) for slot in clue.rules_out),
            )
            for clue in said.clues
        ),
        second_reader=said.second_reader or stored.second_reader,
        second_read_on=said.second_read_on or stored.second_read_on,
    )


def _in_family(draft: DraftQuestion, stored: DraftQuestion) -> DraftQuestion:
    """The draft as a variant of its family here. Raises CannotTake if it changes what the family shares."""
    if not stored.family:
        return dataclasses.replace(draft, family="", clause="")
    clause = stored.clause if draft.stem == stored.stem else _clause(draft.stem, stored)
    draft = dataclasses.replace(draft, family=stored.family, clause=clause)
    if shared_of(draft) != shared_of(stored):
        raise CannotTake(f"changes what “{stored.key}” shares with its family")
    return draft


def _clause(stem: str, stored: DraftQuestion) -> str:
    """What a changed stem has in place of the clause; "" if the rest changed too."""
    before, _, after = template_of(stored.stem, stored.clause).partition(CLAUSE)
    clause = stem[len(before) : len(stem) - len(after)]
    fits = stem == before + clause + after and clause.strip() and stem.count(clause) == 1
    return clause if fits else ""


def _kept(stored: str, said: str) -> str:
    return stored if not said or _same(stored, said) else said


def _same(one: str, other: str) -> bool:
    """Whether two texts look the same on the page."""
    return one == other or _seen(one) == _seen(other)


def _seen(text: str) -> str:
    """The HTML, with white space collapsed except in code, where the page shows it."""
    html = render(text)
    return html if "<pre" in html else " ".join(html.split())
