"""Articles: pages of text about studying, and about the site itself."""

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
from courseiva.common.rich_text import render_long
from courseiva.pages.reads import Pairs, study_guide
from courseiva.serving.rules.owner import Notice
from discussion.comments.models.moderation import KEPT_FOR
from discussion.trust.rules import LASTING_HOURS, MAY, NEEDS, REMEMBERED_DAYS
from practice.learners.reads.identity import GUEST_DAYS
from questions.catalogue.models import Exam
from questions.catalogue.reads import offered
from questions.pages.counted.reads import counted_exams
from questions.pages.reads.machines.heads import to_exam

WRITTEN = dt.date(2026, 11, 23)
TRUST_WRITTEN = dt.date(2026, 11, 27)


@dataclass(frozen=True)
class Article:
    """An article; its text is the template of the same name. Set ``changed`` when you change the text."""

    slug: str
    title: str
    description: str
    is_about_site: bool = False
    changed: dt.date = WRITTEN
    faq: tuple[tuple[str, str], ...] = ()

    @property
    def path(self) -> str:
        return reverse("article", args=[self.slug])


def legal_notice(notice: Notice | None) -> list[Article]:
    """The page with the operator's legal notice, if there is one."""
    words = "Who runs this site and is responsible for it."
    return [Article("legal-notice", "Legal notice", words, True, notice.changed)] if notice else []


ARTICLES = (
    Article(
        "how-to-use-practice-tests",
        "How to use practice tests",
        "When to drill and when to take a mock exam, why a score on questions you’ve seen says little, and what to do "
        "after each wrong answer.",
        faq=(
            (
                "How many mock exams should I take?",
                "Two or three at full length, all with unseen questions. In between, drill what each one showed you "
                "need. A mock exam of questions you’ve seen only tests your memory of them.",
            ),
            (
                "Should I look at the answer when I’m stuck?",
                "Choose first, even by elimination, and say how sure you are. You’ll remember a wrong choice and its "
                "reason better than an answer you only read.",
            ),
            (
                "What score means I’m ready?",
                "No single score does. The progress page gives a chance and a range, based on first answers only, and "
                "gives no figure until there are enough of them.",
            ),
        ),
    ),
    Article(
        "how-we-write-questions",
        "How we write questions",
        "From a page of documentation to a published question: the situation, the deciding constraint, options with "
        "reasons, a second reader, and the statistics that follow.",
        changed=dt.date(2026, 11, 27),
    ),
    Article(
        "practice-questions-or-dumps",
        "Practice questions or dumps?",
        "What a dump is, why using one can cost you your certificate and teaches you little, and how to tell practice "
        "questions from dumps.",
        faq=(
            (
                f"Is {settings.SITE_NAME} a dump?",
                "No. No question here is copied or reconstructed from a real exam. Each one lists the public pages "
                "it’s based on and, for those we’ve opened, the date.",
            ),
            (
                "Can I post a question I remember from my exam?",
                "No. You promised the vendor you wouldn’t, and we’d remove it. Ask about the idea behind it in your "
                "own words.",
            ),
        ),
    ),
    Article(
        "discussion",
        "How the discussion works",
        "What belongs under a question, what members can do and how they earn it, and why a comment may be held.",
        changed=TRUST_WRITTEN,
    ),
    Article(
        "about",
        f"About {settings.SITE_NAME}",
        f"What {settings.SITE_NAME} is for, what it does differently, what it doesn’t do, and how it’s built.",
        is_about_site=True,
    ),
    Article(
        "editorial-policy",
        "Editorial policy",
        "Who writes and checks the questions, what counts as a source, how we correct errors in public, and what we "
        "never publish.",
        is_about_site=True,
        changed=dt.date(2026, 11, 27),
    ),
    Article(
        "privacy",
        "Privacy",
        "What we store about you and for how long, which cookies we use, and how to download or delete your data.",
        is_about_site=True,
        changed=TRUST_WRITTEN,
    ),
    Article(
        "terms",
        "Terms of use",
        "What you may and may not do here, and what we don’t guarantee.",
        is_about_site=True,
        changed=TRUST_WRITTEN,
    ),
    Article(
        "accessibility",
        "Accessibility statement",
        "What we aim for (WCAG 2.2, level AA), what we test on every page and how, and the gaps we know of.",
        is_about_site=True,
    ),
    Article(
        "contact",
        "Contact",
        "Where to report a wrong question, a security problem, an accessibility problem, or anything else.",
        is_about_site=True,
    ),
    *legal_notice(settings.LEGAL_NOTICE),
)
BY_SLUG = {article.slug: article for article in ARTICLES}


@public_page
def articles(request: HttpRequest) -> HttpResponse:
    title, words = "Articles", "Study guides based on each exam’s own weights, and how this site works."
    head = text_head(site_address(request), title, words, [_all()])
    context = {"articles": ARTICLES, "exams": _exams(), "head": head}
    return render(request, "articles/index.html", context)


@public_page
def article(request: HttpRequest, slug: str) -> HttpResponse:
    found = BY_SLUG.get(slug)
    if found is None:
        raise Http404
    context = {
        "article": found,
        "articles": ARTICLES,
        "faq": found.faq,
        "head": _head(request, found),
        "guest_days": GUEST_DAYS,
        "kept_days": KEPT_FOR.days,
        "trust": {
            "levels": [(level.value, may, NEEDS.get(level)) for level, may in MAY.items()],
            "hours": LASTING_HOURS,
            "days": REMEMBERED_DAYS,
            "first_posts": settings.HOLD_FIRST_POSTS,
        },
        "trial": offered()[:1] if settings.EVIDENCE else (),  # only one article uses it
        "session_days": settings.SESSION_COOKIE_AGE // 86400,
        "contact": settings.CONTACT_EMAIL,
        "notice": render_long(settings.LEGAL_NOTICE.text) if settings.LEGAL_NOTICE else "",
        "exams": _exams(),
    }
    return render(request, f"articles/{slug}.html", context)


@public_page
def exam_study_guide(request: HttpRequest, exam_slug: str) -> HttpResponse:
    exam = get_object_or_404(counted_exams(), slug=exam_slug)
    page = study_guide(exam)
    title = f"{exam.code} study guide"
    plan = f"a plan for {page.week_count} weeks"
    words = f"How to prepare for {exam.name}: the domains with their weights, and {plan}."
    trail = [*to_exam(exam), Link("Study guide", request.path)]
    head = text_head(site_address(request), title, words, trail, _faq_nodes(page.faq), exam)
    context = {"page": page, "exam": exam, "exam_slug": exam_slug, "place": "study", "faq": page.faq, "head": head}
    return render(request, "articles/study-guide.html", context)


def _head(request: HttpRequest, found: Article) -> Head:
    trail = [_all(), Link(found.title, found.path)]
    return text_head(site_address(request), found.title, found.description, trail, _faq_nodes(list(found.faq)))


def _faq_nodes(pairs: Pairs) -> list[dict[str, object]]:
    return [faq(pairs)] if pairs else []


def _all() -> Link:
    return Link("Articles", reverse("articles"))


def _exams() -> list[Exam]:
    return list(Exam.objects.listed())
