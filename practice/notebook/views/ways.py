"""Where a page without script goes on once something was kept."""

from __future__ import annotations

from django.urls import reverse

from practice.sessions.models import PracticeSession

IN_SESSION = "session"
"""What ``show`` says where the chain stood in a running session."""


def way_back(session: PracticeSession, position: int, show: str, said: str, part: str) -> str:
    """The address of the question it was kept on: in its running session, else its page within the same walk."""
    if show == IN_SESSION and session.is_open:
        return f"{session.get_absolute_url()}#q{position}"
    address = reverse("breakdown", args=[session.uuid, position])
    return f"{address}?show={show if show.isalpha() else 'all'}&said={said}#{part}-{position}"
