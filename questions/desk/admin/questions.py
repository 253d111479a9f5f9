"""The editors' list of questions, and the URLs of the editor pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.views.main import ChangeList
from django.contrib.auth.models import AbstractBaseUser
from django.db.models import F, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_POST

from questions.desk import decide as desk
from questions.desk.admin import acts, drafts, editor, home, together, variants
from questions.desk.admin.filters import (
    AuthorFilter,
    BatchFilter,
    ConceptFilter,
    DiscriminationFilter,
    FacilityFilter,
    HealthFilter,
    LiveFilter,
    ObjectiveFilter,
    RecheckFilter,
    ReportsFilter,
    ReviewedFilter,
    WorkFilter,
)
from questions.desk.errors import NotPublishable, Older
from questions.desk.reads.editor import DESK, PUBLISH, draft_named
from questions.desk.reads.editor_list import questions_to_edit, rows_to_edit
from questions.desk.reads.search import found_by
from questions.templatetags.figures import NOTHING, decimals, percent
from questions.versions.admin import key_in
from questions.versions.errors import NotNow
from questions.versions.models.drafts import Desk, Question
from questions.versions.rules.draft_diff import changes
from questions.versions.statistics.admin import DomainFilter

EDITS = acts.EDIT
MOST_NAMED = 5
"""Each is a red line above the list, and usually they all say the same."""


class DayForm(forms.Form):
    day = forms.DateField(
        label="Re-check after", required=False, widget=forms.DateInput(attrs={"type": "date"}),
        help_text="Leave empty to remove the date.",
    )  # fmt: skip


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label="Why", widget=forms.Textarea(attrs={"rows": 3}), error_messages={"required": "Give a reason."},
        help_text="Recorded in each question’s history.",
    )  # fmt: skip


class QuestionList(ChangeList):
    """Finds the page's questions first, then reads the expensive columns only for those."""

    def get_results(self, request: HttpRequest) -> None:
        """Find the page, then read it."""
        super().get_results(request)
        found = list(self.result_list.values_list("pk", flat=True))
        rows = {row.pk: row for row in rows_to_edit(found)}
        self.result_list = [rows[pk] for pk in found if pk in rows]


