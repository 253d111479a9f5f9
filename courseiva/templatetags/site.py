"""Tags for the page frame: the five links in the header, and absolute URLs of static files."""

from typing import TypedDict

from django import template
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.template import Context
from django.urls import reverse

from courseiva.common.heads.structured_data import CONTENT_LICENCE
from practice.notebook.forms import PLACES
from questions.catalogue.models import Exam
from questions.catalogue.reads import is_choice

register = template.Library()


class Place(TypedDict):
    """One of the four links in the header."""

    key: str
    name: str
    url: str
    is_current: bool


class Nav(TypedDict):
    """The header's first link, the exam, and the other four.

    ``own``: where a page outside any exam fetches the links of the reader's exam.
    """

    code: str
    switch: str
    own: str
    places: list[Place]


NAMES = {"practise": "Practise", "mock": "Mock exam", "study": "Study", "progress": "Progress"}


@register.inclusion_tag("components/site_nav.html", takes_context=True)
def site_nav(context: Context, exam_slug: str = "", current: str = "") -> Nav:
    """The links for an exam. Without one: URLs that redirect to the reader's exam, or ask which.

    `current`: practise, mock, study, progress, or nothing. Without an exam there is no query: error pages use this.
    """
    if exam_slug:
        urls = {key: reverse(name, args=[exam_slug]) for key, name in PLACES.items()}
    else:
        urls = {key: reverse("my-place", args=[key]) for key in NAMES}
    asked = f"{reverse('my-exam')}?to={current}" if current else reverse("my-exam")
    own = f"{reverse('my-places')}?place={current}" if current else reverse("my-places")
    return Nav(
        code=_code(context.get("exam"), exam_slug),
        switch=asked if not exam_slug or is_choice() else "",
        own="" if exam_slug else own,
        places=[Place(key=key, name=name, url=urls[key], is_current=key == current) for key, name in NAMES.items()],
    )


def _code(exam: Exam | None, slug: str) -> str:
    """The printed code; a page that only knows the exam's slug uses that."""
    return exam.code if exam and exam.slug == slug else slug.upper()


@register.inclusion_tag("components/demo_note.html")
def demo_note() -> dict[str, bool]:
    """The notice on every page of a demo site that its people are invented."""
    return {"is_demo": settings.DEMO}


@register.simple_tag
def absolute_static(name: str) -> str:
    """A static file's URL, with scheme and host if the site knows its own: for previews on other sites."""
    return str(getattr(settings, "SITE_URL", "")).rstrip("/") + staticfiles_storage.url(name)


@register.simple_tag
def content_licence() -> str:
    """The URL of the licence for questions, study modules and articles."""
    return CONTENT_LICENCE
