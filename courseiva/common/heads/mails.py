"""What the head of a mail tells mail programs."""

from __future__ import annotations


def leaving_headers(address: str) -> dict[str, str]:
    """Headers by which a mail program offers to end such mails, with one click at this address (RFC 8058)."""
    return {"List-Unsubscribe": f"<{address}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
