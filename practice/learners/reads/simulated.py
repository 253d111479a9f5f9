"""Who is simulated: people of the demo, recognised by an address nobody can have (RFC 2606 reserves ``.example``)."""

from __future__ import annotations

from django.conf import settings
from django.db.models import Q

DOMAIN = "demo.courseiva.example"


def counts(path: str) -> Q:
    """The condition that a person counts, by the address at this path: outside the demo, simulated people don't."""
    return Q() if settings.DEMO else ~Q(**{f"{path}__endswith": f"@{DOMAIN}"}) | Q(**{f"{path}__isnull": True})
