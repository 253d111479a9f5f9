"""The filters of the editors' list of questions."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

from django.contrib import admin
from django.contrib.auth import get_user_model
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.text import Truncator

from questions.catalogue.models import Concept, Objective
from questions.desk.models import DeskEntry
from questions.desk.reads.editor_list import naming
from questions.desk.reads.worklists import FIGURES, HEALTH, alarms, lists_of, waiting
from questions.versions.models.drafts import Question
from questions.versions.statistics.health.rules import AT_MOST

MONTH = dt.timedelta(days=30)
SHORT = 40
"""The filters are in a narrow column, where longer names would wrap to three lines."""
MOST_DIGITS = 10
"""Nine digits at most, so that a number typed into an address fits a key column of either database."""
MOST_PEOPLE = 30
"""As many as one would pick from a list. Larger teams find people through the history."""
MOST_BATCHES = 20
"""The latest imports are what somebody works through; older ones have pages of their own."""
NONE = "none"
NUMBER = re.compile(r"[\w.-]{1,10}")  # the form of an objective's number in outlines
WORK_LISTS = {
    "review": "waiting for my review",
    "sent_back": "sent back to me",
    "drafts": "my drafts",
    "withdrawn": "withdrawn, being checked",
    "miskeys": "possible miskeys",
    "health": "figures that stand out",
    "recheck": "due for re-checking",
}


class Bands(admin.SimpleListFilter):
    """A filter whose choices are conditions that depend on today."""

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(key, label) for key, label, _ in self.bands(timezone.localdate())]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Question]) -> QuerySet[Question]:
        for key, _, condition in self.bands(timezone.localdate()):
            if self.value() == key:
                return queryset.filter(condition)
        return queryset

    def bands(self, today: dt.date) -> list[tuple[str, str, Q]]:
        raise NotImplementedError


def chosen_exam(request: HttpRequest) -> int | None:
    """The exam selected in the list's filter."""
    exam = request.GET.get("exam__id__exact", "")
    return int(exam) if exam.isdecimal() and len(exam) < MOST_DIGITS else None


class WorkFilter(admin.SimpleListFilter):
    """The work lists of the desk's home, for this user."""

    title, parameter_name = "work list", "work"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(name, WORK_LISTS[name]) for name in lists_of(request.user)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Question]) -> QuerySet[Question]:
        name = self.value()
        if name is None:
            return queryset
        if name not in lists_of(request.user):
            return queryset.none()
        return queryset.filter(waiting(name, request.user, timezone.localdate()))


class OfExam(admin.SimpleListFilter):
    """A filter that offers choices once an exam is selected, and always applies what the URL says."""

    def has_output(self) -> bool:
        return super().has_output() or self.value() is not None


class ObjectiveFilter(OfExam):
    """An objective in the selected exam's current guide, with its points: without an exam, a number says little."""

    title, parameter_name = "objective", "objective"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        exam = chosen_exam(request)
        if exam is None:
            return []
        rows = Objective.objects.filter(blueprint__is_current=True, blueprint__exam=exam, parent=None)
        return [*((each.number, Truncator(str(each)).chars(SHORT)) for each in rows), (NONE, "none named")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Question]) -> QuerySet[Question]:
        number = self.value()
        if number is None:
            return queryset
        if number == NONE:
            return queryset.filter(objectives=[])
        return naming(queryset, number) if NUMBER.fullmatch(number) else queryset.none()


class ConceptFilter(OfExam):
    """A concept of the selected exam; across all exams there are hundreds."""

    title, parameter_name = "concept", "concept"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        exam = chosen_exam(request)
        if exam is None:
            return []
        concepts = Concept.objects.filter(domain__exam=exam).select_related("domain")
        return [(str(each.pk), f"{each.domain.number} {each.name}") for each in concepts.order_by("domain", "name")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Question]) -> QuerySet[Question]:
        concept = self.value() or ""
        if not concept.isdecimal() or len(concept) >= MOST_DIGITS:
            return queryset
        return queryset.filter(pk__in=Question.objects.filter(concepts=int(concept)).values("pk"))


class BatchFilter(OfExam):
    """Questions changed by an import: one of the exam's latest, or the one linked from an import's page."""

    title, parameter_name = "import", "batch"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        exam, chosen = chosen_exam(request), self.value() or ""
        if exam is None and not chosen:
            return []
        rows = Question.objects.filter(batch_entries__isnull=False)
        rows = rows.filter(exam=exam) if exam else rows.filter(batch_entries__batch=_id(chosen))
        facts = rows.order_by("-batch_entries__batch").values_list(
            "batch_entries__batch", "batch_entries__batch__source"
        )
        return [(str(pk), Truncator(source).chars(SHORT)) for pk, source in facts.distinct()[:MOST_BATCHES]]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Question]) -> QuerySet[Question]:
        batch = self.value()
        if batch is None:
            return queryset
        return queryset.filter(pk__in=Question.objects.filter(batch_entries__batch=_id(batch)).values("pk"))


