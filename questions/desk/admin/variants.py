"""The page for starting a variant: in a family, or from a question that isn't in one yet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone

from questions.desk.admin import editor
from questions.desk.errors import Older
from questions.desk.forms.editor import base_of
from questions.desk.forms.family import FirstClauseForm, VariantForm
from questions.desk.many import families
from questions.desk.reads.family import members_of
from questions.versions.errors import NotNow
from questions.versions.models.drafts import Question
from questions.versions.rules.family import template_of

TEMPLATE = "admin/questions/family/variant.html"


@dataclass
class Start:
    """What a variant starts from: a question of the family or the single one, the form, and how to store it."""

    question: Question
    siblings: Sequence[Question]
    stem: str
    form: VariantForm
    store: Callable[[int, dict[str, Any], Any], Question]


def in_family(request: HttpRequest, family_id: int, around: dict[str, Any]) -> HttpResponse:
    """Add a variant to a family."""
    members = members_of(family_id)
    if not members:
        raise Http404
    stem, clauses = template_of(members[0].stem, members[0].clause), [each.clause for each in members]
    form = VariantForm(_typed(request), stem=stem, taken=clauses)

    def store(base: int, typed: dict[str, Any], by: Any) -> Question:
        return families.add_variant(family_id, base, _new(typed), by, timezone.now())

    return _page_or_save(request, Start(members[0], members, stem, form, store), around)


def beside(request: HttpRequest, question_id: int, around: dict[str, Any]) -> HttpResponse:
    """Add a variant to a question that isn't in a family yet; otherwise go to its family's page."""
    question = editor.question_or_404(question_id)
    if question.family_id:
        return redirect("admin:questions_family_variant", question.family_id)
    if question.retired_at:
        raise Http404
    form = FirstClauseForm(_typed(request), stem=question.stem, initial={"key": question.key})

    def store(base: int, typed: dict[str, Any], by: Any) -> Question:
        names = typed["key"], typed["first"]
        return families.add_to_lone(question_id, base, *names, _new(typed), by, timezone.now())

    return _page_or_save(request, Start(question, [], question.stem, form, store), around)


def _page_or_save(request: HttpRequest, start: Start, around: dict[str, Any]) -> HttpResponse:
    base, status = start.question.revision, HTTPStatus.OK
    if request.method == "POST" and start.form.is_valid():
        try:
            question = start.store(base_of(request.POST), start.form.cleaned_data, request.user)
        except Older as error:
            messages.error(request, str(error), error.code)
            base, status = error.question.revision, HTTPStatus.CONFLICT
        except NotNow as error:
            start.form.add_error("key" if error.code == "family-name-taken" else None, str(error))
        else:
            messages.success(request, "Variant added. Now set its key and give the reasons.", "variant-added")
            return redirect(editor.address_of(question.pk))
    elif request.method == "POST" and base_of(request.POST) >= 0:
        base = base_of(request.POST)
    context = {**around, "start": start, "form": start.form, "base": base, "title": "Add a variant"}
    return TemplateResponse(request, TEMPLATE, context, status=status)


def _typed(request: HttpRequest) -> QueryDict | None:
    return request.POST if request.method == "POST" else None


def _new(typed: dict[str, Any]) -> families.NewVariant:
    return families.NewVariant(typed["title"], typed["clause"])
