"""When a key is wrong: what a correction would change, applying it, and its progress."""

from __future__ import annotations

from typing import Any, cast

from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html

from practice.regrade.apply import Correction, Impact, impact_of, resume
from practice.regrade.forms import RegradeForm
from practice.regrade.propose import confirm, correction_of, drop, propose
from practice.regrade.reads import RegradePage, progress_of, regrade_page, with_reach
from practice.regrade.rules import Progress
from practice.sessions.errors import NotPossible
from practice.sessions.scoring.models import Regrade, RegradeRule
from questions.versions.models.versions import QuestionVersion

FOLDER = "admin/practice/regrade"
IN_FORCE = "Regrade applied. Its progress is shown below."
WORDS = {
    Progress.DONE: "done",
    Progress.RUNNING: "running",
    Progress.WAITING: "waiting for a worker",
    Progress.STALLED: "no worker is running",
    Progress.STOPPED: "stopped",
    Progress.FAILED: "failed",
}
CONTINUED = "Regrade restarted. It continues where it stopped; its progress is shown below."


class DecisionFilter(admin.ChoicesFieldListFilter):
    """The rule, under the name that the list and the form give it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.title = "decision"


@admin.register(Regrade)
class RegradeAdmin(admin.ModelAdmin):
    """A read-only list; a regrade is made on its version's page, and never changed: a newer one replaces it."""

    list_display = [
        "version",
        "progress",
        "decision",
        "reason",
        "proposed_by",
        "made_by",
        "made_at",
        "sessions_changed",
    ]
    list_filter = [("rule", DecisionFilter), "version__question__exam"]
    list_per_page = 50
    search_fields = ["version__title", "reason"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Regrade]:
        return with_reach(super().get_queryset(request))

    def get_urls(self) -> list[URLPattern]:
        """A version's pages, before Django's own, whose URL pattern would match them."""
        guard = self.admin_site.admin_view
        return [
            path("version/<int:version_id>/", guard(self.version_page), name="practice_regrade_new"),
            path("version/<int:version_id>/impact/", guard(self.impact_page), name="practice_regrade_impact"),
            *super().get_urls(),
        ]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Regrades are only added from a version's page."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Regrade | None = None) -> bool:
        """Applied regrades stay on record."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Regrade | None = None) -> bool:
        """Applied regrades stay on record."""
        return False

    @admin.display(description="decision", ordering="rule")
    def decision(self, row: Regrade) -> str:
        """What was decided, under the name that the form gives it."""
        return row.get_rule_display()

    @admin.display(description="proposed by", empty_value="")
    def proposed_by(self, row: Regrade) -> object:
        """Who proposed it; unknown for the oldest."""
        proposal = getattr(row, "proposal", None)
        return proposal and proposal.made_by

    @admin.display(description="sessions changed")
    def sessions_changed(self, row: Regrade) -> int:
        """How many sessions have changed so far."""
        return row.changed  # type: ignore[attr-defined]

    @admin.display(description="progress", ordering="done_at")
    def progress(self, row: Regrade) -> str:
        """How far it has got; one that has stopped links to the page where it can be continued."""
        found = progress_of(row, timezone.now())
        address = reverse("admin:practice_regrade_new", args=[row.version_id])
        return format_html('<a href="{}" data-state="{}">{}</a>', address, found, WORDS[found])

    def version_page(self, request: HttpRequest, version_id: int) -> HttpResponse:
        """Preview a correction, then propose it; another reviewer applies it."""
        if not request.user.has_perm("practice.add_regrade"):
            raise PermissionDenied
        page = _page_or_404(version_id, request)
        form = RegradeForm(page.version, request.POST or None)
        impact = None
        if "decide" in request.POST:
            return self._decided(request, page.version)
        if request.method == "POST" and form.is_valid():
            try:
                if "confirm" in request.POST:
                    return self._asked(request, page.version, form.correction())
                impact = impact_of(page.version, form.correction())
            except NotPossible as refusal:
                form.add_error(None, ValidationError(str(refusal), refusal.code))
        elif page.proposed and request.method == "GET":
            impact = impact_of(page.version, correction_of(page.proposed.proposal))
        return self._page(request, "new", page, form=form, impact=impact)

    def impact_page(self, request: HttpRequest, version_id: int) -> HttpResponse:
        """In one line: what making the options ``slot`` the key would change."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        version = get_object_or_404(QuestionVersion, pk=version_id)
        chosen = tuple(int(slot) for slot in request.GET.getlist("slot") if slot.isdecimal() and len(slot) < 3)
        try:
            impact: Impact | None = impact_of(version, Correction(RegradeRule.OTHER_KEY, (chosen,), "A preview."))
        except NotPossible:
            impact = None
        return TemplateResponse(request, f"{FOLDER}/_impact.html", {"impact": impact})

    def _asked(self, request: HttpRequest, version: QuestionVersion, correction: Correction) -> HttpResponse:
        """Propose; if one person may do both, it is applied at once."""
        by, now = cast(AbstractBaseUser, request.user), timezone.now()
        proposal = propose(version, correction, by, now)
        if settings.PUBLISH_OWN_QUESTIONS:
            confirm(proposal.pk, by, now)
            messages.success(request, IN_FORCE)
        else:
            messages.success(request, "Regrade proposed. Another reviewer has to apply it.")
        return redirect("admin:practice_regrade_new", version.pk)

    def _decided(self, request: HttpRequest, version: QuestionVersion) -> HttpResponse:
        """Apply the open proposal or drop it, or continue a regrade that has stopped."""
        decided = request.POST["decide"]
        try:
            if decided == "continue":
                resume(_id_in(request, "regrade"))
                messages.success(request, CONTINUED)
            elif decided == "confirm":
                confirm(_id_in(request, "proposal"), cast(AbstractBaseUser, request.user), timezone.now())
                messages.success(request, IN_FORCE)
            else:
                drop(_id_in(request, "proposal"), timezone.now())
                messages.success(request, "Proposal withdrawn. Nothing was changed.")
        except NotPossible as refusal:
            messages.error(request, str(refusal), extra_tags=refusal.code)
        return redirect("admin:practice_regrade_new", version.pk)

    def _page(self, request: HttpRequest, name: str, page: RegradePage, **context: Any) -> HttpResponse:
        question = page.version.question
        title = (
            f"Regrade {question.exam.code} question {question.number or '(reserved)'}, version {page.version.number}"
        )
        everywhere = {**self.admin_site.each_context(request), "opts": self.opts, "title": title, "page": page}
        return TemplateResponse(request, f"{FOLDER}/{name}.html", {**everywhere, **context})


def _id_in(request: HttpRequest, field: str) -> int:
    """The id of the row that a button names; 0 if there is none."""
    named = request.POST.get(field, "")
    return int(named) if named.isdecimal() and len(named) < 10 else 0


def _page_or_404(version_id: int, request: HttpRequest) -> RegradePage:
    try:
        return regrade_page(version_id, request.user.pk or 0, timezone.now())
    except QuestionVersion.DoesNotExist:
        raise Http404 from None
