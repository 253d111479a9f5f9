"""The search page: questions, concepts and module sections by words, and what to try if there are none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.db.models import Q, QuerySet
from django.urls import reverse

from courseiva.common.heads.links import Link
from questions.catalogue.models import Concept, Exam, GlossaryTerm, StudyModule
from questions.pages.reads.lists import QuestionList, lines_of_hits, list_of
from questions.versions.reads.public import public_questions
from questions.versions.rules.pieces import Piece
from questions.versions.search.models import SearchEntry
from questions.versions.search.reads import Hits, hits, other_entries, probably, without_hits
from questions.versions.search.rules.asking import Term, terms_of
from questions.versions.search.rules.excerpts import excerpt

# Shown beside the questions, which people are usually looking for: a handful of each is useful without pushing those
# down.
NAMES, SECTIONS, TERMS = 10, 5, 5
# A question's number as people write it; numbers longer than the bank will ever have are words.
NUMBER = re.compile(r"(?:question |q|#)? ?(\d{1,6})", re.IGNORECASE)


@dataclass(frozen=True)
class Section:
    """A section of a study module, or a whole module, that contains the search words."""

    link: Link
    excerpt: list[Piece]


@dataclass(frozen=True)
class SearchPage:
    """``instead`` replaced a search without results; ``alone`` are single words that find something."""

    text: str
    questions: QuestionList | None = None
    concepts: tuple[Link, ...] = ()
    sections: tuple[Section, ...] = ()
    products: tuple[Link, ...] = ()
    instead: str = ""
    alone: tuple[Link, ...] = ()

    @property
    def found_nothing(self) -> bool:
        """Whether a search had no results."""
        return self.questions is not None and not (
            self.questions.total or self.concepts or self.sections or self.products
        )


def search_page(text: str, number: str) -> SearchPage:
    """Results containing all words of the text; if there are none, results for the words probably meant."""
    text = " ".join(text.split())
    if not text:
        return SearchPage("")
    page = _found(text, number)
    if not page.found_nothing:
        return page
    terms = terms_of(text)
    missing = without_hits(terms, public_questions())
    instead = probably(text, missing) if missing else ""
    nearest = _found(instead, number) if instead else page
    if not nearest.found_nothing:
        return replace(nearest, text=text, instead=instead)
    alone = [" ".join(term.words) for term in terms if term not in missing and not term.is_excluded]
    links = [Link(words, f"{reverse('search')}?{urlencode({'q': words})}") for words in alone]
    return replace(page, alone=tuple(links) if len(terms) > 1 else ())


def _found(text: str, number: str) -> SearchPage:
    numbered = NUMBER.fullmatch(text)
    if numbered:
        rows = public_questions().filter(number=int(numbered[1])).order_by("exam").values_list("pk", flat=True)
        return SearchPage(text, list_of(Hits(list(rows)), number, lambda ids: lines_of_hits(ids, "")))
    terms = terms_of(text)
    found = hits(terms, public_questions())
    others = other_entries(terms)
    return SearchPage(
        text=text,
        questions=list_of(found, number, lambda ids: lines_of_hits(ids, text)),
        products=tuple(Link(term.name, term.get_absolute_url(), term.former) for term in _products(terms)),
        concepts=tuple(_concept(each.concept) for each in others if each.concept)[:NAMES],
        sections=tuple(_section(each, each.module, text) for each in others if each.module)[:SECTIONS],
    )


def _products(terms: Sequence[Term]) -> QuerySet[GlossaryTerm]:
    """Products whose current or former name contains all words."""
    found = GlossaryTerm.objects.all() if terms else GlossaryTerm.objects.none()
    for term in terms:
        for word in term.words:
            says = Q(name__icontains=word) | Q(former__icontains=word)
            found = found.exclude(says) if term.is_excluded else found.filter(says)
    return found[:TERMS]


def _concept(concept: Concept) -> Link:
    exam: Exam = concept.domain.exam
    return Link(concept.name, reverse("concept", args=[exam.slug, concept.key]), exam.code)


def _section(entry: SearchEntry, module: StudyModule, text: str) -> Section:
    address = reverse("module", args=[module.exam.slug, module.number, module.slug])
    name, where = entry.title, f"{module.exam.code} · {module.number} {module.title}"
    if not entry.anchor:
        return Section(Link(name, address, module.exam.code), excerpt(entry.prompt, text))
    return Section(Link(name, f"{address}#{entry.anchor}", where), excerpt(entry.prompt, text))
