"""Which questions the public may see, and the one line by which lists show them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from questions.catalogue.models import BlueprintDomain, Exam
from questions.versions.models.drafts import Pool, Question
from questions.versions.models.versions import QuestionVersion
from questions.versions.reads.addresses import question_address
from questions.versions.rules.pieces import Piece

NUMBER_WORDS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five"}


@dataclass(frozen=True)
class QuestionLine:
    number: int
    title: str
    url: str
    difficulty: str
    instruction: str
    domain: int
    exam: str
    is_variant: bool = False  # of the question before it, or of the one whose page this is
    excerpt: tuple[Piece, ...] = ()  # of its prompt, where a search found it
    spoiler: tuple[Piece, ...] = ()  # of its solution, where only that says what was searched for


def with_address() -> QuerySet[Question]:
    """Questions that have, or had, a public page: open as a draft and as published."""
    return Question.objects.filter(pool=Pool.PUBLIC, live_version__pool=Pool.PUBLIC, number__isnull=False)


def public_questions() -> QuerySet[Question]:
    """Questions that can be read and answered in public: neither withdrawn nor retired."""
    return with_address().filter(withdrawn_at=None, retired_at=None)


def printed_name(domain: str) -> Subquery:
    """What the current guide calls a domain. ``domain`` is the path to its id from the outer row."""
    rows = BlueprintDomain.objects.filter(domain_id=OuterRef(domain), blueprint__is_current=True)
    return Subquery(rows.values("name")[:1])


def instruction(choose: int) -> str:
    """ "choose two" and so on."""
    return f"choose {NUMBER_WORDS.get(choose, choose)}"


def unit_number() -> Coalesce:
    """By this, then by number, a list is in order: a family stands where the first of its questions does."""
    siblings = with_address().filter(live_version__family=OuterRef("live_version__family"))
    of_family = siblings.order_by("number").values("number")
    return Coalesce(Subquery(of_family[:1]), F("number"))


def question_lines(rows: Iterable[Question], exam: Exam, after: int | None = None) -> list[QuestionLine]:
    """Lines of questions whose live version and its domain are loaded; ``after`` is the family they follow."""
    lines = []
    for row in rows:
        version = row.live_version
        if version is None:
            continue
        is_variant, after = version.family_id is not None and version.family_id == after, version.family_id
        if row.number is not None:
            url = question_address(exam.slug, row.number, version.title)
            lines.append(
                QuestionLine(
                    number=row.number,
                    title=version.title,
                    url=url,
                    difficulty=version.difficulty,
                    instruction=instruction(version.choose),
                    domain=version.domain.number,
                    exam=exam.code,
                    is_variant=is_variant,
                )
            )
    return lines


def public_address(version: QuestionVersion, question: Question) -> str:
    """Where the question can be read by everybody; "" for one that is reserved, retired or not published."""
    live = question.live_version
    pools = {question.pool, version.pool, live.pool if live else ""}
    if live is None or pools != {Pool.PUBLIC} or question.retired_at or question.number is None:
        return ""
    return question_address(question.exam.slug, question.number, live.title)
