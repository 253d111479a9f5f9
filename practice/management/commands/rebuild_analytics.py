"""``manage.py rebuild_analytics``: everything derived from answers, thrown away and made again."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from practice.readiness.derive.rebuild import rebuild_analytics


class Command(BaseCommand):
    """Safe to run at any time; calibrations are kept."""

    help = "Rebuild item statistics, predictions, standings and review cards from the answers."

    def handle(self, *args: Any, **options: Any) -> None:
        """Run and say how many learners it made anew."""
        self.stdout.write(f"{rebuild_analytics(timezone.now())} learners rebuilt.")
