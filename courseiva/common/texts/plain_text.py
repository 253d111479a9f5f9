"""Text that people type: the same form field everywhere."""

from __future__ import annotations

from typing import Any

from django import forms


class PlainText(forms.CharField):
    """Text whose line breaks count as one character each, as in the browser."""

    def to_python(self, value: Any) -> str:
        """Remove the carriage returns that browsers add."""
        return super().to_python((value or "").replace("\r\n", "\n")) or ""
