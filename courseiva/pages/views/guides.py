"""Guides: pages of text about studying, and about the site itself."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse

from courseiva.common.heads.head import Head, text_head
from courseiva.common.heads.links import Link
from courseiva.common.heads.structured_data import faq
from courseiva.common.page_cache import public_page, site_address
from courseiva.pages.reads import Pairs, study_guide
from practice.learners.reads.identity import GUEST_DAYS
from questions.catalogue.models import Exam
from questions.pages.reads.machines.heads import to_exam

WRITTEN = dt.date(2026, 11, 21)


@dataclass(frozen=True)
class Guide:
    """A guide; its text is the template of its name. ``changed`` is set by whoever changes the text."""

    slug: str
    title: str
    description: str
    is_about_site: bool = False
    changed: dt.date = WRITTEN
    faq: tuple[tuple[str, str], ...] = ()

    @property
    def path(self) -> str:
        """Where it stands."""
        return reverse("guide", args=[self.slug])


GUIDES = (
    Guide(
        "how-to-use-practice-tests",
        "How to use practice tests",
        "When to drill and when to sit a mock, why a score from questions you have seen says little, and what to do "
        "with each answer you missed.",
        faq=(
            (
                "How many mock exams should I sit?",
                "Few, and each one fresh: two or three of full length, with drills on what each one showed between "
                "them. A mock of questions you have met measures your memory of them.",
            ),
            (
                "Should I look at the answer when I am stuck?",
                "Choose first, even by elimination, and say how sure you are. A wrong choice with its reason is "
                "remembered better than an answer that was only read.",
            ),
            (
                "What score means that I am ready?",
                "No single score does. The progress page gives a chance with a range, made of first answers only, and "
                "says nothing at all until there are enough of them.",
            ),
        ),
    ),
    Guide(
        "how-we-write-questions",
        "How we write questions",
        "From a page of documentation to a published question: the situation, the constraint that decides, options "
        "with reasons, a second reader, and the figures that follow.",
    ),
    Guide(
        "practice-questions-or-dumps",
        "Practice questions and dumps",
        "What a dump is, why using one can cost you the certificate and the knowledge, and how to tell practice "
        "questions from dumps.",
        faq=(
            (
                "Is Courseiva a dump?",
                "No. No question here is copied or reconstructed from a real exam. Each one names the public pages it "
                "was written from, with the date they were read.",
            ),
            (
                "May I post a question I remember from my exam?",
                "No. You promised the vendor not to, and it would be taken down here. Ask about the idea behind it "
                "in your own words.",
            ),
        ),
    ),
    Guide(
        "about",
        "About Courseiva",
        "What Courseiva is for, what it does differently, what it does not do, and how it is built.",
        is_about_site=True,
    ),
    Guide(
        "editorial-policy",
        "Editorial policy",
        "Who writes and checks, what counts as a source, how errors are corrected in the open, and what we never "
        "publish.",
        is_about_site=True,
    ),
    Guide(
        "privacy",
        "Privacy",
        "What is stored about you and for how long, which cookies there are, how to take your data along, and how to "
        "be forgotten.",
        is_about_site=True,
        changed=dt.date(2026, 11, 23),
    ),
    Guide(
        "terms",
        "Terms of use",
        "What you may do here, what you may not, and what nobody promises.",
        is_about_site=True,
    ),
    Guide(
        "accessibility",
        "Accessibility statement",
        "What we aim for (WCAG 2.2, level AA), what is tested on every page and how, and the gaps we know of.",
        is_about_site=True,
    ),
    Guide(
        "contact",
        "Contact",
        "Where to report a wrong question, a security hole, an accessibility problem, or anything else.",
        is_about_site=True,
    ),
)
BY_SLUG = {guide.slug: guide for guide in GUIDES}


@public_page
def guides(request: HttpRequest) -> HttpResponse:
    """All guides."""
    title, words = "Guides", "Study guides made from each exam's own weights, and how Courseiva works."
    head = text_head(site_address(request), title, words, [_all()])
    context = {"guides": GUIDES, "exams": _exams(), "head": head}
    return render(request, "guides/index.html", context)


@public_page
def guide(request: HttpRequest, slug: str) -> HttpResponse:
    """One guide."""
    found = BY_SLUG.get(slug)
    if found is None:
        raise Http404
    context = {
        "guide": found,
        "guides": GUIDES,
        "faq": found.faq,
        "head": _head(request, found),
        "guest_days": GUEST_DAYS,
        "session_days": settings.SESSION_COOKIE_AGE // 86400,
        "contact": settings.CONTACT_EMAIL,
        "exams": _exams(),
    }
    return render(request, f"guides/{slug}.html", context)


@public_page
def exam_guide(request: HttpRequest, exam_slug: str) -> HttpResponse:
    """The study guide of an exam."""
    exam = get_object_or_404(Exam, slug=exam_slug)
    page = study_guide(exam)
    title = f"{exam.code} study guide"
    words = f"How to prepare for {exam.name}: the sections with their weights, and a plan for {page.week_count} weeks."
    trail = [*to_exam(exam), Link("Study guide", request.path)]
    head = text_head(site_address(request), title, words, trail, _faq_nodes(page.faq), exam)
    context = {"page": page, "exam": exam, "exam_slug": exam_slug, "place": "study", "faq": page.faq, "head": head}
    return render(request, "guides/study-guide.html", context)


def _head(request: HttpRequest, found: Guide) -> Head:
    trail = [_all(), Link(found.title, found.path)]
    return text_head(site_address(request), found.title, found.description, trail, _faq_nodes(list(found.faq)))


def _faq_nodes(pairs: Pairs) -> list[dict[str, object]]:
    return [faq(pairs)] if pairs else []


def _all() -> Link:
    return Link("Guides", reverse("guides"))


def _exams() -> list[Exam]:
    return list(Exam.objects.listed())
