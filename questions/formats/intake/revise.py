"""Existing questions that a file changes: a draft revision on the desk, if chosen.

The importer is an author of that draft, so somebody else has to publish it.
"""

from __future__ import annotations

import datetime as dt

from questions.desk.decide import locked, note, put_on_desk, unit_of
from questions.desk.models import DeskAct
from questions.formats.intake.entries import enter, remembering
from questions.formats.intake.reads.plan import LEFT_ALONE, Planned
from questions.formats.intake.reads.target import UPDATE, Target
from questions.formats.models import BatchEntry, Left
from questions.versions.material.pictures.store import keep as keep_pictures
from questions.versions.models.drafts import Desk, Question

REVISED = "revised"
Results = dict[int, tuple[str, str]]


def revise_unit(target: Target, unit: list[Planned], now: dt.datetime) -> Results:
    """The outcomes of a question's or family's items, by ``id()``. Call inside a transaction."""
    results: Results = {id(each): (LEFT_ALONE, _not_chosen(target, each)) for each in unit}
    chosen = [each for each in unit if not results[id(each)][1]]
    first = next((each.question for each in chosen), None)
    if first is None or target.by is None:
        return results
    # One lock for the unit, as on the desk: siblings are saved as one revision or not at all.
    question = locked(first.pk)
    if question.revision != first.revision:
        return results | {id(each): (LEFT_ALONE, saved_since(question)) for each in chosen}
    was, rows = question.desk, {each.pk: each for each in unit_of(question)}
    drafts = [(rows[each.question.pk], each.draft) for each in chosen if each.question and each.draft]
    keep_pictures(picture for each in chosen for picture in each.item.pictures)
    put_on_desk(question, drafts, target.by, now)
    for each, (row, draft) in zip(chosen, drafts, strict=True):
        note(row, DeskAct.COMMENTED, target.by, now, target.note)
        if each.row:
            remembering(each.row, each.item, draft, now).save()
        results[id(each)] = REVISED, ""
    pairs = [(row, each) for (row, _), each in zip(drafts, chosen, strict=True)]
    _enter(target, pairs, list(rows), was, now)
    return results


def saved_since(question: Question) -> str:
    """Why a question is left alone: somebody saved it between the preview and the import."""
    return f"“{question.key}” has been saved here since the preview"


def _not_chosen(target: Target, each: Planned) -> str:
    """Why a differing question is left alone; "" if it was chosen for updating."""
    question, choice = each.question, target.choice
    if question is None:
        return f"names “{each.name}”, which isn’t here"
    bases = choice.bases or {}
    if choice.matching == UPDATE and target.by is not None:
        if choice.bases is None or bases.get(str(question.pk)) == question.revision:
            return ""
        if str(question.pk) in bases:
            return saved_since(question)
    return f"differs from “{question.key}” here, which was left as it is"


def _enter(target: Target, pairs: list[tuple[Question, Planned]], unit: list[int], was: str, now: dt.datetime) -> None:
    """Record it for the batch. Earlier entries for the same family get the family's new revision."""
    revision = pairs[0][0].revision
    earlier = BatchEntry.objects.filter(batch=target.batch, question__in=unit)
    own = target.batch is not None and earlier.filter(left=Left.REVISED).exists()
    if target.batch is not None:
        earlier.update(revision=revision)
    left = Left.REVISED if own or was == Desk.NOTHING else Left.OVERWROTE
    enter(target, [(row, each.item) for row, each in pairs], left, now)
    if target.choice.bases is not None:  # so that the rest of a family can follow in the next batch
        target.choice.bases |= {str(pk): revision for pk in unit if str(pk) in target.choice.bases}
