"""Which questions the public may see, and their line in lists."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Case, F, OuterRef, Q, QuerySet, Subquery, When
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
    is_variant: bool = False  # a variant of the previous question, or of the page's
    excerpt: tuple[Piece, ...] = ()  # an excerpt of its prompt, in search results
    spoiler: tuple[Piece, ...] = ()  # an excerpt of its solution, if only that matches the search


def with_address() -> QuerySet[Question]:
    """Questions that have or had a public page."""
    return Question.objects.filter(has_address())


def has_address(question: str = "") -> Q:
    """Whether a question is public both as draft and as published; ``question`` is the path to it."""
    pools = {f"{question}pool": Pool.PUBLIC, f"{question}live_version__pool": Pool.PUBLIC}
    return Q(**pools | {f"{question}number__isnull": False})


def public_questions() -> QuerySet[Question]:
    """Questions that can be read and answered publicly: neither withdrawn nor retired."""
    return with_address().filter(withdrawn_at=None, retired_at=None)


def printed_name(domain: str) -> Subquery:
    """A domain's name in the current guide. ``domain`` is the path to its id from the outer row."""
    rows = BlueprintDomain.objects.filter(domain_id=OuterRef(domain), blueprint__is_current=True)
    return Subquery(rows.values("name")[:1])


def instruction(choose: int) -> str:
    """ "choose two" and so on."""
    return f"choose {NUMBER_WORDS.get(choose, choose)}"


def unit_number() -> Case:
    """Lists are sorted by this, then by number: a family is placed with its first question."""
    siblings = with_address().filter(live_version__family=OuterRef("live_version__family"))
    of_family = Subquery(siblings.order_by("number").values("number")[:1])
    # Without a family, no siblings are looked for: with NULL, SQLite looked through the whole bank for each question.
    return Case(When(live_version__family=None, then=F("number")), default=Coalesce(of_family, F("number")))


def question_lines(rows: Iterable[Question], exam: Exam, after: int | None = None) -> list[QuestionLine]:
    """Lines for questions whose live version and domain are loaded; ``after`` is the family they follow."""
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
    """The question's public URL; "" for one that is reserved, retired or unpublished."""
    live = question.live_version
    pools = {question.pool, version.pool, live.pool if live else ""}
    if live is None or pools != {Pool.PUBLIC} or question.retired_at or question.number is None:
        return ""
    return question_address(question.exam.slug, question.number, live.title)
