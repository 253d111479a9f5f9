"""Which exam somebody is preparing for: asked once, changed in the header, and the redirects to it."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from practice.learners.reads.identity import learner_of, owner_of, set_exam_cookie, told_exam
from practice.learners.views.guards import own_origin_only
from practice.notebook.forms import HOME, PLACES, ExamChoiceForm, known_place
from practice.notebook.plan import choose_exam
from practice.notebook.reads.choice import choice_page, exam_in_mind
from questions.catalogue.models import Exam
from questions.catalogue.reads import offered


@csrf_exempt  # ``choose`` checks the origin instead: the home page, the same for all, has the form too
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def my_exam(request: HttpRequest) -> HttpResponse:
    """Ask, with ``to`` as the place to go on to. With only one exam, nobody is asked."""
    if request.method == "POST":
        return choose(request)
    return _ask(request, known_place(request.GET.get("to", "")))


@own_origin_only
def choose(request: HttpRequest) -> HttpResponse:
    """Store the choice in this browser, and in the account if there is one."""
    form = ExamChoiceForm(request.POST)
    if not form.is_valid():
        return _ask(request, known_place(request.POST.get("to", "")), status=400)
    exam, owner = form.cleaned_data["exam"], owner_of(request)
    if owner:
        choose_exam(owner, exam, timezone.now())
    response = _go(exam, form.cleaned_data["to"])
    set_exam_cookie(response, exam.slug)
    return response


@never_cache
@require_safe
def my_place(request: HttpRequest, place: str) -> HttpResponse:
    """Redirect to this place of the current exam; ask if it isn't known."""
    if place not in PLACES:
        raise Http404
    exam = exam_in_mind(list(offered()), learner_of(request), told_exam(request))
    return _go(exam, place) if exam else _ask(request, place)


@never_cache
@require_safe
def my_places(request: HttpRequest) -> HttpResponse:
    """The header's links for the current exam: for pages outside any exam, which are the same for all."""
    exam = exam_in_mind(list(offered()), learner_of(request), told_exam(request))
    if exam is None:
        return HttpResponse(status=204)
    place = request.GET.get("place", "")
    return render(request, "practice/_my_places.html", {"exam": exam, "place": place if place in PLACES else ""})


def _ask(request: HttpRequest, to: str, status: int = 200) -> HttpResponse:
    page = choice_page(learner_of(request), told_exam(request))
    if len(page.lines) == 1 and page.exam:
        return _go(page.exam, to)
    return render(request, "practice/my_exam.html", {"page": page, "to": to, "refused": status != 200}, status=status)


def _go(exam: Exam, to: str) -> HttpResponse:
    return redirect("home") if to == HOME else redirect(PLACES[to], exam.slug)
