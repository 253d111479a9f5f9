"""An exam guide's objectives and points, with the number of questions for each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.urls import reverse

from courseiva.common.heads.links import Link
from questions.catalogue.models import Blueprint, BlueprintDomain, Exam, Objective, StudyModule
from questions.catalogue.rules.outline_file import OutlineSource
from questions.pages.reads.exams import Weight, objectives_address
from questions.versions.reads.objectives import Named, named


@dataclass(frozen=True)
class Line:
    """An objective or a point. Both counts are None if questions use another guide's numbers."""

    objective: Objective
    public: int | None
    reserved: int | None
    taught: list[Link]
    points: list[Line]


@dataclass(frozen=True)
class Section:
    """A domain with its printed name, its study modules, and its objectives."""

    number: str
    name: str
    url: str
    weight: str
    modules: list[Link]
    objectives: list[Line]


@dataclass(frozen=True)
class ObjectivesPage:
    """The outline of one guide. ``naming`` of ``total`` questions name an objective; ``guides`` are the others."""

    exam: Exam
    guide: Blueprint
    guides: list[Link]
    sections: list[Section]
    sources: list[OutlineSource]
    points: int
    naming: int
    total: int

    @property
    def estimates(self) -> bool:
        """Whether learners can have estimates: questions use this guide's objectives."""
        return bool(self.guide.is_current and self.naming)


def objectives_page(exam: Exam, key: str = "") -> ObjectivesPage:
    """The guide with this key, or the current one; five queries. Raises Blueprint.DoesNotExist without an outline."""
    guides = [guide for guide in exam.blueprints.all() if guide.outline_sources]
    guide = next((each for each in guides if (each.key == key if key else each.is_current)), None)
    if guide is None:
        raise Blueprint.DoesNotExist
    live = named(exam)
    objectives = list(guide.objectives.all())
    modules = list(exam.modules.lines())
    lines = _lines(objectives, live if guide.is_current else None, {each.slug: each for each in modules}, exam)
    return ObjectivesPage(
        exam=exam,
        guide=guide,
        guides=[Link(each.name, objectives_address(exam, each)) for each in guides if each != guide],
        sections=[
            _section(row, exam, modules, [line for line in lines if line.objective.domain_id == row.domain_id])
            for row in guide.domains.select_related("domain")
        ],
        sources=[OutlineSource.of(facts) for facts in guide.outline_sources],
        points=len(objectives) - len(lines),
        naming=sum(bool(each.objectives) for each in live),
        total=len(live),
    )


def _section(row: BlueprintDomain, exam: Exam, modules: list[StudyModule], lines: list[Line]) -> Section:
    return Section(
        number=row.number,
        name=row.name,
        url=reverse("domain", args=[exam.slug, row.domain.key]),
        weight=Weight("", row.weight).text,
        modules=[_module_link(each, exam) for each in modules if each.domain_id == row.domain_id],
        objectives=lines,
    )


def _lines(
    rows: Iterable[Objective], live: list[Named] | None, modules: dict[str, StudyModule], exam: Exam
) -> list[Line]:
    """The objectives with their points, in outline order; without counts if ``live`` is None."""
    made: dict[int, Line] = {}
    for row in rows:
        naming = [each for each in live or () if each.is_under(row.number)]
        public = [each for each in naming if each.is_public]
        places = sorted({place for each in public for place in each.modules})
        line = Line(
            objective=row,
            public=None if live is None else len(public),
            reserved=None if live is None else len(naming) - len(public),
            taught=[
                _module_link(modules[slug], exam, anchor)
                for slug, _, anchor in (place.partition("#") for place in places)
                if slug in modules
            ],
            points=[],
        )
        made[row.pk] = line
        if row.parent_id:
            made[row.parent_id].points.append(line)
    return [line for line in made.values() if line.objective.parent_id is None]


def _module_link(module: StudyModule, exam: Exam, anchor: str = "") -> Link:
    address = reverse("module", args=[exam.slug, module.number, module.slug])
    return Link(f"{module.number} {module.title}", f"{address}#{anchor}" if anchor else address)
