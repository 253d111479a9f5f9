"""``manage.py rebuild_search``: throw the search index away and make it again."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from questions.versions.search.index import rebuild
from questions.versions.search.trigrams import make_trigrams


class Command(BaseCommand):
    """Nothing is lost by it: the index is made of the published texts alone."""

    help = "Rebuild the search index from the published questions, the concepts and the study modules."

    def handle(self, *args: Any, **options: Any) -> None:
        """Rebuild, and say so where typing errors are forgiven less well for want of pg_trgm."""
        has_trigrams = make_trigrams()
        self.stdout.write(f"{rebuild()} questions and study modules indexed.")
        if not has_trigrams:
            self.stdout.write("pg_trgm is missing: see “Search” in docs/operating.md.")
