"""Time zones: the one a learner chose, else the one their browser reported, else UTC."""

from __future__ import annotations

import datetime as dt
import zoneinfo
from functools import cache

from practice.learners.models import Learner

REGIONS = (
    "Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"
)  # fmt: skip
"""Prefixes of the names people would look for; the others ("GB", "Etc/GMT+5", "US/Central") are old aliases."""


@cache
def zone_names() -> frozenset[str]:
    """Every name known here. Cached, because finding them walks a folder."""
    return frozenset(zoneinfo.available_timezones())


def is_zone(name: str) -> bool:
    return name in zone_names()


def zone_of(learner: Learner | None, told: str = "") -> dt.tzinfo:
    """A learner's time zone. ``told`` is what the browser sent with this request, unchecked."""
    names = (learner.chosen_zone, told, learner.time_zone) if learner else (told,)
    return zoneinfo.ZoneInfo(next((name for name in names if is_zone(name)), "UTC"))


@cache
def zone_choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """The names to choose from as (region, [(name, the rest of it in words)]), and UTC last."""
    groups = []
    for region in REGIONS:
        names = sorted(name for name in zone_names() if name.startswith(f"{region}/"))
        groups.append((region, [(name, _in_words(name)) for name in names]))
    return [*groups, ("Other", [("UTC", "UTC")])]


def _in_words(name: str) -> str:
    """As in "Argentina, Buenos Aires"."""
    return name.partition("/")[2].replace("_", " ").replace("/", ", ")