@admin.register(Question)
class QuestionAdmin(admin.ModelAdmin):
    """People who can change questions see them all; nobody can delete one."""

    list_display = [
        "name", "code", "live", "draft", "domain_number", "level", "open_reports", "right", "separates", "reviewed",
        "recheck",
    ]  # fmt: skip
    list_display_links = ["name"]
    list_filter = [
        WorkFilter, LiveFilter, "desk", "exam", ("domain", DomainFilter), ConceptFilter, ObjectiveFilter, AuthorFilter,
        BatchFilter, "difficulty", "pool", ReportsFilter, FacilityFilter, DiscriminationFilter, HealthFilter,
        ReviewedFilter, RecheckFilter,
    ]  # fmt: skip
    list_per_page = 25
    # Django shows the search field if this isn't empty; ``get_search_results`` does the searching.
    search_fields = ["title"]
    search_help_text = "Words, number, concept or objective"
    ordering = [F("changed_at").desc(nulls_last=True), "-pk"]
    actions = [
        "edit_all", "submit_all", "submit_basic_all", "publish_all", "set_recheck", "withdraw_all",
        "put_back_all", "delete_all", "export_all",
    ]  # fmt: skip
    show_full_result_count = False

    def action_checkbox(self, obj: Question) -> SafeString:
        """Django's own, without a template for each row."""
        return format_html(
            '<input type="checkbox" name="{}" value="{}" class="action-select" aria-label="{}">',
            ACTION_CHECKBOX_NAME, obj.pk, f"Select {obj}",
        )  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[Question]:
        return questions_to_edit(super().get_queryset(request))

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        """The list that reads its columns for just one page."""
        return QuestionList

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Question], search_term: str
    ) -> tuple[QuerySet[Question], bool]:
        return found_by(queryset, search_term), False

    def get_urls(self) -> list[URLPattern]:
        """Our pages, before Django's own, whose URL pattern would match them."""
        guard = self.admin_site.admin_view
        pages: list[tuple[str, Callable[..., HttpResponse], str]] = [
            ("desk/", self.desk_page, "desk"),
            ("desk/sources/", self.sources_page, "sources"),
            ("desk/mail/", require_POST(self.desk_mail), "desk_mail"),
            ("replace/", self.replace_page, "replace"),
            ("together/<int:change_id>/", self.together_page, "change_together"),
            ("look/", require_POST(self.look), "look"),
            ("preview/<str:shape>/", self.preview, "preview"),
            ("<int:question_id>/preview/<str:shape>/", self.preview, "preview_of"),
            ("<int:question_id>/act/<str:name>/", require_POST(self.act), "act"),
            ("<int:question_id>/compare/", self.compare, "compare"),
            ("<int:question_id>/variant/", self.variant, "variant"),
        ]
        return [
            *(path(route, guard(view), name=f"questions_question_{name}") for route, view, name in pages),
            *super().get_urls(),
        ]

    def has_module_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(EDITS)

    def has_view_permission(self, request: HttpRequest, obj: Question | None = None) -> bool:
        """Only people who can change questions: the page shows the answers, including reserved ones."""
        return request.user.has_perm(EDITS)

    def has_delete_permission(self, request: HttpRequest, obj: Question | None = None) -> bool:
        """A question is retired, not deleted."""
        return False

    def has_publish_permission(self, request: HttpRequest) -> bool:
        """Whether they can publish other people's drafts."""
        return request.user.has_perm(PUBLISH)

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Without the admin's sidebar: this list needs the space."""
        return super().changelist_view(request, {"is_nav_sidebar_enabled": False, **(extra_context or {})})

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        editor.refuse(self.has_add_permission(request) and self.has_change_permission(request))
        work = editor.begin_work(None, (request.POST or request.GET).get("exam", ""))
        return (editor.save if request.method == "POST" else editor.show)(request, work, self._around(request))

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        editor.refuse(self.has_change_permission(request))
        work = editor.begin_work(_question(object_id))
        return (editor.save if request.method == "POST" else editor.show)(request, work, self._around(request))

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        """The history is on the page itself."""
        editor.refuse(self.has_view_permission(request))
        return redirect(f"{editor.address_of(_question(object_id).pk)}#history")

    def desk_page(self, request: HttpRequest) -> HttpResponse:
        """What is waiting for this editor."""
        editor.refuse(self.has_view_permission(request))
        return home.home(request, self._around(request))

    def sources_page(self, request: HttpRequest) -> HttpResponse:
        """Cited pages that are gone."""
        editor.refuse(self.has_view_permission(request))
        return home.sources(request, self._around(request))

    def desk_mail(self, request: HttpRequest) -> HttpResponse:
        """The switch for the desk's emails."""
        editor.refuse(self.has_view_permission(request))
        return home.mail(request)

    def replace_page(self, request: HttpRequest) -> HttpResponse:
        """Find and replace in many drafts."""
        editor.refuse(self.has_change_permission(request))
        return together.replace(request, self._around(request))

    def together_page(self, request: HttpRequest, change_id: int) -> HttpResponse:
        """A change to several questions, and the review of it."""
        editor.refuse(self.has_change_permission(request))
        return together.review(request, change_id, self._around(request))

    def look(self, request: HttpRequest) -> HttpResponse:
        """The checks and the preview of what is typed."""
        editor.refuse(self.has_change_permission(request))
        given = request.POST.get("question", "")
        work = editor.begin_work(_question(given) if given else None, request.POST.get("exam", ""))
        return editor.look(request, work)

    def preview(self, request: HttpRequest, shape: str, question_id: int | None = None) -> HttpResponse:
        editor.refuse(self.has_change_permission(request))
        return editor.preview(request, shape, question_id)

    def act(self, request: HttpRequest, question_id: int, name: str) -> HttpResponse:
        editor.refuse(self.has_change_permission(request))
        return acts.act(request, question_id, name)

    def variant(self, request: HttpRequest, question_id: int) -> HttpResponse:
        """A variant of this question."""
        editor.refuse(self.has_add_permission(request) and self.has_change_permission(request))
        return variants.beside(request, question_id, self._around(request))

    def compare(self, request: HttpRequest, question_id: int) -> HttpResponse:
        """Two versions, or a version and the desk, word by word."""
        editor.refuse(self.has_view_permission(request))
        question = editor.question_or_404(question_id)
        numbers = [str(n) for n in question.versions.order_by("number").values_list("number", flat=True)]
        names = [request.GET.get(side, default) for side, default in (("old", (numbers or [DESK])[-1]), ("new", DESK))]
        old, new = (draft_named(question, name) for name in names)
        if old is None or new is None:
            raise Http404
        context = {"question": question, "names": [*numbers, DESK], "old": names[0], "new": names[1]}
        context |= {"changes": changes(old, new), "title": f"Changes: {question.title or question.key}"}
        return TemplateResponse(request, f"{editor.FOLDER}/compare.html", {**self._around(request), **context})

    @admin.action(description="Change details of several…", permissions=["change"])
    def edit_all(self, request: HttpRequest, queryset: QuerySet[Question]) -> HttpResponse | None:
        """Domain, concepts, objectives, difficulty, pool and sources' dates, as one change that somebody reviews."""
        return together.edit(request, queryset, "edit_all", self._around(request))

    @admin.action(description="Publish…", permissions=["publish"])
    def publish_all(self, request: HttpRequest, queryset: QuerySet[Question]) -> HttpResponse | None:
        return drafts.publish(request, queryset, self._around(request))

    @admin.action(description="Delete unpublished drafts…", permissions=["change"])
    def delete_all(self, request: HttpRequest, queryset: QuerySet[Question]) -> HttpResponse | None:
        return drafts.delete(request, queryset, self._around(request))

    @admin.action(description="Set the re-check date…", permissions=["change"])
    def set_recheck(self, request: HttpRequest, queryset: QuerySet[Question]) -> HttpResponse | None:
        form = DayForm(request.POST if "apply" in request.POST else None)
        if form.is_valid():
            count = desk.recheck_after(queryset.values_list("pk", flat=True), form.cleaned_data["day"])
            self.message_user(request, f"Re-check date set for {count} question{'s'[: count != 1]}.")
            return None
        return self._ask(request, queryset, form, "set_recheck", "Set the re-check date")

    @admin.action(description="Withdraw…", permissions=["change"])
    def withdraw_all(self, request: HttpRequest, queryset: QuerySet[Question]) -> HttpResponse | None:
        form = ReasonForm(request.POST if "apply" in request.POST else None)
        if form.is_valid():
            reason = form.cleaned_data["reason"]
            if "propose" in request.POST:
                return together.withdraw(request, queryset, reason)
            self._each(
                request, queryset, "withdrawn", lambda row: desk.withdraw(row.pk, _by(request), timezone.now(), reason)
            )
            return None
        return self._ask(request, queryset, form, "withdraw_all", "Withdraw")

    @admin.action(description="Put back in use", permissions=["change"])
    def put_back_all(self, request: HttpRequest, queryset: QuerySet[Question]) -> None:
        """Restore several withdrawn questions together."""
        self._each(request, queryset, "back in use", lambda row: desk.put_back(row.pk, _by(request), timezone.now()))

    @admin.action(description="Submit for review", permissions=["change"])
    def submit_all(self, request: HttpRequest, queryset: QuerySet[Question]) -> None:
        """Submit for review each draft that passes the checks."""
        self._each(
            request, queryset, "sent for review",
            lambda row: desk.submit(row.pk, row.revision, _by(request), timezone.now()),
        )  # fmt: skip

    @admin.action(description="Submit for review, incomplete ones as basic questions", permissions=["change"])
    def submit_basic_all(self, request: HttpRequest, queryset: QuerySet[Question]) -> None:
        """The same, requiring less of each."""
        self._each(
            request, queryset, "sent for review",
            lambda row: desk.submit(row.pk, row.revision, _by(request), timezone.now(), basic=True),
        )  # fmt: skip

    @admin.action(description="Export as a spreadsheet…", permissions=["change"])
    def export_all(self, request: HttpRequest, queryset: QuerySet[Question]) -> HttpResponse:
        """Ask for the format; the page passes the questions on to the export."""
        pks = list(queryset.order_by("pk").values_list("pk", flat=True))
        context = {"title": "Export questions", "count": len(pks), "ids": ",".join(map(str, pks))}
        return TemplateResponse(request, f"{editor.FOLDER}/export.html", {**self._around(request), **context})

    @admin.display(description="title", ordering="title")
    def name(self, question: Question) -> str:
        """The title, or the permanent name if there is none yet."""
        return question.title or question.key

    @admin.display(description="exam", ordering="number")
    def code(self, question: Question) -> str:
        """The exam, and the public number if it has one."""
        return f"{question.exam.code} {question.number or ''}".strip()

    @admin.display(description="live", ordering="live_version__number")
    def live(self, question: Question) -> str:
        """The version's number, or why none is in use."""
        if question.retired_at:
            return "retired"
        version = question.live_version
        if version is None:
            return NOTHING
        if question.withdrawn_at:
            return "withdrawn"
        return f"v{version.number}, basic" if version.is_basic else f"v{version.number}"

    @admin.display(description="draft", ordering="desk")
    def draft(self, question: Question) -> str:
        return NOTHING if question.desk == Desk.NOTHING else question.get_desk_display()

    @admin.display(description="dom.", ordering="domain__number")
    def domain_number(self, question: Question) -> int:
        """Just the number, to save space; the filter has the names."""
        return question.domain.number

    @admin.display(description="difficulty, pool", ordering="difficulty")
    def level(self, question: Question) -> str:
        """Difficulty and pool."""
        return f"{question.get_difficulty_display()}, {question.get_pool_display()}"

    @admin.display(description="reports", ordering="reports_open", empty_value="")
    def open_reports(self, question: Any) -> int | None:
        return question.reports_open or None

    @admin.display(description="right", ordering="facility")
    def right(self, question: Any) -> str:
        """The share of first answers that were right, and their number."""
        return f"{percent(question.facility)} of {question.answers}" if question.answers else percent(None)

    @admin.display(description="disc.", ordering="discrimination")
    def separates(self, question: Any) -> str:
        return decimals(question.discrimination)

    @admin.display(description="checked", ordering="reviewed_on")
    def reviewed(self, question: Any) -> str:
        """The day its facts were last checked against a source."""
        return f"{question.reviewed_on:%d %b %y}" if question.reviewed_on else NOTHING

    @admin.display(description="re-check", ordering="recheck_after")
    def recheck(self, question: Question) -> str:
        """The day, and whether it has come."""
        day = question.recheck_after
        if day is None:
            return NOTHING
        return f"{day:%d %b %y}{', due' if day <= timezone.localdate() else ''}"

    def _around(self, request: HttpRequest) -> dict[str, Any]:
        return {**self.admin_site.each_context(request), "opts": self.opts, "is_nav_sidebar_enabled": False}

    def _each(
        self, request: HttpRequest, queryset: QuerySet[Question], done: str, do: Callable[[Question], object]
    ) -> None:
        """Do it to each question, and report the ones that failed with the reason."""
        count, refused = 0, []
        for question in queryset.order_by("pk"):
            try:
                do(question)
            except (NotNow, NotPublishable, Older) as error:
                refused.append(f"{question.key}: {error}")
            else:
                count += 1
        if count:
            self.message_user(request, f"{count} question{'s'[: count != 1]} {done}.")
        for line in refused[:MOST_NAMED]:
            self.message_user(request, line, messages.ERROR)
        if len(refused) > MOST_NAMED:
            self.message_user(request, f"{len(refused) - MOST_NAMED} more were left unchanged.", messages.ERROR)

    def _ask(
        self, request: HttpRequest, queryset: QuerySet[Question], form: forms.Form, action: str, title: str
    ) -> HttpResponse:
        context = {"form": form, "action": action, "title": title, "questions": queryset, "tick": ACTION_CHECKBOX_NAME}
        return TemplateResponse(request, f"{editor.FOLDER}/bulk.html", {**self._around(request), **context})


def _question(text: str) -> Question:
    return editor.question_or_404(key_in(text))


def _by(request: HttpRequest) -> AbstractBaseUser:
    return cast(AbstractBaseUser, request.user)
