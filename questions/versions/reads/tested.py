"""What is tested in a domain, or by a concept's questions, in terms of the current guide's outline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet
from django.urls import reverse

from questions.catalogue.models import Domain, Exam, Objective

MOST_OF_A_CONCEPT = 3
"""Enough for a line under the concept. What its questions name once or twice is incidental."""


@dataclass(frozen=True)
class Tested:
    """An objective or a point, and its URL on the objectives page."""

    number: str
    words: str
    url: str


def tested_in(exam: Exam, domain: Domain) -> list[Tested]:
    """The domain's objectives; one query."""
    return _told(exam, _current(exam).filter(domain=domain, parent=None))


def tested_by(exam: Exam, questions: QuerySet) -> list[Tested]:
    """What most of these questions name, in outline order; two queries."""
    named = questions.order_by().values_list("live_version__solution__text__objectives", flat=True)
    return tested_as(exam, named_most(number for numbers in named for number in numbers or ()))


def named_most(numbers: Iterable[str]) -> list[str]:
    """The numbers that occur most."""
    most = sorted(Counter(numbers).items(), key=lambda each: (-each[1], each[0]))
    return [number for number, _ in most[:MOST_OF_A_CONCEPT]]


def tested_as(exam: Exam, numbers: Iterable[str]) -> list[Tested]:
    """What has these numbers in the current outline, in its order; one query."""
    return _told(exam, _current(exam).filter(number__in=numbers))


def _current(exam: Exam) -> QuerySet[Objective]:
    return Objective.objects.filter(blueprint__exam=exam, blueprint__is_current=True).order_by("place")


def _told(exam: Exam, objectives: Iterable[Objective]) -> list[Tested]:
    return [
        Tested(each.number, each.words, f"{reverse('objectives', args=[exam.slug])}#objective-{each.number}")
        for each in objectives
    ]
