"""The editors' queue of error reports: people who can change questions answer; nobody edits a reader's words."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.widgets import AdminTextInputWidget
from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.db.models import F, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator

from questions.reports.errors import AlreadyAnswered, ReportRefused
from questions.reports.models import ContentReport, ReportState
from questions.reports.report import Answer, answer_report, complete
from questions.versions.admin import draft_address
from questions.versions.reads.public import public_address

EDITS = "questions.change_question"
KNOWN_ALREADY = "Another reader had already reported this, and we’re dealing with that report. Thank you all the same."
SHORT = 90
"""A line of the list, by which an editor sees whether it's urgent."""
ANSWERS = [(state.value, state.label) for state in ReportState if state != ReportState.OPEN]


class Unlabelled(forms.HiddenInput):
    """The admin renders a label for each field; a hidden field mustn't have one."""

    def id_for_label(self, id_: str | None) -> str | None:  # type: ignore[override]
        """No id, so that no label is rendered."""
        return None


class AnswerForm(forms.ModelForm):
    """The editor's answer. ``seen`` is the number of answers when this page was opened."""

    state = forms.ChoiceField(label="Decision", choices=ANSWERS, widget=forms.RadioSelect)
    seen = forms.IntegerField(widget=Unlabelled)

    class Meta:
        model = ContentReport
        fields = ["state", "outcome", "public_note"]
        widgets = {"public_note": AdminTextInputWidget(attrs={"class": "vLargeTextField"})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["seen"] = self.instance.answers
        help_texts = {
            "outcome": "The reporter reads this: what was done, or why nothing was. Optional for a duplicate.",
            "public_note": "One line for the page’s public changelog. Only for an accepted report.",
        }
        for name, text in help_texts.items():
            self.fields[name].help_text = text

    def clean(self) -> dict[str, Any]:
        """Refuse an incomplete answer, and one to a report that somebody has answered meanwhile."""
        data = super().clean() or {}
        if data.get("seen") != self.instance.answers:
            refusal = AlreadyAnswered(self.instance)
            raise ValidationError(f"{refusal} What you typed is below and hasn’t been saved.", refusal.code)
        if "state" in data:
            try:
                complete(self.answer())
            except ReportRefused as error:
                raise ValidationError(str(error), error.code) from error
        return data

    def _post_clean(self) -> None:
        """Leave the row alone: ``answer_report`` writes it."""

    def answer(self) -> Answer:
        data = self.cleaned_data
        state, outcome = ReportState(data["state"]), data.get("outcome", "")
        if state == ReportState.DUPLICATE:
            outcome = outcome.strip() or KNOWN_ALREADY
        return Answer(state, outcome, data.get("public_note", ""))


@admin.register(ContentReport)
class ContentReportAdmin(admin.ModelAdmin):
    """Open reports first, oldest on top; then answered ones, newest first."""

    form = AnswerForm
    ordering = [F("answered_at").desc(nulls_first=True), "made_at"]
    list_display = ["words", "state", "made_on", "question", "kind", "option", "who"]
    list_filter = ["state", "kind", "version__question__exam", "version__domain"]
    list_per_page = 50
    search_fields = ["text", "outcome", "version__title", "version__question__key", "reporter__display_name"]
    readonly_fields = [
        "question", "is_live", "links", "stem", "option", "kind", "text", "who", "made_at", "answerer", "answered_at",
        "told_at",
    ]  # fmt: skip
    fieldsets = [
        ("The report", {"fields": ["kind", "text", "option", "who", "made_at"]}),
        ("The question", {"fields": ["question", "is_live", "stem", "links"]}),
        ("Your reply", {"fields": ["state", "outcome", "public_note", "seen"]}),
        ("Earlier reply", {"fields": ["answerer", "answered_at", "told_at"]}),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[ContentReport]:
        related = ("version__question__exam", "version__question__live_version", "reporter", "answered_by")
        return super().get_queryset(request).select_related(*related)

    def has_module_permission(self, request: HttpRequest) -> bool:
        """For people who can change questions."""
        return request.user.has_perm(EDITS)

    def has_view_permission(self, request: HttpRequest, obj: ContentReport | None = None) -> bool:
        return request.user.has_perm(EDITS)

    def has_change_permission(self, request: HttpRequest, obj: ContentReport | None = None) -> bool:
        return request.user.has_perm(EDITS)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Reports come from readers."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: ContentReport | None = None) -> bool:
        """Reports and answers are kept."""
        return False

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        """If two editors answer at once, the second sees what the first said, and keeps what they typed."""
        try:
            return super().change_view(request, object_id, *args, **kwargs)
        except AlreadyAnswered as error:
            typed = request.POST.get("outcome", "")
            self.message_user(request, f"{error} Your reply wasn’t saved: “{typed}”.", messages.ERROR)
            return redirect(request.path)

    def save_model(self, request: HttpRequest, obj: ContentReport, form: Any, change: bool) -> None:
        """Answer through the write function; saving without a change does nothing."""
        if form.changed_data:
            by = cast(AbstractBaseUser, request.user)
            answer_report(obj.pk, form.answer(), form.cleaned_data["seen"], by, timezone.now())

    def construct_change_message(self, request: HttpRequest, form: Any, formsets: Any, add: bool = False) -> Any:
        """The history keeps each answer word for word."""
        answer = form.answer()
        return f"{answer.state.label}: {answer.outcome}" if form.changed_data else "No change"

    @admin.display(description="report", ordering="text")
    def words(self, report: ContentReport) -> str:
        return Truncator(report.text).chars(SHORT)

    @admin.display(description="reported on", ordering="made_at")
    def made_on(self, report: ContentReport) -> str:
        """Just the day, to save space in the list."""
        return f"{report.made_at:%d %b %Y}"

    @admin.display(description="question", ordering="version__question")
    def question(self, report: ContentReport) -> str:
        """Exam, number if it has one, version and title as reported."""
        version = report.version
        number = version.question.number or "reserved"
        return f"{version.question.exam.code} {number}, version {version.number}: {version.title}"

    @admin.display(description="still live", boolean=True)
    def is_live(self, report: ContentReport) -> bool:
        """Whether no newer version has been published since."""
        return report.version.question.live_version_id == report.version_id

    @admin.display(description="option")
    def option(self, report: ContentReport) -> str:
        """The text of the option it is about."""
        return Truncator(report.option_text).chars(SHORT * 3) or "the question as a whole"

    @admin.display(description="stem")
    def stem(self, report: ContentReport) -> SafeString:
        return mark_safe(report.version.stem_html)  # noqa: S308 - was made safe when it was published

    @admin.display(description="reporter", ordering="reporter__display_name")
    def who(self, report: ContentReport) -> str:
        """The name others see; never the address."""
        return report.reporter.public_name if report.reporter else "a guest"

    @admin.display(description="replied by")
    def answerer(self, report: ContentReport) -> str:
        return report.answered_by.public_name if report.answered_by else "-"

    @admin.display(description="pages")
    def links(self, report: ContentReport) -> SafeString | str:
        """Links to its draft and its public page, if they exist."""
        pages = [
            ("Draft", draft_address(report.version.question_id)),
            ("Public page", public_address(report.version, report.version.question)),
        ]
        return format_html_join(" · ", '<a href="{}">{}</a>', ((url, name) for name, url in pages if url)) or "-"
