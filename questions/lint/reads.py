"""The names a question can use in its exam, for lint."""

from __future__ import annotations

import dataclasses

from questions.catalogue.models import Concept, Exam, Objective, StudyModule
from questions.lint.rules import Known
from questions.versions.material.pictures.reads import stored_among
from questions.versions.material.pictures.rules.named import pictures_of
from questions.versions.rules.draft import DraftQuestion


def known_names(exam: Exam) -> Known:
    """The exam's domains, concepts and modules by key, and its outlines' numbers."""
    return Known(
        names={
            "domain": set(exam.domains.values_list("key", flat=True)),
            "concepts": set(Concept.objects.filter(domain__exam=exam).values_list("key", flat=True)),
            "modules": set(StudyModule.objects.filter(exam=exam).values_list("slug", flat=True)),
            "objectives": set(Objective.objects.filter(blueprint__exam=exam).values_list("number", flat=True)),
        }
    )


def with_pictures_of(known: Known, draft: DraftQuestion) -> Known:
    """The same, plus which of the draft's pictures are stored; no query if it has none."""
    return dataclasses.replace(known, pictures=stored_among(pictures_of(draft)))
