"""Which sections of the study modules teach what a marked question asks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.urls import reverse

from courseiva.common.rich_text import ANY_TAG
from questions.catalogue.models import WORDS_A_MINUTE, Exam, StudyModule
from questions.versions.reads.breakdowns import Breakdown

MOST = 2


@dataclass(frozen=True)
class Taught:
    """A section of a module, or a module where no section is named, and how long it takes to read."""

    name: str
    section: str
    url: str
    minutes: int


def taught_in(exam: Exam, breakdowns: Mapping[int, Breakdown]) -> dict[int, list[Taught]]:
    """By the same keys the sections each question names, at most two; else the modules of its domain. One statement."""
    named = {key: _named(each) for key, each in breakdowns.items()}
    slugs = {slug for places in named.values() for slug, _ in places}
    domains = {breakdowns[key].domain_id for key, places in named.items() if not places}
    rows = StudyModule.objects.filter(Q(slug__in=slugs) | Q(domain__in=domains), exam=exam).defer("body", "notebook")
    modules = {module.slug: module for module in rows} if slugs or domains else {}
    found = {}
    for key, places in named.items():
        ofdomain = [(m.slug, "") for m in modules.values() if m.domain_id == breakdowns[key].domain_id]
        chosen = [place for place in places if place[0] in modules] or ofdomain
        found[key] = [_taught(exam, modules[slug], anchor) for slug, anchor in chosen[:MOST]]
    return found


def _named(breakdown: Breakdown) -> list[tuple[str, str]]:
    parts = (each.partition("#") for each in breakdown.modules)
    return [(slug, anchor) for slug, _, anchor in parts]


def _taught(exam: Exam, module: StudyModule, anchor: str) -> Taught:
    address = reverse("module", args=[exam.slug, module.number, module.slug])
    name = f"{module.number} {module.title}"
    section = next((each for each in _sections(module) if each["anchor"] == anchor), None)
    if section is None:
        return Taught(name, "", address, module.minutes)
    title = f"section {int(section['number'])}: {ANY_TAG.sub('', section['title'])}"
    return Taught(name, title, f"{address}#{anchor}", _minutes(section["parts"]))


def _sections(module: StudyModule) -> Iterable[dict[str, Any]]:
    return module.html.get("sections", []) if module.html else []


def _minutes(parts: Iterable[dict[str, Any]]) -> int:
    words = sum(len(ANY_TAG.sub(" ", part.get("html", "")).split()) for part in parts)
    return max(1, round(words / WORDS_A_MINUTE))
