"""A learner's data in an exam that pages count: review cards, flashcards turned today, what was read."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Aggregate, BigIntegerField, F, Func, QuerySet, TextField, Value
from django.db.models.functions import Cast, Concat

from courseiva.common.quick.statements import composed_once
from practice.learners.models import Learner, ModuleRead, SectionRead
from practice.reviews.models import CardTurn, ReviewCard
from practice.reviews.reads import Today
from questions.catalogue.models import Exam

CARD, TURN, MODULE, SECTION = range(4)
NO_NAME = Value("")


class Seconds(Func):
    """A time as whole seconds since 1970, rounded down: on SQLite, making a datetime of text takes longer than the rest
    of a row."""

    function = "STRFTIME"
    output_field = BigIntegerField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        """Without the fraction of a second, which SQLite would round."""
        template = "CAST(%(function)s('%%%%s', SUBSTR(%(expressions)s, 1, 19)) AS INTEGER)"
        return self.as_sql(compiler, connection, template=template, **context)

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        """The same under PostgreSQL's name for it."""
        return self.as_sql(
            compiler, connection, template="FLOOR(EXTRACT(EPOCH FROM %(expressions)s))::bigint", **context
        )


class Joined(Aggregate):
    """Texts in one row, with commas between them: for hundreds of rows, Python takes longer to make their values."""

    output_field = TextField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        """SQLite's name for it."""
        return self.as_sql(compiler, connection, template="GROUP_CONCAT(%(expressions)s)", **context)

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        """PostgreSQL's."""
        return self.as_sql(compiler, connection, template="STRING_AGG(%(expressions)s, ',')", **context)


@dataclass(frozen=True)
class Kept:
    """``cards`` are due times by question, in whole seconds since 1970, ``turned`` the questions of today's flashcards,
    one for each turn; ``modules`` and ``sections`` (module, anchor) were marked as read."""

    cards: Mapping[int, int] = field(default_factory=dict)
    turned: Sequence[int] = ()
    modules: frozenset[int] = frozenset()
    sections: frozenset[tuple[int, str]] = frozenset()


def kept_of(learner: Learner, exam: Exam, today: Today, *, sections: bool = False) -> Kept:
    """In one statement: a few small tables by the learner's own rows, sections only if asked for."""
    cards: dict[int, int] = {}
    turned: list[int] = []
    read: list[tuple[int, str]] = []
    modules: list[int] = []
    for kind, number, name in _rows(learner.pk, exam.pk, today.start, sections):
        if kind == CARD:
            cards = {int(question): int(due) for question, due in map(str.split, name.split(","))} if name else {}
        elif kind == TURN:
            turned.append(number)
        elif kind == MODULE:
            modules.append(number)
        else:
            read.append((number, name))
    return Kept(cards, turned, frozenset(modules), frozenset(read))


@composed_once
def _rows(learner: int, exam: int, start: dt.datetime, sections: bool) -> QuerySet[Any, Any]:
    cards = ReviewCard.objects.filter(learner=learner, exam=exam)
    text = TextField()
    card = Concat(Cast("question_id", text), Value(" "), Cast(Seconds("due_at"), text), output_field=text)
    turns = CardTurn.objects.filter(learner=learner, exam=exam, at__gte=start)
    modules, read = ModuleRead.objects.filter(learner=learner), SectionRead.objects.filter(learner=learner)
    others = [_alike(turns, TURN, "question_id", NO_NAME), _alike(modules, MODULE, "module_id", NO_NAME)]
    if sections:
        others.append(_alike(read, SECTION, "module_id", F("anchor")))
    return _alike(cards, CARD, None, Joined(card)).union(*others, all=True)


def _alike(rows: QuerySet[Any], kind: int, number: str | None, name: Any) -> QuerySet[Any, Any]:
    """The rows, or one if ``name`` joins them, with the columns that the other tables have."""
    told = rows.order_by().annotate(kind=Value(kind)).values("kind")
    told = told.annotate(number=F(number) if number else Value(0), name=name)
    return told.values_list("kind", "number", "name")
