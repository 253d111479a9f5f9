"""Importing: items of a question file become drafts, in batches; a second import changes only what changed."""

from __future__ import annotations

import copy
import datetime as dt
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from django.db import DatabaseError, transaction

from questions.formats.intake.add import add_drafts
from questions.formats.intake.entries import enter, remembering
from questions.formats.intake.reads.plan import CHANGED, DIFFERS, LEFT_ALONE, NEW, REFUSED, Planned, plan
from questions.formats.intake.reads.target import Target, name_of
from questions.formats.intake.revise import revise_unit, saved_since
from questions.formats.models import ImportedItem, Left
from questions.formats.rules.items import Item
from questions.versions.material.pictures.store import keep as keep_pictures
from questions.versions.models.drafts import Desk, Question
from questions.versions.save import save_draft

BATCH = 100
"""Items per transaction: if it fails, at most this many are tried again one by one, and no editor waits longer than it
takes."""


@dataclass(frozen=True)
class Outcome:
    """The outcome of an item: new, changed, revised, unchanged, left alone or refused; for the last two, why."""

    item: Item
    result: str
    reason: str = ""


def import_items(target: Target, items: Iterable[Item], now: dt.datetime) -> Iterator[Outcome]:
    """Store each item as a draft. A batch is one transaction; if it fails, its items are stored one by one."""
    source = iter(items)
    while batch := list(islice(source, BATCH)):
        yield from import_batch(target, batch, now)


def import_batch(target: Target, batch: list[Item], now: dt.datetime) -> list[Outcome]:
    """Store a file's next items in one transaction or, if that fails, one by one."""
    named = [(item, name_of(target, item)) for item in batch]
    try:
        return _together(target, named, now)
    except DatabaseError:
        return [_alone(target, item, name, now) for item, name in named]


def pass_over(target: Target, item: Item) -> None:
    """Register an item handled by an earlier run, so that later ones get the same names as before."""
    name_of(target, item)


def _together(target: Target, named: list[tuple[Item, str]], now: dt.datetime) -> list[Outcome]:
    """All or nothing; if it fails, reserved keys are released and the choice is restored."""
    # Copies: a failed attempt may have taken keys needed when storing one by one, and advanced revisions.
    keys, choice = set(target.keys), copy.deepcopy(target.choice)
    try:
        with transaction.atomic():
            return _store(target, plan(target, named), now)
    except DatabaseError:
        target.keys, target.choice = keys, choice
        raise


def _alone(target: Target, item: Item, name: str, now: dt.datetime) -> Outcome:
    try:
        return _together(target, [(item, name)], now)[0]
    except DatabaseError:
        return Outcome(item, REFUSED, "could not be stored by the database")


def _store(target: Target, planned: list[Planned], now: dt.datetime) -> list[Outcome]:
    results = {id(each): (each.result, each.reason) for each in planned}
    _add(target, [each for each in planned if each.result == NEW], now)
    for unit in _units([each for each in planned if each.result == DIFFERS]):
        results |= revise_unit(target, unit, now)
    for each in planned:
        if each.result == CHANGED:
            results[id(each)] = _change(target, each, now)
    return [Outcome(each.item, *results[id(each)]) for each in planned]


def _add(target: Target, fresh: list[Planned], now: dt.datetime) -> None:
    keep_pictures(picture for each in fresh for picture in each.item.pictures)
    drafts = [each.draft for each in fresh if each.draft]
    questions = add_drafts(target.exam, drafts, now, target.note, target.by)
    rows = [
        remembering(
            ImportedItem(question=question, exam=target.exam, source=target.source, name=each.name),
            each.item,
            draft,
            now,
        )
        for question, draft, each in zip(questions, drafts, fresh, strict=True)
    ]
    ImportedItem.objects.bulk_create(rows)
    enter(target, zip(questions, (each.item for each in fresh), strict=True), Left.MADE, now)


def _units(planned: list[Planned]) -> list[list[Planned]]:
    """Differing items by family, whose questions share the desk and are saved together."""
    units: dict[tuple[str, int], list[Planned]] = {}
    for each in planned:
        if each.question:
            family = each.question.family_id
            units.setdefault(("family", family) if family else ("question", each.question.pk), []).append(each)
    return list(units.values())


def _change(target: Target, each: Planned, now: dt.datetime) -> tuple[str, str]:
    """Update an earlier import's draft from the file, unless somebody saved it since it was read."""
    if not (each.question and each.draft and each.row):
        raise ValueError("a changed item has a question, a draft and what is remembered of it")
    # The condition includes the revision: if somebody has saved between the plan and this lock, their text stays.
    rows = Question.objects.select_for_update(of=("self",))
    question = rows.filter(pk=each.question.pk, revision=each.question.revision).first()
    if question is None:
        return LEFT_ALONE, saved_since(each.question)
    question.desk, question.revision, question.changed_at = Desk.DRAFT, question.revision + 1, now
    keep_pictures(each.item.pictures)
    save_draft(target.exam, each.draft, question)
    remembering(each.row, each.item, each.draft, now).save()
    enter(target, [(question, each.item)], Left.OVERWROTE, now)
    return CHANGED, ""
