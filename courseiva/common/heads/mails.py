"""Email headers."""

from __future__ import annotations


def leaving_headers(address: str) -> dict[str, str]:
    """Headers that let mail programs offer one-click unsubscribe at this address (RFC 8058)."""
    return {"List-Unsubscribe": f"<{address}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
