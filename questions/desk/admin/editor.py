"""The editor page: the form, saving, and the checks and previews while writing."""

from __future__ import annotations

from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.clickjacking import xframe_options_sameorigin

from questions.catalogue.models import Exam
from questions.desk import decide as desk
from questions.desk.errors import NotPublishable, Older
from questions.desk.forms.editor import (
    Editor,
    base_of,
    blank_editor,
    choices_made,
    drawn_with,
    exam_of,
    mark_line,
    stored_editor,
    typed_editor,
)
from questions.desk.forms.steps import WHEN_BLANK, lacking, set_steps
from questions.desk.reads.editor import Choices, Findings, choices_of, clue_offers, editor_page, find_draft, findings_of
from questions.desk.reads.previews import preview_item, preview_page
from questions.versions.errors import NotNow
from questions.versions.models.drafts import Question
from questions.versions.reads.drafts import draft_of, highest_slot
from questions.versions.rules.draft import DraftQuestion
from questions.versions.rules.draft_diff import FieldChange, clashes, settled

FOLDER = "admin/questions/question"
SHAPES = ("page", "session")
JSON = "application/json"
SUBMIT, SHOW = "submit", "show"
ASKED = "asked"  # in the URL when review was asked for and refused
SAVED = "%H:%M"


@dataclass
class Work:
    """One request to the editor page: which question, in which exam, and what was typed."""

    question: Question | None
    exam: Exam
    choices: Choices
    exams: list[Exam]
    editor: Editor | None = None
    base: int = 0
    was: str = ""
    clash: list[FieldChange] = field(default_factory=list)
    trouble: str = ""

    @property
    def stored(self) -> DraftQuestion | None:
        return draft_of(self.question) if self.question else None


def question_or_404(question_id: int) -> Question:
    """The question with everything its draft consists of."""
    try:
        return find_draft(question_id)
    except Question.DoesNotExist:
        raise Http404 from None


def begin_work(question: Question | None, exam_slug: str = "") -> Work:
    """The request's work; without a question, a new one in the named exam, or the first."""
    exams = [question.exam] if question else list(Exam.objects.listed())
    exam = exam_of(exams, exam_slug)
    if exam is None:
        raise Http404("There are no exams yet. Load one first.")
    work = Work(question, exam, choices_of(exam), exams)
    if question:
        work.base, work.was = question.revision, mark_line(work.stored)
    return work


def show(request: HttpRequest, work: Work, around: dict[str, Any], status: int = HTTPStatus.OK) -> HttpResponse:
    """The page: as stored, or as typed."""
    question = work.question
    slot = highest_slot(question) + 1 if question else 1
    if work.editor is None and question:
        work.editor = stored_editor(work.choices, question, draft_of(question), slot)
    editor = work.editor = work.editor or blank_editor(work.choices)
    draft = _draft_of(editor) if editor.texts.is_bound else work.stored
    seen = look_at(request, work, editor, draft) if draft else None
    lacks = seen["lacks"] if seen else None if editor.texts.is_bound else WHEN_BLANK
    context = {
        **around,
        "work": work,
        "editor": editor,
        "steps": set_steps(editor, lacks, ASKED in request.GET),
        "page": editor_page(question, request.user) if question else None,
        "look": seen,
        "next_slot": slot,
        "is_nav_sidebar_enabled": False,
        "title": question.title or question.key if question else "New question",
    }
    for form in editor.clues:
        form.offers = seen["offers"].get(form["phrase"].value()) if seen else None
    response = TemplateResponse(request, f"{FOLDER}/editor.html", context, status=status)
    response.content_policy = {"frame-src": "'self'"}  # type: ignore[attr-defined]
    return response


def save(request: HttpRequest, work: Work, around: dict[str, Any]) -> HttpResponse:
    """Store what was typed over the state it started from, then submit it if requested.

    Requests for JSON get the new state, or why it wasn't stored; others get the page. JSON always comes with status
    200, because browsers log every other status in the console.
    """
    editor = work.editor = typed_editor(work.choices, request.POST, work.stored)
    wants_json = request.headers.get("Accept") == JSON
    if request.POST.get("action") == SHOW:
        _keep_start(request, work)
        return show(request, work, around)
    if not editor.is_valid():
        if wants_json:
            return JsonResponse({"errors": editor.errors()})
        _keep_start(request, work)
        work.trouble = "Not saved: fix the marked fields below. Your text is still here."
        return show(request, work, around)
    try:
        question = store(request, work, editor)
    except Older as error:
        return _refused(request, work, editor.draft(), error, around)
    if wants_json:
        return JsonResponse(_saved(question))
    return redirect(_next_address(request, question))


def store(request: HttpRequest, work: Work, editor: Editor) -> Question:
    """Create the question or save its draft; raises Older."""
    now, draft = timezone.now(), editor.draft()
    by: Any = request.user
    if work.question is None:
        question = desk.begin(work.exam, draft, by, now)
    else:
        draft = settled(draft, draft_of(work.question), choices_made(request.POST))
        question = desk.keep(work.question.pk, draft, base_of(request.POST), by, now)
    desk.recheck_after([question.pk], editor.texts.cleaned_data["recheck_after"])
    return question


