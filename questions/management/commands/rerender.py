"""``manage.py rerender``: rebuild the derived HTML of every version and study module."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from questions.catalogue.models import StudyModule
from questions.desk.publish import rerender
from questions.modules.load import rerender_module
from questions.versions.models.versions import QuestionVersion


class Command(BaseCommand):
    """Facts don't change; only what is derived from them is rebuilt."""

    help = "Rebuild the sanitised HTML of all versions and study modules from their text."

    def handle(self, *args: Any, **options: Any) -> None:
        """Go through all rows without holding them in memory."""
        count = 0
        for version in QuestionVersion.objects.select_related("hint", "solution").iterator(chunk_size=200):
            rerender(version)
            count += 1
        modules = list(StudyModule.objects.all())
        for module in modules:
            rerender_module(module)
        self.stdout.write(f"{count} versions and {len(modules)} study modules rendered.")
