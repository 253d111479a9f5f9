"""``manage.py rebuild_search``: delete and rebuild the search index."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from questions.versions.search.index import rebuild
from questions.versions.search.trigrams import make_trigrams


class Command(BaseCommand):
    """Nothing is lost: the index is derived from texts."""

    help = "Rebuild the search index from the published questions, the concepts and the study modules."

    def handle(self, *args: Any, **options: Any) -> None:
        """Rebuild, and say if typo tolerance is limited because pg_trgm is missing."""
        has_trigrams = make_trigrams()
        self.stdout.write(f"{rebuild()} questions and study modules indexed.")
        if not has_trigrams:
            self.stdout.write("pg_trgm is missing: see “Search” in docs/operating.md.")
