"""Who is simulated: the demo's people, recognised by an address nobody can have (RFC 2606 reserves ``.example``)."""

from __future__ import annotations

from django.conf import settings
from django.db.models import Q

DOMAIN = "demo.courseiva.example"


def counts(path: str) -> Q:
    """The condition for people who count, by the address at this path: outside the demo, simulated ones don't."""
    return Q() if settings.DEMO else people(path)


def people(path: str) -> Q:
    """The condition that the person with the address at this path isn't simulated; somebody without an address
    isn't."""
    return ~Q(**{f"{path}__endswith": f"@{DOMAIN}"}) | Q(**{f"{path}__isnull": True})
