"""Lists of public questions: filtered, and searched by words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet

from questions.catalogue.models import Concept, Exam
from questions.pages.counted.reads import in_order, kept_counts, kept_order
from questions.pages.counted.rules import Counts
from questions.versions.models.drafts import Question
from questions.versions.models.versions import QuestionVersion
from questions.versions.reads.public import QuestionLine, public_questions, question_lines, unit_number
from questions.versions.search.models import SearchEntry
from questions.versions.search.reads import Hits, entries_of, hits
from questions.versions.search.rules.asking import terms_of
from questions.versions.search.rules.excerpts import excerpt, is_marked, says_all

PER_PAGE = 25
"""Arbitrary; bounded by the 30 kB of a page."""


@dataclass(frozen=True)
class QuestionList:
    """A list of questions; ``is_cut`` if more match a search than are listed."""

    page: Page
    numbers: list[int | str]
    lines: list[QuestionLine]
    total: int
    is_cut: bool = False


def question_list(exam: Exam, filters: Mapping[str, Any], number: str) -> QuestionList:
    """The questions of an exam that pass the filters; two queries."""
    rows, text, kept = filtered(exam, filters), filters.get("q", ""), kept_counts(exam)
    if text.split():
        return list_of(hits(terms_of(text), rows), number, lambda ids: lines_of_hits(ids, text))
    ordered = rows.annotate(unit=unit_number()).order_by("unit", "number").select_related("live_version__domain")
    among = _counted(exam, ordered, filters, kept) if kept else ordered
    return _paged(among, number, lambda page: question_lines(page, exam))


@dataclass(frozen=True)
class Counted(Sequence[Question]):
    """Rows that needn't be counted, because their number is known; if it's the whole list, so is their order. ``first``
    are as many ids as are known."""

    exam: Exam
    rows: QuerySet[Question]
    n: int
    is_whole: bool
    first: Sequence[int] = ()

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, place: Any) -> Any:
        """A page's slice."""
        if self.is_whole:
            return self._in_order(kept_order(self.exam, place.start, place.stop))
        if min(place.stop, self.n) <= len(self.first):
            return self._in_order(self.first[place])
        return self._in_order(list(self.rows.values_list("pk", flat=True)[place]))

    def _in_order(self, ids: Sequence[int]) -> list[Question]:
        """Not with the filter's conditions: SQLite would collect all questions with a concept again."""
        rows = public_questions().filter(exam=self.exam)
        return in_order(rows.select_related("live_version__domain"), ids)


def _counted(exam: Exam, rows: QuerySet[Question], filters: Mapping[str, Any], kept: Counts) -> Counted:
    """The rows with what is known about them. Those with a concept and other filters are few enough to list."""
    asked = {name: values for name, values in filters.items() if values and name != "q"}
    if "concept" not in asked:
        if "domain" in asked:
            asked["domain"] = list(exam.domains.filter(key__in=asked["domain"]).values_list("pk", flat=True))
        n, first = kept.with_columns(asked)
        return Counted(exam, rows, n, is_whole=not asked, first=first)
    known = _of_concept(exam, asked, kept)
    if known is None:
        ids = list(rows.values_list("pk", flat=True))
        known = len(ids), ids
    return Counted(exam, rows, known[0], is_whole=False, first=known[1])


def _of_concept(exam: Exam, asked: Mapping[str, Any], kept: Counts) -> tuple[int, Sequence[int]] | None:
    """What is known if the only filter is one concept."""
    if len(asked) > 1 or len(asked["concept"]) > 1:
        return None
    named = Concept.objects.filter(domain__exam=exam, key=asked["concept"][0]).values_list("pk", flat=True).first()
    return kept.with_concept(named) if named else None


def filtered(exam: Exam, filters: Mapping[str, Any]) -> QuerySet[Question]:
    """The public questions with these domains, difficulties, kinds and concepts; empty filters are ignored."""
    rows = public_questions().filter(exam=exam)
    fields = {"domain": "domain__key", "difficulty": "difficulty", "kind": "kind"}
    for name, path in fields.items():
        if filters.get(name):
            rows = rows.filter(**{f"live_version__{path}__in": filters[name]})
    if filters.get("concept"):
        tagged = Concept.objects.filter(domain__exam=exam, key__in=filters["concept"])
        versions = QuestionVersion.concepts.through.objects.filter(concept__in=tagged).values("questionversion")
        rows = rows.filter(live_version__in=versions)
    return rows


def list_of(found: Hits, number: str, lines: Callable[[list[int]], list[QuestionLine]]) -> QuestionList:
    """A page of hits, in order; ``lines`` reads the page's lines."""
    return replace(_paged(found.questions, number, lambda page: lines(list(page))), is_cut=found.is_cut)


def lines_of_hits(questions: list[int], asked: str) -> list[QuestionLine]:
    """Lines for these questions with excerpts for the search; one query."""
    entries = entries_of(questions)
    lines, family = [], None
    for pk in questions:
        if pk not in entries:
            continue
        row, entry = entries[pk]
        lines += [_told(line, entry, asked) for line in question_lines([row], row.exam, family)]
        family = row.live_version.family_id if row.live_version else None
    return lines


def _told(line: QuestionLine, entry: SearchEntry, asked: str) -> QuestionLine:
    """Adds an excerpt of the prompt, and of the solution if the prompt doesn't contain all the search words."""
    if not asked:
        return line
    behind = [] if says_all(f"{entry.title} {entry.prompt}", asked) else excerpt(entry.solution, asked)
    shown = excerpt(entry.prompt, asked)
    return replace(line, excerpt=tuple(shown), spoiler=tuple(behind) if is_marked(behind) else ())


def _paged(
    rows: QuerySet[Question] | Sequence[int] | Counted, number: str, lines: Callable[[Page], list[QuestionLine]]
) -> QuestionList:
    pages = Paginator(rows, PER_PAGE)
    page = pages.get_page(number)
    numbers = list(pages.get_elided_page_range(page.number, on_each_side=1, on_ends=1))
    return QuestionList(page, numbers, lines(page), pages.count)
