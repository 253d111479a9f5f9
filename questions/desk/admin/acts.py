"""Actions on a question besides writing it: each with the permission it needs and its confirmation."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone

from questions.desk import decide as desk
from questions.desk.admin.editor import address_of, refuse
from questions.desk.errors import NotPublishable, Older
from questions.desk.forms.editor import SaidForm, base_of
from questions.desk.many.drafts import copy_question
from questions.desk.many.families import remove_variant
from questions.desk.publish import Publishing
from questions.desk.reads.editor import PUBLISH, find_draft, findings_of
from questions.versions.errors import NotNow
from questions.versions.models.drafts import Question
from questions.versions.models.versions import Change, QuestionVersion
from questions.versions.reads.drafts import draft_of

EDIT = "questions.change_question"
ADD = "questions.add_question"


@dataclass(frozen=True)
class Asked:
    """The requested action: on which question, from which state, by whom, with which words."""

    pk: int
    base: int
    by: Any
    now: dt.datetime
    text: str
    data: Any


@dataclass(frozen=True)
class Act:
    """An action: the permission it needs, what it does, and its confirmation."""

    right: str
    do: Callable[[Asked], object]
    done: str


def _publish(asked: Asked) -> object:
    kind = asked.data.get("change", "")
    if kind not in Change.values:
        raise NotNow("no-kind-of-change")
    return desk.release(
        asked.pk, asked.base, asked.by, asked.now, Publishing(Change(kind), asked.text, "basic" in asked.data)
    )


def _restore(asked: Asked) -> object:
    number = asked.data.get("version", "")
    if not number.isdecimal() or len(number) > 4:
        raise Http404
    version = get_object_or_404(QuestionVersion, question=asked.pk, number=int(number))
    return desk.restore(version, asked.base, asked.by, asked.now)


def _waive(asked: Asked) -> object:
    """The warning is looked up in lint's current findings, so that nothing else can be waived."""
    question = find_draft(asked.pk)
    if question.revision != asked.base:
        raise Older(question, draft_of(question))
    findings = findings_of(draft_of(question), question.exam, asked.pk)
    named = (asked.data.get("rule"), asked.data.get("field"))
    for problem in (*findings.warned, *findings.refused):
        if (problem.rule, problem.field) == named:
            return desk.waive(asked.pk, problem, asked.by, asked.now, asked.text)
    raise NotNow("no-such-warning")


ACTS = {
    "submit_basic": Act(EDIT, lambda a: desk.submit(a.pk, a.base, a.by, a.now, a.text, True), "Sent for review."),
    "comment": Act(EDIT, lambda a: desk.comment(a.pk, a.by, a.now, a.text), "Comment added."),
    "send_back": Act(PUBLISH, lambda a: desk.send_back(a.pk, a.base, a.by, a.now, a.text), "Sent back."),
    "publish": Act(PUBLISH, _publish, "Published."),
    "discard": Act(EDIT, lambda a: desk.discard(a.pk, a.base, a.by, a.now), "Draft discarded."),
    "restore": Act(EDIT, _restore, "The earlier text is now the draft."),
    "waive": Act(EDIT, _waive, "Waived until the text changes."),
    "copy": Act(ADD, lambda a: copy_question(a.pk, a.by, a.now), "Copied. This is your new draft."),
    "withdraw": Act(EDIT, lambda a: desk.withdraw(a.pk, a.by, a.now, a.text), "Withdrawn."),
    "put_back": Act(EDIT, lambda a: desk.put_back(a.pk, a.by, a.now, a.text), "Back in use."),
    "remove": Act(EDIT, lambda a: remove_variant(a.pk, a.base, a.by, a.now), "Variant removed."),
    "retire": Act(PUBLISH, lambda a: desk.retire(a.pk, a.by, a.now, a.text), "Retired."),
}


def act(request: HttpRequest, question_id: int, name: str) -> HttpResponse:
    """Do it, or say why not, keeping the typed words; then show the question's page, or its family's."""
    if name not in ACTS:
        raise Http404
    refuse(request.user.has_perm(ACTS[name].right))
    family_id = get_object_or_404(Question, pk=question_id).family_id
    said = SaidForm(request.POST)
    try:
        if not said.is_valid():
            raise NotNow(said.errors.as_data()["text"][0].code or "", said=" ".join(map(str, said.errors["text"])))
        words = said.cleaned_data["text"]
        made = ACTS[name].do(
            Asked(question_id, base_of(request.POST), request.user, timezone.now(), words, request.POST)
        )
    except (NotNow, Older, NotPublishable) as error:
        typed = request.POST.get("text", "").strip()
        messages.error(request, f"{error} You typed: “{typed}”." if typed else str(error), error.code)
    else:
        messages.success(request, ACTS[name].done, name)
        if name == "copy" and isinstance(made, Question):
            return redirect(address_of(made.pk))
    if "family" in request.POST and Question.objects.filter(family=family_id, retired_at=None).exists():
        return redirect("admin:questions_family_change", family_id)
    is_there = Question.objects.filter(pk=question_id).exists()
    return redirect(address_of(question_id) if is_there else "admin:questions_question_changelist")
