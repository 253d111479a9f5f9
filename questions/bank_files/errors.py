"""What can go wrong when the bank is loaded."""

from __future__ import annotations

from collections.abc import Sequence

from questions.versions.errors import QuestionsError


class BankRefused(QuestionsError):
    """A bank file that was not stored; ``findings`` are lines for the editor."""

    def __init__(self, findings: Sequence[str]) -> None:
        super().__init__()
        self.findings = list(findings)

    def __str__(self) -> str:
        return "\n".join(self.findings)
