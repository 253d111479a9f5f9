"""What can go wrong before an import or export begins."""

from __future__ import annotations

from questions.versions.errors import QuestionsError


class ImportRefused(QuestionsError):
    """An import or export that cannot begin: no such exam or domain."""
