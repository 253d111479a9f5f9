"""The editors' search: drafts by words, and questions by number, concept or objective, including reserved ones."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import reduce
from operator import and_

from django.db import connection
from django.db.models import Q, QuerySet
from django.db.models.expressions import RawSQL

from questions.catalogue.models import Objective
from questions.versions.models.drafts import Question
from questions.versions.search.models import DraftEntry
from questions.versions.search.rules.asking import (
    Term,
    as_fts5_begun,
    as_tsquery_begun,
    objective_start,
    objective_word,
    terms_of,
)

NUMBER = re.compile(r"(?:([\w-]+)\s+)?#?([0-9]{1,6})")
OBJECTIVE = re.compile(r"[0-9]{1,2}(?:\.[0-9a-z]{1,2}){1,2}", re.IGNORECASE)
MOST_OBJECTIVES = 20
"""A common word names half an outline, and each one becomes a condition on every draft."""
_POSTGRES = """
    SELECT id FROM questions_draftentry WHERE words @@ to_tsquery('english', %s)"""
_SQLITE = """
    SELECT rowid FROM questions_drafttext WHERE questions_drafttext MATCH %s"""


def found_by(questions: QuerySet[Question], text: str) -> QuerySet[Question]:
    """The questions matching the text; all of them if it is empty."""
    terms = terms_of(text)
    if not terms:
        return questions
    parts = [_saying(terms), _of_concepts(terms), _numbered(text.strip()), *_of_objectives(text.strip(), terms)]
    first, *others = [part.order_by().values("pk") for part in parts]
    return questions.filter(pk__in=first.union(*others))


def _saying(terms: tuple[Term, ...]) -> QuerySet[Question]:
    """Questions whose draft contains all of the words, by prefix."""
    return _matching(as_tsquery_begun(terms) if _is_postgres() else as_fts5_begun(terms))


def _matching(asked: str) -> QuerySet[Question]:
    # The search text is a parameter; the statement is a constant.
    entries = DraftEntry.objects.filter(pk__in=RawSQL(_POSTGRES if _is_postgres() else _SQLITE, [asked]))  # noqa: S611
    return Question.objects.filter(pk__in=entries.values("question"))


def _is_postgres() -> bool:
    return connection.vendor == "postgresql"


def _of_concepts(terms: tuple[Term, ...]) -> QuerySet[Question]:
    return Question.objects.filter(_all_in("concepts__name", terms))


def _numbered(text: str) -> QuerySet[Question]:
    """The question with a public number, in the exam named before it or in any."""
    found = NUMBER.fullmatch(text)
    if found is None:
        return Question.objects.none()
    rows = Question.objects.filter(number=int(found[2]))
    return rows.filter(exam__code__iexact=found[1]) if found[1] else rows


def _of_objectives(text: str, terms: tuple[Term, ...]) -> list[QuerySet[Question]]:
    """Under objectives of the current guides: the one with this number, or those whose words match all terms."""
    if OBJECTIVE.fullmatch(text):
        return [_naming([text])]
    said = _all_in("name", terms) | _all_in("words", terms)
    rows = Objective.objects.filter(said, blueprint__is_current=True).order_by("blueprint", "place")
    by_exam: defaultdict[int, list[str]] = defaultdict(list)
    for exam, number in rows.values_list("blueprint__exam", "number")[:MOST_OBJECTIVES]:
        by_exam[exam].append(number)
    return [_naming(numbers).filter(exam=exam) for exam, numbers in by_exam.items()]


def _naming(numbers: list[str]) -> QuerySet[Question]:
    """Questions whose draft names one of these objectives, or a point of one."""
    words = [(objective_word(number), f"{objective_start(number)}n") for number in numbers]
    if _is_postgres():
        return _matching(" | ".join(f"'{whole}' | '{start}':*" for whole, start in words))
    return _matching(" OR ".join(f'"{whole}" OR "{start}"*' for whole, start in words))


def _all_in(field: str, terms: tuple[Term, ...]) -> Q:
    wanted = [Q(**{f"{field}__icontains": " ".join(term.words)}) for term in terms if not term.is_excluded]
    return reduce(and_, wanted)
