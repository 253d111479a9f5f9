"""Answers given on public question pages, and the learner's own note and bookmark."""

from __future__ import annotations

from dataclasses import replace

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from practice.checking import answer_on_page
from practice.errors import NotPossible
from practice.guards import own_origin_only, with_guest
from practice.identity import Owner
from practice.keys import keys_in_force
from practice.learners import remember_time_zone
from practice.selectors.answerable import answerable
from questions.breakdowns import breakdown_of, concept_names
from questions.caching import site_address
from questions.heads import question_head
from questions.models import Question
from questions.selectors import question_page


@own_origin_only
@with_guest
def answer(request: HttpRequest, exam_slug: str, owner: Owner) -> HttpResponse:
    """Record the answer and show the verdict: a fragment for the page's script, else the page itself."""
    question = answerable(exam_slug, request.POST.get("question", ""))
    if question is None or question.live_version is None:
        raise Http404
    version = question.live_version
    slots = [int(slot) for slot in request.POST.getlist("slot") if slot.isdecimal() and len(slot) < 4]
    context = {"exam": question.exam, "exam_slug": exam_slug, "question": question}
    try:
        item = answer_on_page(owner, question, slots, timezone.now())
    except NotPossible as error:
        context |= {"error": str(error), "chosen": slots}
        return _render(request, question, context, status=400)
    remember_time_zone(item.session.learner_id, request.POST.get("zone", ""))
    key = keys_in_force([version.pk])[version.pk]
    breakdown = breakdown_of(version, item.option_order, item.selected, concept_names([version]), key.masks)
    return _render(request, question, context | {"breakdown": breakdown, "judged": True})


def _render(request: HttpRequest, question: Question, context: dict[str, object], status: int = 200) -> HttpResponse:
    if request.headers.get("HX-Request"):
        return render(request, "questions/_verdict.html", context, status=status)
    page = question_page(question)
    head = replace(question_head(page, site_address(request)), is_indexed=False)
    context |= {"page": page, "head": head}
    return render(request, "questions/question.html", context, status=status)
