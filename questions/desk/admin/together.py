"""Pages for changing several questions together: the change, its diff, and the review by somebody else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone

from questions.catalogue.models import Exam
from questions.desk.admin.editor import FOLDER
from questions.desk.forms.many import FactsForm, ReplaceForm
from questions.desk.many.change import Proposal, apply, decline, propose
from questions.desk.many.reads import Preview, preview, preview_of, questions_for, saying, with_families
from questions.desk.many.rules import MOST_AT_ONCE, Recipe, Withdrawal
from questions.desk.models import BulkChange, ChangeState
from questions.desk.reads.editor import PUBLISH, choices_of
from questions.versions.errors import NotNow
from questions.versions.models.drafts import Question
from questions.versions.models.versions import Change

PROPOSED = "Sent for review. Nothing changes until someone else applies it."
SEND, CHANGE_PAGE = "send", "admin:questions_question_change_together"


def edit(
    request: HttpRequest, queryset: QuerySet[Question], action: str, around: dict[str, Any]
) -> HttpResponse | None:
    """New facts for the selected questions; None, with a message, if they can't be changed together."""
    ids = list(queryset.order_by("pk").values_list("pk", flat=True)[: MOST_AT_ONCE + 1])
    questions = with_families(ids)
    if problem := _not_together(questions, len(ids)):
        messages.error(request, str(problem), problem.code)
        return None
    form = FactsForm(choices_of(questions[0].exam), request.POST if "apply" in request.POST else None)
    hidden = [("action", action), ("apply", "1"), *((ACTION_CHECKBOX_NAME, str(pk)) for pk in ids)]
    context = {"title": "Change several questions", "form": form, "hidden": hidden, "chosen": len(questions)}
    if not form.is_valid():
        return _page(request, {**around, **context})
    recipe = form.recipe()
    return _look_or_send(request, Change.TYPO, recipe, questions, {**around, **context})


def replace(request: HttpRequest, around: dict[str, Any]) -> HttpResponse:
    """Find and replace in all drafts of an exam."""
    exams = {exam.slug: exam for exam in Exam.objects.listed()}
    names = [(slug, exam.code) for slug, exam in exams.items()]
    form = ReplaceForm(names, request.POST if request.method == "POST" else None)
    context = {**around, "title": "Find and replace", "form": form, "hidden": []}
    if not form.is_valid():
        return _page(request, context)
    data = form.cleaned_data
    questions = saying(exams[data["exam"]], data["find"])
    return _look_or_send(request, Change(data["change"]), form.recipe(), questions, context)


def withdraw(request: HttpRequest, queryset: QuerySet[Question], why: str) -> HttpResponse | None:
    """Propose withdrawing the selected questions; None, with a message, if that isn't possible."""
    by: Any = request.user
    ids = list(queryset.order_by("pk").values_list("pk", flat=True)[: MOST_AT_ONCE + 1])
    recipe = Withdrawal()
    seen = preview(questions_for(recipe, ids), recipe).seen
    try:
        sent = propose(Proposal(recipe, Change.TYPO, why), ids, seen, by, timezone.now())
    except NotNow as error:
        messages.error(request, str(error), error.code)
        return None
    messages.success(request, PROPOSED, "proposed")
    return redirect(CHANGE_PAGE, sent.pk)


def review(request: HttpRequest, change_id: int, around: dict[str, Any]) -> HttpResponse:
    """A waiting change with its diff, or the outcome of a decided one."""
    change = BulkChange.objects.select_related("made_by", "decided_by").filter(pk=change_id).first()
    if change is None:
        raise Http404
    if request.method == "POST":
        return _decide(request, change)
    waits = change.state == ChangeState.WAITING
    context = {
        "title": "Change to several questions",
        "change": change,
        "preview": preview_of(change) if waits else None,
        "questions": None if waits else change.questions.select_related("exam").order_by("pk"),
        "is_own": change.made_by_id == request.user.pk,
        "may_apply": request.user.has_perm(PUBLISH),
    }
    return TemplateResponse(request, f"{FOLDER}/together_review.html", {**around, **context})


def _decide(request: HttpRequest, change: BulkChange) -> HttpResponse:
    by: Any = request.user
    said, now = request.POST.get("text", "")[:4000], timezone.now()
    wants_it = request.POST.get("decision") == "apply"
    if not by.has_perm(PUBLISH) and (wants_it or change.made_by_id != by.pk):
        raise PermissionDenied
    try:
        if wants_it:
            apply(change.pk, request.POST.get("seen", ""), by, now, said)
        else:
            decline(change.pk, by, now, said)
    except NotNow as error:
        messages.error(request, str(error), error.code)
    else:
        messages.success(request, "Applied to all of them." if wants_it else "Nothing was changed.", "decided")
    return redirect(CHANGE_PAGE, change.pk)


def _look_or_send(
    request: HttpRequest, change: Change, recipe: Recipe, questions: Sequence[Question], context: dict[str, Any]
) -> HttpResponse:
    """Show the diff; or, if its author submits exactly this diff, store it and go to its page."""
    by: Any = request.user
    found: Preview | None = None
    if len(questions) <= 2 * MOST_AT_ONCE:
        found = preview(questions, recipe)
    form: forms.Form = context["form"]
    if "step" in request.POST and request.POST["step"] == SEND and found:
        ids = [question.pk for question in questions]
        proposal = Proposal(recipe, change, form.cleaned_data["why"])
        try:
            sent = propose(proposal, ids, request.POST.get("seen", ""), by, timezone.now())
        except NotNow as error:
            form.add_error(None, forms.ValidationError(str(error), code=error.code))
        else:
            messages.success(request, PROPOSED, "proposed")
            return redirect(CHANGE_PAGE, sent.pk)
    if found is None or len(found.lines) > MOST_AT_ONCE:
        too_many = NotNow("too-many-at-once", limit=MOST_AT_ONCE)
        form.add_error(None, forms.ValidationError(str(too_many), code=too_many.code))
        found = None
    return _page(request, {**context, "preview": found})


def _page(request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
    return TemplateResponse(request, f"{FOLDER}/together.html", {"preview": None, "chosen": None, **context})


def _not_together(questions: Sequence[Question], chosen: int) -> NotNow | None:
    if chosen > MOST_AT_ONCE:
        return NotNow("too-many-at-once", limit=MOST_AT_ONCE)
    if not questions:
        return NotNow("nothing-changes")
    return NotNow("several-exams") if len({each.exam_id for each in questions}) > 1 else None
