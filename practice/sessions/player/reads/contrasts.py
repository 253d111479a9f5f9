"""Which variant a marked question leads to, and the page that shows it."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import F, Max, OuterRef, Subquery

from courseiva.common.masks import order_slots, stored_order
from courseiva.common.rich_text import render_marked
from practice.learners.trial.models import TrialMiss
from practice.sessions.models import Mode, PracticeSession, SessionItem
from practice.sessions.reads.breakdown import item_breakdown
from practice.sessions.reads.siblings import contrastable, kept_back, plain_questions, usable_siblings
from practice.sessions.scoring.reads import keys_in_force
from questions.catalogue.models import BlueprintDomain
from questions.versions.models.drafts import Question
from questions.versions.models.versions import QuestionVersion
from questions.versions.reads.breakdowns import LETTERS, Breakdown, breakdown_of, concept_names
from questions.versions.reads.public import instruction


@dataclass(frozen=True)
class ContrastOption:
    """An option of the variant, at its position in the question that led to it."""

    slot: int
    letter: str
    html: str
    is_chosen: bool


@dataclass(frozen=True)
class ContrastPage:
    """A variant next to the question that led to it.

    ``breakdown`` and the two highlighted stems are there once it is marked. ``more``: another variant can follow.
    ``is_plain``: it isn't a variant but what the trial drew instead.
    """

    position: int
    variant: QuestionVersion
    head: str
    options: list[ContrastOption]
    breakdown: Breakdown | None = None
    stems: tuple[str, str] = ("", "")
    more: bool = False
    is_plain: bool = False

    @property
    def is_multiple(self) -> bool:
        return self.variant.choose > 1

    @property
    def instruction(self) -> str:
        return instruction(self.variant.choose).capitalize()


def next_variant(session: PracticeSession, position: int, question_id: int = 0) -> QuestionVersion | None:
    """The variant of a marked question that this learner saw longest ago or never, or the given one; None if there is
    none."""
    found = item_breakdown(session, position)
    if found is None:
        return None
    version = found[1]
    if version.pk not in contrastable(session.learner_id, [version]):
        return None
    plain = plain_questions(session.learner_id, [version.question.family_id or 0])
    if plain:
        return _instead(next(iter(plain.values())), question_id)
    siblings = (
        usable_siblings(session.learner_id).filter(family=version.question.family_id).exclude(pk=version.question_id)
    )
    if question_id:
        siblings = siblings.filter(pk=question_id)
    shown = SessionItem.objects.filter(session__learner=session.learner_id, version__question_id=OuterRef("pk"))
    last = shown.order_by().values("version__question_id").annotate(at=Max("displayed_at")).values("at")
    first = siblings.annotate(last=Subquery(last)).order_by(F("last").asc(nulls_first=True), "place", "pk").first()
    return _with_solution(first.live_version_id) if first and first.live_version_id else None


def _instead(plain: int | None, asked: int) -> QuestionVersion | None:
    """The plain question that the trial drew, if it's the one requested."""
    if plain is None or asked not in (0, plain):
        return None
    question = Question.objects.filter(pk=plain, withdrawn_at=None, retired_at=None).first()
    return _with_solution(question.live_version_id) if question and question.live_version_id else None


def asking_page(
    session: PracticeSession, position: int, variant: QuestionVersion, chosen: Sequence[int]
) -> ContrastPage:
    """The page that asks the variant, with its options in the order the learner has just seen."""
    options = [
        ContrastOption(slot, LETTERS[place], variant.options_html[str(slot)], slot in chosen)
        for place, slot in enumerate(order_slots(order_of(session, position, variant)))
    ]
    is_plain = variant.question.family_id != session.items.get(position=position).version.question.family_id
    return ContrastPage(position, variant, _head(variant), options, is_plain=is_plain)


def marked_page(session: PracticeSession, position: int, answer: uuid.UUID) -> ContrastPage | None:
    """The page of an answered variant, with the two stems side by side; None without such an answer."""
    found = answered_variant(session, position, answer)
    if found is None:
        return None
    before, item = found
    variant = item.version
    key = keys_in_force([variant.pk])[variant.pk]
    names = concept_names([variant])
    back = kept_back(session.learner_id, [variant])[variant.pk]
    breakdown = breakdown_of(variant, item.option_order, item.selected, names, key.masks, back)
    if variant.question.family_id != before.question.family_id:
        return ContrastPage(position, variant, _head(variant), [], breakdown, is_plain=True)
    stems = (render_marked(before.stem, _changed(before)), render_marked(variant.stem, _changed(variant)))
    others = usable_siblings(session.learner_id).filter(family=variant.question.family_id)
    more = others.exclude(pk__in=[before.question_id, variant.question_id]).exists()
    return ContrastPage(position, variant, _head(variant), [], breakdown, stems, more)


def answered_variant(
    session: PracticeSession, position: int, answer: uuid.UUID
) -> tuple[QuestionVersion, SessionItem] | None:
    """The question that led to a variant, and the learner's answer to the variant; None without such an answer."""
    found = item_breakdown(session, position)
    rows = SessionItem.objects.filter(session__mode=Mode.CONTRAST, session__uuid=answer)
    item = rows.filter(session__learner=session.learner_id).first()
    if found is None or item is None:
        return None
    item.version = _with_solution(item.version_id)
    family, question = found[1].question.family_id, item.version.question
    led_here = (
        family == question.family_id
        or TrialMiss.objects.filter(learner=session.learner_id, family=family, plain=question).exists()
    )
    return (found[1], item) if led_here else None


def order_of(session: PracticeSession, position: int, variant: QuestionVersion) -> str:
    """The order of the options: that of the question before, so that nothing changes except the clause."""
    shown = order_slots(session.items.get(position=position).option_order)
    slots = [option["slot"] for option in variant.options]
    order = [slot for slot in shown if slot in slots] + [slot for slot in slots if slot not in shown]
    return stored_order(order)


def _with_solution(version_id: int) -> QuestionVersion:
    return QuestionVersion.objects.select_related("solution", "question__exam", "domain").get(pk=version_id)


def _changed(version: QuestionVersion) -> list[str]:
    return [version.clause] if version.clause else []


def _head(variant: QuestionVersion) -> str:
    printed = BlueprintDomain.objects.filter(domain=variant.domain_id, blueprint__is_current=True)
    name = printed.values_list("name", flat=True).first() or ""
    return " · ".join(part for part in (name, variant.get_difficulty_display()) if part)
