"""Figures for the statistics pages; an undefined one is a dash."""

from __future__ import annotations

import math

from django import template

from questions.versions.statistics.models import SECONDS_BINS

register = template.Library()
NOTHING = "–"  # noqa: RUF001 - a dash, in a cell of a table


@register.filter
def percent(share: float | None) -> str:
    """As "64%"."""
    return NOTHING if share is None else f"{share:.0%}"


@register.filter
def decimals(figure: float | None, places: int = 2) -> str:
    """As "0.31", with a real minus sign."""
    return NOTHING if figure is None else f"{figure:.{places}f}".replace("-", "\u2212")


@register.filter
def median_time(seconds: float | None) -> str:
    """The median as "84 s", or "more than" the last bin's edge."""
    if seconds is None:
        return NOTHING
    return f"more than {SECONDS_BINS[-1]} s" if math.isinf(seconds) else f"{seconds:.0f} s"
