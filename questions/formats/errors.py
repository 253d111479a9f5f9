"""What can go wrong before an import or export begins."""

from __future__ import annotations

from questions.versions.errors import QuestionsError


class ImportRefused(QuestionsError):
    """An import or export that can't start: unknown exam or domain. ``said`` is a finding, like those in files."""

    def __init__(self, said: str, code: str = "") -> None:
        super().__init__(code)
        self.said = said

    def __str__(self) -> str:
        return self.said
