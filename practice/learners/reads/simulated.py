"""Who is simulated: people of the demo, told by an address that nobody can have (RFC 2606 keeps ``.example`` free)."""

from __future__ import annotations

from django.conf import settings
from django.db.models import Q

DOMAIN = "demo.courseiva.example"


def counts(path: str) -> Q:
    """The condition, by the address at this path, that people count: outside the demo the simulated ones do not."""
    return Q() if settings.DEMO else ~Q(**{f"{path}__endswith": f"@{DOMAIN}"}) | Q(**{f"{path}__isnull": True})
