"""Item statistics for editors: a list of what was measured, a page for each question, possible miskeys, coverage."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import F, FloatField, QuerySet
from django.db.models.functions import Cast, NullIf
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.html import format_html
from django.utils.safestring import SafeString

from questions.catalogue.models import Domain
from questions.templatetags.figures import decimals, median_time, percent
from questions.versions.admin import draft_address, key_in
from questions.versions.models.drafts import Difficulty
from questions.versions.statistics.models import VersionStatistics
from questions.versions.statistics.reads.coverage import bank_coverage
from questions.versions.statistics.reads.figures import figures_of, measured_versions, question_statistics, radar
from questions.versions.statistics.reads.picture import exam_picture

FOLDER = "admin/questions/versionstatistics"
FACILITY = Cast(F("right"), FloatField()) / NullIf(F("n"), 0)


class DomainFilter(admin.RelatedFieldListFilter):
    """Every domain with its exam's name, read at once."""

    def field_choices(self, field: Any, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        """One query, however many domains."""
        return [(str(domain.pk), str(domain)) for domain in Domain.objects.select_related("exam")]


@admin.register(VersionStatistics)
class VersionStatisticsAdmin(admin.ModelAdmin):
    """Read-only, for people who can view version statistics; shows keys, including those of reserved questions."""

    list_display = ["question", "n", "facility", "discrimination", "median", "flags"]
    list_filter = ["version__question__exam", ("version__domain", DomainFilter), "version__pool", "version__difficulty"]
    list_per_page = 50
    ordering = ["-n", "version"]
    search_fields = ["version__title", "version__question__key"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[VersionStatistics]:
        return measured_versions()

    def get_urls(self) -> list[URLPattern]:
        """Our pages, before Django's own, whose URL pattern would match them."""
        guard = self.admin_site.admin_view
        return [
            path("radar/", guard(self.radar_page), name="questions_versionstatistics_radar"),
            path("coverage/", guard(self.coverage_page), name="questions_versionstatistics_coverage"),
            path("picture/", guard(self.picture_page), name="questions_versionstatistics_pictures"),
            path("picture/<slug:slug>/", guard(self.picture_page), name="questions_versionstatistics_picture"),
            path("question/<int:question_id>/", guard(self.question_page), name="questions_versionstatistics_question"),
            *super().get_urls(),
        ]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Counts come from answers."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: VersionStatistics | None = None) -> bool:
        """Counts are rebuilt, not edited."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: VersionStatistics | None = None) -> bool:
        """Counts are rebuilt, not edited."""
        return False

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        """The page of the version's question, instead of a form."""
        self._refuse_strangers(request)
        row = get_object_or_404(VersionStatistics.objects.select_related("version"), pk=key_in(object_id))
        return redirect("admin:questions_versionstatistics_question", row.version.question_id)

    def question_page(self, request: HttpRequest, question_id: int) -> HttpResponse:
        """The figures of one question, version by version."""
        self._refuse_strangers(request)
        page = question_statistics(question_id)
        if page is None:
            raise Http404
        title = f"{page.question.exam.code} {page.question.number or 'reserved'}: {page.question.title}"
        return self._page(request, "question", title, page=page, draft_url=draft_address(question_id))

    def radar_page(self, request: HttpRequest) -> HttpResponse:
        """The questions with a distractor that looks like the key, strongest evidence first."""
        self._refuse_strangers(request)
        return self._page(request, "radar", "Possible miskeys", page=radar())

    def coverage_page(self, request: HttpRequest) -> HttpResponse:
        """The bank compared with what the blueprints need."""
        self._refuse_strangers(request)
        labels = [difficulty.label for difficulty in Difficulty]
        return self._page(request, "coverage", "Bank coverage", exams=bank_coverage(), difficulties=labels)

    def picture_page(self, request: HttpRequest, slug: str = "") -> HttpResponse:
        """The difficulty and discrimination of all questions of an exam; the first exam by default."""
        self._refuse_strangers(request)
        page = exam_picture(slug)
        if page is None:
            raise Http404
        return self._page(request, "picture", f"{page.exam.code}: discrimination and facility", page=page)

    @admin.display(description="question", ordering="version__question")
    def question(self, row: VersionStatistics) -> SafeString:
        """Exam, number if it has one, version and title."""
        version = row.version
        number = version.question.number or "reserved"
        return format_html("{} {}, version {}: {}", version.question.exam.code, number, version.number, version.title)

    @admin.display(description="right", ordering=FACILITY)
    def facility(self, row: VersionStatistics) -> str:
        figures = figures_of(row)
        if not figures.n:
            return percent(figures.facility)
        return f"{percent(figures.facility)} ({percent(figures.low)} to {percent(figures.high)})"

    @admin.display(description="discrimination")
    def discrimination(self, row: VersionStatistics) -> str:
        figures = figures_of(row)
        return f"{decimals(figures.discrimination)} ± {decimals(figures.error)}"

    @admin.display(description="median time")
    def median(self, row: VersionStatistics) -> str:
        """The median time per answer."""
        return median_time(figures_of(row).seconds)

    @admin.display(description="flags", empty_value="")
    def flags(self, row: VersionStatistics) -> str:
        return ", ".join(figures_of(row).flags)

    def _refuse_strangers(self, request: HttpRequest) -> None:
        if not self.has_view_permission(request):
            raise PermissionDenied

    def _page(self, request: HttpRequest, name: str, title: str, **context: Any) -> HttpResponse:
        everywhere = {**self.admin_site.each_context(request), "opts": self.opts, "title": title}
        return TemplateResponse(request, f"{FOLDER}/{name}.html", {**everywhere, **context})
