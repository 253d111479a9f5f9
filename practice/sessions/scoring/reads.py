"""Which selections are right: the version's own key, or its newest regrade's."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from courseiva.common.quick.statements import composed_once
from practice.sessions.scoring.models import RegradeRule
from practice.sessions.scoring.rules import is_right
from questions.versions.models.versions import Solution


@dataclass(frozen=True)
class Key:
    """A question's right selections, as masks; none if it is left out of the score.

    ``everyone``: any selection, even an empty one, is marked right; ``masks`` is then the version's own key.
    """

    question: int
    masks: tuple[int, ...]
    everyone: bool = False
    is_regraded: bool = False

    def mark(self, selected: int) -> bool | None:
        """Right, wrong, or None for a question left out of the score."""
        if self.everyone:
            return True
        return any(is_right(selected, mask) for mask in self.masks) if self.masks else None


def keys_in_force(versions: Iterable[int]) -> dict[int, Key]:
    """By version id, in one query: a version without regrades has one row, others have the newest last."""
    found = {}
    for version, question, mask, rule, masks in _rows(set(versions)):
        everyone = rule == RegradeRule.FULL_MARKS
        is_own = rule is None or everyone
        found[version] = Key(question, (mask,) if is_own else tuple(masks), everyone, is_regraded=rule is not None)
    return found


@composed_once
def _rows(versions: Collection[int]) -> QuerySet[Solution, Any]:
    regrade = "version__regrades__"
    rows = Solution.objects.filter(version_id__in=versions).order_by(f"{regrade}made_at", f"{regrade}pk")
    return rows.values_list("version_id", "version__question", "key_mask", f"{regrade}rule", f"{regrade}masks")
