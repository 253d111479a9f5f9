from __future__ import annotations

from typing import Any

from django.db import transaction

from questions.catalogue.models import Blueprint, Domain, Exam, Objective
from questions.catalogue.rules.outline_file import Outline

FACTS = ("logistics", "outline_sources", "changed")
ROW = ("domain_id", "parent__number", "place", "number", "name", "words", "products")


def store_outline(exam: Exam, outline: Outline) -> str:
    """Store the outline for the blueprint; returns new, changed or unchanged."""
    blueprint = exam.blueprints.get(key=outline.blueprint)
    domains = {domain.key: domain for domain in exam.domains.all()}
    facts = {
        "logistics": outline.logistics,
        "outline_sources": [source.facts() for source in outline.sources],
        "changed": outline.changed,
    }
    rows = _rows(outline, domains)
    stored = list(blueprint.objectives.values_list(*ROW))
    numbers = {section.domain: section.number for section in outline.sections}
    printed = dict(blueprint.domains.values_list("domain__key", "number"))
    # Compared first, because replacing gives every objective a new id, and most loads change no outline.
    if stored == rows and printed == numbers and all(getattr(blueprint, name) == facts[name] for name in FACTS):
        return "unchanged"
    with transaction.atomic():
        for key, number in numbers.items():
            blueprint.domains.filter(domain=domains[key]).update(number=number)
        Blueprint.objects.filter(pk=blueprint.pk).update(**facts)
        _replace(blueprint, rows)
    return "changed" if stored else "new"


def _rows(outline: Outline, domains: dict[str, Domain]) -> list[tuple[Any, ...]]:
    lines = [(domains[section.domain].pk, line) for section in outline.sections for line in section.objectives]
    return [
        (domain, line.parent or None, place, line.number, line.name, line.words, list(line.products))
        for place, (domain, line) in enumerate(lines)
    ]


def _replace(blueprint: Blueprint, rows: list[tuple[Any, ...]]) -> None:
    """Only points refer to objectives (questions name them by number), so all can be recreated."""
    blueprint.objectives.all().delete()
    made: dict[str, Objective] = {}
    for of_points in (False, True):  # a point needs its objective's id
        fresh = [
            Objective(
                blueprint=blueprint, domain_id=domain, parent=made.get(parent), place=place,
                number=number, name=name, words=words, products=products,
            )
            for domain, parent, place, number, name, words, products in rows
            if (parent is not None) == of_points
        ]  # fmt: skip
        made |= {each.number: each for each in Objective.objects.bulk_create(fresh)}
