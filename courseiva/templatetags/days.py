"""The ``date`` filter of every template, which formats each day once. Available without ``{% load %}``."""

from __future__ import annotations

import datetime as dt
from functools import lru_cache
from typing import Any

from django import template
from django.template.defaultfilters import date as date_of_django

register = template.Library()
OF_A_DAY = frozenset("djDlnmMFyY ,.-/")
"""Format characters whose text depends on the day alone, not on the time or its zone."""
CLOCK = "H:i"
DAYS_KEPT = 4096


@register.filter(expects_localtime=True, is_safe=False)
def date(value: Any, form: str | None = None) -> str:
    """As Django's own: the value in this format, or in the site's for dates."""
    if not isinstance(value, dt.date):
        return date_of_django(value, form)
    if form is None or OF_A_DAY.issuperset(form):
        return _written(value.year, value.month, value.day, form)
    day = form.removesuffix(CLOCK)
    if isinstance(value, dt.datetime) and day != form and day and OF_A_DAY.issuperset(day):
        return f"{_written(value.year, value.month, value.day, day)}{value:%H:%M}"
    return date_of_django(value, form)


@lru_cache(DAYS_KEPT)
def _written(year: int, month: int, day: int, form: str | None) -> str:
    return date_of_django(dt.date(year, month, day), form)
