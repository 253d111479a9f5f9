"""Answers given on public question pages, and the learner's own note and star."""

from __future__ import annotations

from dataclasses import replace

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from courseiva.common.page_cache import site_address
from practice.learners.enrol import remember_time_zone
from practice.learners.reads.identity import Owner
from practice.learners.views.guards import own_origin_only, with_guest
from practice.sessions.errors import NotPossible
from practice.sessions.player.check import answer_on_page
from practice.sessions.player.reads.answerable import answerable
from practice.sessions.scoring.reads import keys_in_force
from questions.pages.reads.machines.heads import question_head
from questions.pages.reads.questions import question_page
from questions.versions.models.drafts import Question
from questions.versions.reads.breakdowns import breakdown_of, concept_names
from questions.versions.statistics.reads.shares import beside_others


@own_origin_only
@with_guest
def answer(request: HttpRequest, exam_slug: str, owner: Owner) -> HttpResponse:
    """Record the answer and show the verdict: a fragment for the page's script, or the page itself."""
    question = answerable(exam_slug, request.POST.get("question", ""))
    if question is None or question.live_version is None:
        raise Http404
    version = question.live_version
    slots = [int(slot) for slot in request.POST.getlist("slot") if slot.isdecimal() and len(slot) < 4]
    context = {"exam": question.exam, "exam_slug": exam_slug, "question": question}
    try:
        item = answer_on_page(owner, question, slots, timezone.now())
    except NotPossible as error:
        context |= {"error": error, "chosen": slots}
        return _render(request, question, context, status=400)
    remember_time_zone(item.session.learner_id, request.POST.get("zone", ""))
    key = keys_in_force([version.pk])[version.pk]
    names = concept_names([version])
    breakdown = breakdown_of(version, item.option_order, item.selected, names, key.masks, kept_back=0)
    beside = beside_others({0: breakdown})[0]
    return _render(request, question, context | {"breakdown": breakdown, "marked": True, "beside": beside})


def _render(request: HttpRequest, question: Question, context: dict[str, object], status: int = 200) -> HttpResponse:
    if request.headers.get("HX-Request"):
        return render(request, "questions/_verdict.html", context, status=status)
    page = question_page(question)
    head = replace(question_head(page, site_address(request)), is_indexed=False)
    context |= {"page": page, "head": head, "today": timezone.now().date()}
    return render(request, "questions/question.html", context, status=status)
