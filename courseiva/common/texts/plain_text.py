"""Text that people type: one form field, the same everywhere."""

from __future__ import annotations

from typing import Any

from django import forms


class PlainText(forms.CharField):
    """Text whose line ends count as one character each, as the browser counts them."""

    def to_python(self, value: Any) -> str:
        """Without the carriage returns that forms are sent with."""
        return super().to_python((value or "").replace("\r\n", "\n")) or ""
