"""How often moderators agreed with each rule."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Q

from discussion.comments.models.comments import Hit, State
from discussion.screening.rules.parts import REASONS


@dataclass(frozen=True)
class RuleRecord:
    """For the comments in which a rule found something: how many were decided, were removed, are waiting."""

    rule: str
    reason: str
    decided: int
    removed: int
    waiting: int

    @property
    def precision(self) -> float | None:
        """The share of decided ones that were removed; None if nothing is decided."""
        return self.removed / self.decided if self.decided else None


def records_of_rules() -> list[RuleRecord]:
    """One per rule, in list order. A comment held for two reasons counts under both."""
    decided = Q(comment__state_by__isnull=False) & ~Q(comment__state=State.HELD)
    removed = decided & Q(comment__state__in=[State.REMOVED, State.SPAM])
    rows = Hit.objects.values("rule").annotate(
        decided=Count("comment", filter=decided, distinct=True),
        removed=Count("comment", filter=removed, distinct=True),
        waiting=Count("comment", filter=Q(comment__state=State.HELD, comment__deleted_at=None), distinct=True),
    )
    counts = {row["rule"]: (row["decided"], row["removed"], row["waiting"]) for row in rows}
    return [RuleRecord(rule, reason, *counts.get(rule, (0, 0, 0))) for rule, reason in REASONS.items()]
