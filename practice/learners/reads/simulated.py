"""Who is simulated: people of the demo, recognised by an address nobody can have (RFC 2606 reserves ``.example``)."""

from __future__ import annotations

from django.conf import settings
from django.db.models import Q

DOMAIN = "demo.courseiva.example"


def counts(path: str) -> Q:
    """The condition, by the address at this path, that people count: outside the demo the simulated ones do not."""
    return Q() if settings.DEMO else people(path)


def people(path: str) -> Q:
    """The condition that whoever has the address at this path, or has none, isn't simulated."""
    return ~Q(**{f"{path}__endswith": f"@{DOMAIN}"}) | Q(**{f"{path}__isnull": True})
