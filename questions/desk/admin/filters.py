"""The filters of the editors' list of questions."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from questions.versions.models.drafts import Question

MONTH = dt.timedelta(days=30)


class Bands(admin.SimpleListFilter):
    """A filter whose choices are conditions, made for today."""

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(key, label) for key, label, _ in self.bands(timezone.localdate())]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Question]) -> QuerySet[Question]:
        for key, _, condition in self.bands(timezone.localdate()):
            if self.value() == key:
                return queryset.filter(condition)
        return queryset

    def bands(self, today: dt.date) -> list[tuple[str, str, Q]]:
        raise NotImplementedError


class LiveFilter(Bands):
    title, parameter_name = "live version", "live"

    def bands(self, today: dt.date) -> list[tuple[str, str, Q]]:
        is_live = Q(live_version__isnull=False)
        return [
            ("nothing", "none yet", Q(live_version=None)),
            ("version", "published", is_live & Q(withdrawn_at=None, retired_at=None)),
            ("withdrawn", "withdrawn", is_live & Q(withdrawn_at__isnull=False, retired_at=None)),
            ("retired", "retired", Q(retired_at__isnull=False)),
        ]


class ReportsFilter(Bands):
    title, parameter_name = "open reports", "reports"

    def bands(self, today: dt.date) -> list[tuple[str, str, Q]]:
        return [("some", "some", Q(reports_open__gt=0)), ("none", "none", Q(reports_open=0))]


class FacilityFilter(Bands):
    title, parameter_name = "percentage right", "facility"

    def bands(self, today: dt.date) -> list[tuple[str, str, Q]]:
        """Five bands, and what nobody answered."""
        edges = [("0", 0.0, 0.3), ("30", 0.3, 0.5), ("50", 0.5, 0.7), ("70", 0.7, 0.9), ("90", 0.9, 1.01)]
        bands = [
            (key, f"{low:.0%} to {min(high, 1):.0%}", Q(facility__gte=low, facility__lt=high))
            for key, low, high in edges
        ]
        return [*bands, ("unknown", "no answers", Q(facility=None))]


class DiscriminationFilter(Bands):
    title, parameter_name = "discrimination", "discrimination"

    def bands(self, today: dt.date) -> list[tuple[str, str, Q]]:
        """Four bands, and what is not defined."""
        return [
            ("negative", "below 0", Q(discrimination__lt=0)),
            ("weak", "0 to 0.1", Q(discrimination__gte=0, discrimination__lt=0.1)),
            ("fair", "0.1 to 0.3", Q(discrimination__gte=0.1, discrimination__lt=0.3)),
            ("good", "0.3 or more", Q(discrimination__gte=0.3)),
            ("unknown", "unknown", Q(discrimination=None)),
        ]


class ReviewedFilter(Bands):
    """When its facts were last held against a source."""

    title, parameter_name = "last reviewed", "reviewed"

    def bands(self, today: dt.date) -> list[tuple[str, str, Q]]:
        quarter, half, year = (today - months * MONTH for months in (3, 6, 12))
        return [
            ("3", "in the last 3 months", Q(reviewed_on__gt=quarter)),
            ("6", "3 to 6 months ago", Q(reviewed_on__lte=quarter, reviewed_on__gt=half)),
            ("12", "6 to 12 months ago", Q(reviewed_on__lte=half, reviewed_on__gt=year)),
            ("older", "longer ago", Q(reviewed_on__lte=year)),
            ("never", "no source", Q(reviewed_on=None)),
        ]


class RecheckFilter(Bands):
    """When it is to be looked at again."""

    title, parameter_name = "re-check", "recheck"

    def bands(self, today: dt.date) -> list[tuple[str, str, Q]]:
        """Due, soon, later, or no day set."""
        return [
            ("due", "due", Q(recheck_after__lte=today)),
            ("month", "within a month", Q(recheck_after__gt=today, recheck_after__lte=today + MONTH)),
            ("later", "later", Q(recheck_after__gt=today + MONTH)),
            ("none", "no date", Q(recheck_after=None)),
        ]
