"""``manage.py rebuild_analytics``: delete everything derived from answers, and recompute it."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from practice.readiness.derive.rebuild import rebuild_analytics


class Command(BaseCommand):
    """Safe to run at any time; calibrations are kept."""

    help = "Rebuild item statistics, predictions, standings and review cards from the answers."

    def handle(self, *args: Any, **options: Any) -> None:
        """Rebuild, and say for how many learners."""
        self.stdout.write(f"{rebuild_analytics(timezone.now())} learners rebuilt.")
