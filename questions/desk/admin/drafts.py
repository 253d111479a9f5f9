"""Publishing or deleting drafts together: a preview first, then all of them or none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone

from courseiva.common.texts.plain_text import PlainText
from questions.desk.admin.editor import FOLDER
from questions.desk.errors import NotPublishable, Older
from questions.desk.many.drafts import delete_drafts, release_together
from questions.desk.many.reads import with_families
from questions.desk.many.rules import MOST_AT_ONCE
from questions.desk.publish import Publishing
from questions.desk.reads.editor import published_draft
from questions.lint.reads import known_names, with_pictures_of
from questions.lint.rules import BASIC, DRAFT, FULL, Completeness, completeness
from questions.versions.errors import NotNow
from questions.versions.models.drafts import Question
from questions.versions.models.versions import Change
from questions.versions.reads.drafts import draft_of
from questions.versions.rules.draft_diff import FieldChange, changes

MOST_SHOWN = 50
"""Differences are computed for each draft shown; beyond this number, the page only names the drafts."""


class PublishForm(forms.Form):
    """The kind of change for readers; doesn't apply to first versions."""

    change = forms.ChoiceField(
        label="Type of change", choices=[(c.value, c.label.capitalize()) for c in Change if c != Change.FIRST],
        initial=Change.SEMANTIC, widget=forms.RadioSelect,
        help_text="For questions that are live already. A wording change keeps the statistics.",
    )  # fmt: skip
    basic = forms.BooleanField(
        label="Publish incomplete ones as basic questions", required=False,
        help_text="In drills and on their pages, not in mock exams.",
    )  # fmt: skip
    text = PlainText(
        label="Note for the pages’ changelogs", required=False, max_length=4000,
        widget=forms.Textarea(attrs={"rows": 2}),
    )  # fmt: skip


@dataclass(frozen=True)
class Line:
    """A draft compared with its live version, if any, and how complete it is.

    One that wasn't chosen is in the family of one that was, and is published with it.
    """

    question: Question
    changes: list[FieldChange]
    complete: Completeness
    is_chosen: bool


def publish(request: HttpRequest, queryset: QuerySet[Question], around: dict[str, Any]) -> HttpResponse | None:
    """Publish drafts in review; None once done, or if it can't be done."""
    form = PublishForm(request.POST if "apply" in request.POST else None)
    if form.is_valid():
        by: Any = request.user
        data = form.cleaned_data
        try:
            what = Publishing(Change(data["change"]), data["text"], data["basic"])
            done = release_together(_bases(request), what, by, timezone.now())
        except (NotNow, NotPublishable, Older) as error:
            messages.error(request, str(error), error.code)
        else:
            messages.success(request, f"{len(done)} published.", "published")
        return None
    questions = list(queryset.select_related("exam").order_by("pk")[: MOST_AT_ONCE + 1])
    lines = _lines({each.pk for each in questions[:MOST_AT_ONCE]})
    levels = Counter(line.complete.level for line in lines)
    context = {"title": "Publish drafts", "button": "Publish all of them", "form": form, "lines": lines}
    context |= {"levels": [(level, levels[level]) for level in (FULL, BASIC, DRAFT) if levels[level]]}
    return _ask(request, "publish_all", questions, {**around, **context})


def delete(request: HttpRequest, queryset: QuerySet[Question], around: dict[str, Any]) -> HttpResponse | None:
    """Delete drafts that were never published; None once done, or if it can't be done."""
    if "apply" in request.POST:
        try:
            count = delete_drafts(_bases(request))
        except (NotNow, Older) as error:
            messages.error(request, str(error), error.code)
        else:
            messages.success(request, f"{count} deleted.", "deleted")
        return None
    questions = list(queryset.select_related("exam").order_by("pk")[: MOST_AT_ONCE + 1])
    context: dict[str, Any] = {"title": "Delete drafts", "button": "Delete all of them", "form": None, "lines": []}
    return _ask(request, "delete_all", questions, {**around, **context})


def _ask(
    request: HttpRequest, action: str, questions: Sequence[Question], context: dict[str, Any]
) -> HttpResponse | None:
    if len(questions) > MOST_AT_ONCE:
        too_many = NotNow("too-many-at-once", limit=MOST_AT_ONCE)
        messages.error(request, str(too_many), too_many.code)
        return None
    hidden = [("action", action), ("apply", "1")]
    for each in questions:
        hidden += [(ACTION_CHECKBOX_NAME, str(each.pk)), (f"base-{each.pk}", str(each.revision))]
    return TemplateResponse(
        request, f"{FOLDER}/bulk_drafts.html", {**context, "action": action, "questions": questions, "hidden": hidden}
    )


def _bases(request: HttpRequest) -> dict[int, int]:
    """By question, the revision that was shown; an impossible one if the field is invalid."""
    bases = {}
    for text in request.POST.getlist(ACTION_CHECKBOX_NAME)[:MOST_AT_ONCE]:
        revision = request.POST.get(f"base-{text}", "")
        if text.isdecimal() and len(text) < 10:
            bases[int(text)] = int(revision) if revision.isdecimal() and len(revision) < 10 else -1
    return bases


def _lines(chosen: Set[int]) -> list[Line]:
    """The differences of only the first few; completeness for all. A sibling with the text it has live is left out."""
    questions = with_families(chosen)
    known = {exam.pk: known_names(exam) for exam in {each.exam for each in questions}}
    lines: list[Line] = []
    for each in questions:
        draft, is_chosen = draft_of(each), each.pk in chosen
        found = _changes(each) if len(lines) < MOST_SHOWN else []
        if is_chosen or found or each.live_version_id is None or len(lines) >= MOST_SHOWN:
            complete = completeness(draft, with_pictures_of(known[each.exam_id], draft))
            lines.append(Line(each, found, complete, is_chosen))
    return lines


def _changes(question: Question) -> list[FieldChange]:
    if question.live_version_id is None:
        return []
    return changes(published_draft(question.live_version_id), draft_of(question))
