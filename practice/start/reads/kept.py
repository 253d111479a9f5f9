"""A learner's data in an exam that pages count: review cards, flashcards turned today, what was read."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import CharField, F, IntegerField, QuerySet, Value

from courseiva.common.quick.statements import composed_once
from practice.learners.models import Learner, ModuleRead, SectionRead
from practice.reviews.models import CardTurn, ReviewCard
from practice.reviews.reads import Today
from questions.catalogue.models import Exam

CARD, TURN, MODULE, SECTION = range(4)


@dataclass(frozen=True)
class Kept:
    """``cards`` are questions with their due times, ``turned`` the questions of today's flashcards, one for each turn;
    ``modules`` and ``sections`` (module, anchor) were marked as read."""

    cards: Sequence[tuple[int, dt.datetime]] = ()
    turned: Sequence[int] = ()
    modules: frozenset[int] = frozenset()
    sections: frozenset[tuple[int, str]] = frozenset()


def kept_of(learner: Learner, exam: Exam, today: Today, *, sections: bool = False) -> Kept:
    """In one statement: a few small tables by the learner's own rows, sections only if asked for."""
    found: dict[int, list[tuple[int, dt.datetime, str]]] = {kind: [] for kind in (CARD, TURN, MODULE, SECTION)}
    for kind, number, at, name in _rows(learner.pk, exam.pk, today.start, sections):
        found[kind].append((number, at, name))
    return Kept(
        cards=[(question, due_at) for question, due_at, _ in found[CARD]],
        turned=[question for question, *_ in found[TURN]],
        modules=frozenset(module for module, *_ in found[MODULE]),
        sections=frozenset((module, anchor) for module, _, anchor in found[SECTION]),
    )


@composed_once
def _rows(learner: int, exam: int, start: dt.datetime, sections: bool) -> QuerySet[Any, Any]:
    cards = ReviewCard.objects.filter(learner=learner, exam=exam)
    turns = CardTurn.objects.filter(learner=learner, exam=exam, at__gte=start)
    modules, read = ModuleRead.objects.filter(learner=learner), SectionRead.objects.filter(learner=learner)
    others = [_alike(turns, TURN, "question_id", "at"), _alike(modules, MODULE, "module_id", "read_at")]
    if sections:
        others.append(_alike(read, SECTION, "module_id", "read_at", "anchor"))
    return _alike(cards, CARD, "question_id", "due_at").union(*others, all=True)


def _alike(rows: QuerySet[Any], kind: int, number: str, at: str, name: str = "") -> QuerySet[Any, Any]:
    """The rows, with the columns that the other tables have."""
    named = F(name) if name else Value("", output_field=CharField())
    told = rows.order_by().annotate(
        kind=Value(kind, output_field=IntegerField()), number=F(number), moment=F(at), name=named
    )
    return told.values_list("kind", "number", "moment", "name")
