"""Where a page without JavaScript continues once something was stored."""

from __future__ import annotations

from django.urls import reverse

from practice.sessions.models import PracticeSession

IN_SESSION = "session"
"""The value of ``show`` if the chain was in a running session."""


def way_back(session: PracticeSession, position: int, show: str, said: str, part: str) -> str:
    """The question's URL: in its running session, or its page within the same walk."""
    if show == IN_SESSION and session.is_open:
        return f"{session.get_absolute_url()}#q{position}"
    address = reverse("breakdown", args=[session.uuid, position])
    return f"{address}?show={show if show.isalpha() else 'all'}&said={said}#{part}-{position}"
