"""The sections of study modules, and which of them teach what a marked question asks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from django.core.cache import cache
from django.db.models import Q, QuerySet
from django.urls import reverse

from courseiva.common.heads.structured_data import plain_text
from courseiva.common.quick.statements import composed_once
from courseiva.common.rich_text import ANY_TAG
from questions.catalogue.models import WORDS_A_MINUTE, Exam, StudyModule
from questions.versions.reads.breakdowns import Breakdown

Made = TypeVar("Made")
MOST = 2
"""They are listed under a mistake, where nobody would work through five."""
OUTLINE_KEPT = 3600
"""Seconds. Reading all modules' texts just to list sections is too much."""


@dataclass(frozen=True)
class Outline:
    """A module without its texts: each section's anchor, title and minutes. A module without sections counts as one."""

    pk: int
    domain_id: int
    number: int
    url: str
    sections: tuple[tuple[str, str, int], ...]


@dataclass(frozen=True)
class Taught:
    """A section of a module, or a whole module if no section is named, and its reading time."""

    name: str
    section: str
    url: str
    minutes: int


def taught_in(exam: Exam, breakdowns: Mapping[int, Breakdown]) -> dict[int, list[Taught]]:
    """By the same keys, the sections each question names, at most two; else its domain's modules.

    One query, plus another if a module isn't cached: no page reads modules' texts for this.
    """
    named = {key: _named(each) for key, each in breakdowns.items()}
    slugs = {slug for places in named.values() for slug, _ in places}
    domains = {breakdowns[key].domain_id for key, places in named.items() if not places}
    modules = _signposts(exam, _named_modules(exam.pk, slugs, domains)) if slugs or domains else {}
    found = {}
    for key, places in named.items():
        ofdomain = [(slug, "") for slug, each in modules.items() if each.domain_id == breakdowns[key].domain_id]
        chosen = [place for place in places if place[0] in modules] or ofdomain
        found[key] = [modules[slug].to(anchor) for slug, anchor in chosen[:MOST]]
    return found


@dataclass(frozen=True)
class _Signpost:
    """A module with the name and minutes of each of its sections, by anchor."""

    domain_id: int
    whole: Taught
    sections: Mapping[str, tuple[str, int]]

    def to(self, anchor: str) -> Taught:
        if anchor not in self.sections:
            return self.whole
        section, minutes = self.sections[anchor]
        return Taught(self.whole.name, section, f"{self.whole.url}#{anchor}", minutes)


@composed_once
def _named_modules(exam: int, slugs: Collection[str], domains: Collection[int]) -> QuerySet[StudyModule, Any]:
    among = Q(slug__in=slugs) | Q(domain__in=domains)
    return StudyModule.objects.filter(among, exam=exam).values(
        "pk", "domain_id", "number", "slug", "title", "words", "loaded_digest"
    )


def _signposts(exam: Exam, rows: list[dict[str, Any]]) -> dict[str, _Signpost]:
    kept = _of_texts({row["pk"]: signpost_key(row["pk"], row["loaded_digest"]) for row in rows}, _section_names)
    return {
        row["slug"]: _Signpost(
            row["domain_id"],
            Taught(
                f"{row['number']} {row['title']}",
                "",
                reverse("module", args=[exam.slug, row["number"], row["slug"]]),
                max(1, round(row["words"] / WORDS_A_MINUTE)),
            ),
            kept.get(row["pk"], {}),
        )
        for row in rows
    }


def signpost_key(module_id: int, digest: str) -> str:
    """The cache key for a module's section names, for a file with this digest."""
    return f"signpost:{module_id}:{digest}"


def outline_key(module_id: int, digest: str) -> str:
    """The cache key for a module's sections, for a file with this digest."""
    return f"outline:{module_id}:{digest}"


def outlines(exam: Exam) -> list[Outline]:
    """The exam's modules in order; one query, plus another if a module isn't cached."""
    rows = list(exam.modules.values("pk", "domain_id", "number", "slug", "words", "loaded_digest"))
    kept = _of_texts({row["pk"]: outline_key(row["pk"], row["loaded_digest"]) for row in rows}, _outline)
    return [
        Outline(
            row["pk"],
            row["domain_id"],
            row["number"],
            reverse("module", args=[exam.slug, row["number"], row["slug"]]),
            kept.get(row["pk"], ()),
        )
        for row in rows
    ]


def _of_texts(keys: Mapping[int, str], made: Callable[[StudyModule], Made]) -> dict[int, Made]:
    """The derived data of each module's text, by module: from the cache, else from the rows, in one query."""
    kept = cache.get_many(keys.values())
    missing = [pk for pk, key in keys.items() if key not in kept]
    if missing:
        rows = StudyModule.objects.filter(pk__in=missing).defer("body", "notebook")
        found = {keys[module.pk]: made(module) for module in rows}
        cache.set_many(found, OUTLINE_KEPT)
        kept |= found
    return {pk: kept[key] for pk, key in keys.items() if key in kept}


def _outline(module: StudyModule) -> tuple[tuple[str, str, int], ...]:
    """The module's minutes are shared among its sections by words, including those in boxes and tables."""
    words = [_words(each["parts"]) for each in _sections(module)]
    shares = [max(1, round(module.minutes * count / (sum(words) or 1))) for count in words]
    if not words:
        return (("", module.title, module.minutes),)
    named = zip(_sections(module), shares, strict=True)
    return tuple((each["anchor"], plain_text(each["title"]), minutes) for each, minutes in named)


def _named(breakdown: Breakdown) -> list[tuple[str, str]]:
    parts = (each.partition("#") for each in breakdown.modules)
    return [(slug, anchor) for slug, _, anchor in parts]


def _section_names(module: StudyModule) -> dict[str, tuple[str, int]]:
    return {
        each["anchor"]: (f"section {int(each['number'])}: {plain_text(each['title'])}", _minutes(each["parts"]))
        for each in _sections(module)
    }


def _sections(module: StudyModule) -> Iterable[dict[str, Any]]:
    return module.html.get("sections", []) if module.html else []


def _minutes(parts: Iterable[dict[str, Any]]) -> int:
    return max(1, round(_words(parts) / WORDS_A_MINUTE))


def _words(parts: Iterable[dict[str, Any]]) -> int:
    return sum(len(ANY_TAG.sub(" ", part.get("html", "")).split()) for part in parts)