class AuthorFilter(admin.SimpleListFilter):
    """People who worked on the current draft, or acted on the question before."""

    title, parameter_name = "contributor", "author"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        staff: Any = get_user_model()._default_manager.filter(is_staff=True)
        names = {each.pk: each.get_full_name() for each in staff.order_by("pk")[:MOST_PEOPLE]}
        others = [(str(pk), name) for pk, name in names.items() if pk != request.user.pk]
        return [(str(request.user.pk), "me"), *others]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Question]) -> QuerySet[Question]:
        author = self.value() or ""
        if not author.isdecimal() or len(author) >= MOST_DIGITS:
            return queryset
        acted = DeskEntry.objects.filter(by=int(author)).values("question")
        wrote = Question.objects.filter(authors=int(author)).values("pk")
        return queryset.filter(Q(pk__in=acted) | Q(pk__in=wrote))


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
        """Five bands, and questions without answers."""
        edges = [("0", 0.0, 0.3), ("30", 0.3, 0.5), ("50", 0.5, 0.7), ("70", 0.7, 0.9), ("90", 0.9, 1.01)]
        bands = [
            (key, f"{low:.0%} to {min(high, 1):.0%}", Q(facility__gte=low, facility__lt=high))
            for key, low, high in edges
        ]
        return [*bands, ("unknown", "no answers", Q(facility=None))]


class DiscriminationFilter(Bands):
    title, parameter_name = "discrimination", "discrimination"

    def bands(self, today: dt.date) -> list[tuple[str, str, Q]]:
        """Four bands, and undefined."""
        return [
            ("negative", "below 0", Q(discrimination__lt=0)),
            ("weak", "0 to 0.1", Q(discrimination__gte=0, discrimination__lt=0.1)),
            ("fair", "0.1 to 0.3", Q(discrimination__gte=0.1, discrimination__lt=0.3)),
            ("good", "0.3 or more", Q(discrimination__gte=0.3)),
            ("unknown", "unknown", Q(discrimination=None)),
        ]


class HealthFilter(admin.SimpleListFilter):
    """Which health figure stands out, for people who may see statistics."""

    title, parameter_name = "figure that stands out", "health"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(name, name) for name in AT_MOST] if request.user.has_perm(FIGURES) else []

    def queryset(self, request: HttpRequest, queryset: QuerySet[Question]) -> QuerySet[Question]:
        name = self.value()
        if name not in AT_MOST or not request.user.has_perm(FIGURES):
            return queryset
        return queryset.filter(pk__in=[alarm.question_id for alarm in alarms(HEALTH) if name in alarm.called])


class ReviewedFilter(Bands):
    """When its facts were last checked against a source."""

    title, parameter_name = "sources last checked", "reviewed"

    def bands(self, today: dt.date) -> list[tuple[str, str, Q]]:
        quarter, half, year = (today - months * MONTH for months in (3, 6, 12))
        return [
            ("3", "in the last 3 months", Q(reviewed_on__gt=quarter)),
            ("6", "3 to 6 months ago", Q(reviewed_on__lte=quarter, reviewed_on__gt=half)),
            ("12", "6 to 12 months ago", Q(reviewed_on__lte=half, reviewed_on__gt=year)),
            ("older", "longer ago", Q(reviewed_on__lte=year)),
            ("never", "never (no dated source)", Q(reviewed_on=None)),
        ]


class RecheckFilter(Bands):
    """When it is due for re-checking."""

    title, parameter_name = "re-check", "recheck"

    def bands(self, today: dt.date) -> list[tuple[str, str, Q]]:
        """Due, soon, later, or no day set."""
        return [
            ("due", "due", Q(recheck_after__lte=today)),
            ("month", "within a month", Q(recheck_after__gt=today, recheck_after__lte=today + MONTH)),
            ("later", "later", Q(recheck_after__gt=today + MONTH)),
            ("none", "no date", Q(recheck_after=None)),
        ]


def _id(text: str) -> int:
    """The number in a URL; an id that doesn't exist if it isn't a number."""
    return int(text) if text.isdecimal() and len(text) < MOST_DIGITS else 0
