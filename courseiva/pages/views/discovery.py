"""Files for machines: sitemaps, robots.txt, security.txt."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from courseiva.common.page_cache import public_page, site_address
from courseiva.pages.views.articles import ARTICLES
from courseiva.templatetags.owner import own_mark
from questions.catalogue.models import Exam
from questions.pages.counted.reads import dated_exams, dates_of
from questions.pages.counted.rules import Dates, newest
from questions.pages.reads.machines.sitemap import (
    Entry,
    changes_of,
    exam_entries,
    question_entries,
    question_parts,
)

XML, TEXT = "application/xml; charset=utf-8", "text/plain; charset=utf-8"
VALID_DAYS = 180  # security.txt has to be renewed within a year
PAPER = "#f9f9f6"
ICON_FACTS = ("src", "type", "sizes", "purpose")
YEAR = 365 * 24 * 3600
NOT_FOR_ROBOTS = ("/accounts/", "/admin/", "/my-exam/", "/practice/", "/reports/", "/search/")


@public_page
def sitemap_index(request: HttpRequest) -> HttpResponse:
    """All sitemaps, each with the date of its latest entry."""
    dated = {exam: dates_of(exam) for exam in dated_exams()}
    parts = [Entry(reverse("sitemap-site"), _latest(site_entries(dated)))]
    for exam, dates in dated.items():
        parts.append(Entry(reverse("sitemap-exam", args=[exam.slug]), _latest(exam_entries(exam, dates))))
        parts += question_parts(exam, dates)
    return _xml(request, "sitemaps/index.xml", parts)


@public_page
def sitemap_site(request: HttpRequest) -> HttpResponse:
    """Pages that belong to no exam, and the exams' study guides."""
    return _xml(request, "sitemaps/pages.xml", site_entries({exam: dates_of(exam) for exam in dated_exams()}))


@public_page
def sitemap_exam(request: HttpRequest, exam_slug: str) -> HttpResponse:
    """The pages of an exam other than its questions."""
    exam = get_object_or_404(dated_exams(), slug=exam_slug)
    return _xml(request, "sitemaps/pages.xml", exam_entries(exam, dates_of(exam)))


@public_page
def sitemap_questions(request: HttpRequest, exam_slug: str) -> HttpResponse:
    """The first questions of an exam that can be read: none reserved, withdrawn or retired."""
    return _xml(request, "sitemaps/pages.xml", question_entries(get_object_or_404(Exam, slug=exam_slug)))


@public_page
def sitemap_more_questions(request: HttpRequest, exam_slug: str, part: int) -> HttpResponse:
    """The questions of another part; 404 where there is none."""
    entries = question_entries(get_object_or_404(Exam, slug=exam_slug), part) if part > 1 else []
    if not entries:
        raise Http404
    return _xml(request, "sitemaps/pages.xml", entries)


@public_page
def robots(request: HttpRequest) -> HttpResponse:
    """Robots may visit everything except personal and staff pages."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in NOT_FOR_ROBOTS)]
    lines += ["", f"Sitemap: {site_address(request)}{reverse('sitemap')}", ""]
    return HttpResponse("\n".join(lines), content_type=TEXT)


@public_page
def security_txt(request: HttpRequest) -> HttpResponse:
    """Where to report a security problem (RFC 9116); 404 if the operator hasn't set an address."""
    if not settings.CONTACT_EMAIL:
        raise Http404
    base = site_address(request)
    until = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0) + dt.timedelta(days=VALID_DAYS)
    lines = [
        f"Contact: mailto:{settings.CONTACT_EMAIL}",
        f"Expires: {until:%Y-%m-%dT%H:%M:%SZ}",
        "Preferred-Languages: en",
        f"Canonical: {base}{reverse('security-txt')}",
        f"Policy: {base}{reverse('article', args=['contact'])}",
        "",
    ]
    return HttpResponse("\n".join(lines), content_type=TEXT)


@public_page
def favicon(request: HttpRequest) -> HttpResponse:
    """The icon for pages without our own head, such as the admin's."""
    return redirect(own_mark() or staticfiles_storage.url("img/favicon.svg"))


@public_page
def manifest(request: HttpRequest) -> HttpResponse:
    """The site's name and icon on a device's home screen."""
    ours = (  # the pictures have enough margin to be cropped to a circle
        ("img/favicon.svg", "image/svg+xml", "any", "any"),
        ("img/icon-192.png", "image/png", "192x192", "any"),
        ("img/icon-512.png", "image/png", "512x512", "any"),
        ("img/icon-192.png", "image/png", "192x192", "maskable"),
        ("img/icon-512.png", "image/png", "512x512", "maskable"),
    )
    icons = [(staticfiles_storage.url(name), *facts) for name, *facts in ours]
    if settings.SITE_MARK:
        icons = [(own_mark(), settings.SITE_MARK.kind, "any", "any")]
    told = {
        "name": settings.SITE_NAME,
        "short_name": settings.SITE_NAME,
        "id": "/",
        "start_url": reverse("app"),
        "scope": "/",
        "display": "standalone",
        "shortcuts": [{"name": "Offline drill", "url": reverse("taken")}],
        "background_color": PAPER,
        "theme_color": PAPER,
        "icons": [dict(zip(ICON_FACTS, icon, strict=True)) for icon in icons],
    }
    return JsonResponse(told, content_type="application/manifest+json")


@require_safe
@cache_control(public=True, max_age=YEAR, immutable=True)
def mark(request: HttpRequest) -> HttpResponse:
    """The site's own logo, at an address that changes with it."""
    if not settings.SITE_MARK:
        raise Http404
    return HttpResponse(settings.SITE_MARK.content, content_type=settings.SITE_MARK.kind)


def site_entries(dated: Mapping[Exam, Dates]) -> list[Entry]:
    """The list of exams, the articles, and a study guide per exam; home, which changes daily, has no date."""
    changes = {exam: changes_of(exam, dates).latest for exam, dates in dated.items()}
    return [
        Entry(reverse("home"), None),
        Entry(reverse("exams"), newest(changes.values())),
        Entry(reverse("articles"), None),
        Entry(reverse("errata"), newest(each.erratum for each in dated.values())),
        Entry(reverse("glossary"), None),
        *(Entry(article.path, dt.datetime.combine(article.changed, dt.time(), dt.UTC)) for article in ARTICLES),
        *(Entry(reverse("study-guide", args=[exam.slug]), changed) for exam, changed in changes.items()),
        *(Entry(reverse(name, args=[exam.slug]), None) for exam in dated for name in ("calibration", "evidence")),
    ]


def _latest(entries: list[Entry]) -> dt.datetime | None:
    return newest(entry.changed for entry in entries)


def _xml(request: HttpRequest, template: str, entries: list[Entry]) -> HttpResponse:
    return render(request, template, {"entries": entries, "base": site_address(request)}, content_type=XML)
