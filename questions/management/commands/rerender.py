"""``manage.py rerender``: rebuild the derived HTML of every version."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from questions.models import QuestionVersion
from questions.publishing import rerender


class Command(BaseCommand):
    """Versions' facts stay as they are; only what is derived from them is rebuilt."""

    help = "Rebuild the sanitised HTML of all versions from their text."

    def handle(self, *args: Any, **options: Any) -> None:
        """Go through all versions without holding them in memory."""
        count = 0
        for version in QuestionVersion.objects.select_related("hint", "solution").iterator(chunk_size=200):
            rerender(version)
            count += 1
        self.stdout.write(f"{count} versions rendered.")