def look(request: HttpRequest, work: Work) -> HttpResponse:
    """What is typed, as seen by lint and learners; nothing is stored."""
    editor = work.editor = typed_editor(work.choices, request.POST, work.stored)
    draft = _draft_of(editor)
    if draft is None:
        return JsonResponse({"errors": editor.errors()})
    seen = look_at(request, work, editor, draft)
    shown = {shape: render_to_string(f"{FOLDER}/_preview_{shape}.html", seen, request) for shape in SHAPES}
    lint = render_to_string(f"{FOLDER}/_lint.html", {"look": seen, "work": work}, request)
    return JsonResponse({"lint": lint, "offers": seen["offers"], "lacks": seen["lacks"], **shown})


def look_at(request: HttpRequest, work: Work, editor: Editor, draft: DraftQuestion) -> dict[str, Any]:
    """Findings with their places, previews, and what other questions say about the same phrases."""
    pk = work.question.pk if work.question else None
    findings: Findings = findings_of(draft, work.exam, pk)
    anchors = editor.anchors() if editor.texts.is_bound else stored_anchors(draft)
    return {
        "findings": findings,
        "anchors": anchors,
        "lacks": lacking(findings.refused, anchors),
        **seen_by_learners(draft, work),
        "offers": clue_offers(work.exam, [clue.phrase for clue in draft.clues], pk),
    }


def seen_by_learners(draft: DraftQuestion, work: Work) -> dict[str, Any]:
    """The data for both previews: the public page's main part, and a one-question mock."""
    section = dict(work.choices.domains).get(draft.domain, draft.domain)
    names = {key: name for _, concepts in work.choices.concepts for key, name in concepts}
    item = preview_item(draft, section)
    page = preview_page(draft, work.exam, work.question.number if work.question else None, section, names)
    return {"exam": work.exam, "preview": page, "item": item, "alone": {"items": [item]}}


def stored_anchors(draft: DraftQuestion) -> dict[str, str]:
    """Where each field of the draft is on a page rendered from it: rows are in its order."""
    found = {name: f"id_{name}" for name in vars(draft)}
    for name in ("clues", "options", "sources"):
        for i, row in enumerate(getattr(draft, name)):
            found |= {f"{name}[{i}].{part}": f"id_{name}-{i}-{part}" for part in vars(row)}
    return found


@xframe_options_sameorigin
def preview(request: HttpRequest, shape: str, question_id: int | None) -> HttpResponse:
    """The document in the frame: the site's stylesheets, and the stored draft if there is one."""
    shape = {"sitting": "session"}.get(shape, shape)  # editors loaded before 0.2.0 still use that name
    if shape not in SHAPES:
        raise Http404
    context: dict[str, Any] = {"shape": shape}
    if question_id is not None:
        question = question_or_404(question_id)
        context |= seen_by_learners(draft_of(question), begin_work(question))
    response = TemplateResponse(request, f"{FOLDER}/preview.html", context)
    response.content_policy = {"frame-ancestors": "'self'", "form-action": "'none'"}  # type: ignore[attr-defined]
    return response


def address_of(question_id: int) -> str:
    return reverse("admin:questions_question_change", args=[question_id])


def refuse(allowed: bool) -> None:
    if not allowed:
        raise PermissionDenied


def _draft_of(editor: Editor) -> DraftQuestion | None:
    return editor.draft() if editor.is_readable() else None


def _keep_start(request: HttpRequest, work: Work) -> None:
    """What was typed but not stored keeps its starting state."""
    if work.question and base_of(request.POST) >= 0:
        work.base, work.was = base_of(request.POST), request.POST.get("was", "")


def _next_address(request: HttpRequest, question: Question) -> str:
    """Where to go after a save, with the submission if requested; if it was refused, the page opens what it lacks."""
    if request.POST.get("action") == SUBMIT:
        return address_of(question.pk) + ("" if _submit(request, question) else f"?{ASKED}=1")
    messages.success(request, "Saved.", "saved")
    return address_of(question.pk)


def _submit(request: HttpRequest, question: Question) -> bool:
    """Submit it for review; returns whether that worked. If not, a message says why."""
    by: Any = request.user
    try:
        desk.submit(question.pk, question.revision, by, timezone.now())
    except NotPublishable as error:
        count = len(error.problems)
        words = f"Saved, but not sent for review: the checks found {count} error{'s'[: count > 1]}."
        messages.error(request, words, error.code)
    except (NotNow, Older) as error:
        messages.error(request, f"Saved, but not sent for review: {error}", error.code)
    else:
        messages.success(request, "Sent for review.", "submitted")
        return True
    return False


def _saved(question: Question) -> dict[str, Any]:
    return {
        "id": question.pk,
        "base": question.revision,
        "was": mark_line(draft_of(find_draft(question.pk))),
        "saved": timezone.localtime().strftime(SAVED),
        "address": address_of(question.pk),
        "desk": question.get_desk_display(),
    }


def _refused(
    request: HttpRequest, work: Work, mine: DraftQuestion, error: Older, around: dict[str, Any]
) -> HttpResponse:
    """Somebody saved meanwhile: show both texts, on a page that can be saved over the new state."""
    work.clash = clashes(mine, error.stored, drawn_with(request.POST))
    work.question = find_draft(error.question.pk)
    work.base, work.was = error.question.revision, mark_line(error.stored)
    if request.headers.get("Accept") == JSON:
        html = render_to_string(f"{FOLDER}/_clash.html", {"work": work}, request)
        facts = {"error": str(error), "clash": html, "base": work.base, "was": work.was}
        return JsonResponse(facts)
    return show(request, work, around, HTTPStatus.CONFLICT)
