"""What staff see of regrades: a version with the key in force, and how far each regrade has come."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, QuerySet

from courseiva.common.masks import slots_of
from practice.sessions.scoring.models import Regrade
from practice.sessions.scoring.reads import keys_in_force
from questions.versions.models.versions import QuestionVersion


@dataclass(frozen=True)
class KeyedOption:
    """An option with how many accepted answers contain it now."""

    slot: int
    html: str
    is_right: bool


@dataclass(frozen=True)
class RegradePage:
    """A version, its options with the key in force, and the regrades it had."""

    version: QuestionVersion
    options: list[KeyedOption]
    is_left_out: bool
    regrades: list[Regrade]


def regrade_page(version_id: int) -> RegradePage:
    """Raises QuestionVersion.DoesNotExist."""
    version = QuestionVersion.objects.select_related("question__exam").get(pk=version_id)
    key = keys_in_force([version.pk])[version.pk]
    right = {slot for mask in key.masks for slot in slots_of(mask)}
    options = [
        KeyedOption(o["slot"], version.options_html[str(o["slot"])], o["slot"] in right) for o in version.options
    ]
    return RegradePage(version, options, not key.masks, list(with_reach(version.regrades.all())))


def with_reach(regrades: QuerySet[Regrade]) -> QuerySet[Regrade]:
    """Regrades with ``changed``, the number of sessions each has changed so far."""
    named = regrades.select_related("version__question__exam", "made_by")
    return named.annotate(changed=Count("notices__session", distinct=True))
