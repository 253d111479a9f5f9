"""Tags of the page frame: the four places in the header, and absolute addresses of static files."""

from typing import TypedDict

from django import template
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage

register = template.Library()


class Place(TypedDict):
    """One of the four places in the header."""

    key: str
    name: str
    url: str
    is_current: bool


@register.inclusion_tag("components/site_nav.html")
def site_nav(exam_slug: str = "", current: str = "") -> dict[str, list[Place]]:
    """The header's places for an exam. `current`: practise, mock, study, progress, or nothing."""
    slug = exam_slug or settings.DEFAULT_EXAM
    places = [
        ("practise", "Practise", f"/practice/{slug}/"),
        ("mock", "Mock exam", f"/practice/{slug}/mock/"),
        ("study", "Study", f"/exams/{slug}/"),
        ("progress", "Progress", f"/practice/{slug}/readiness/"),
    ]
    return {"places": [Place(key=key, name=name, url=url, is_current=key == current) for key, name, url in places]}


@register.inclusion_tag("components/demo_note.html")
def demo_note() -> dict[str, bool]:
    """On every page of a demo site: that its people are made up."""
    return {"is_demo": settings.DEMO}


@register.simple_tag
def absolute_static(name: str) -> str:
    """A static file's address with scheme and host where the site knows its own: for previews on other sites."""
    return str(getattr(settings, "SITE_URL", "")).rstrip("/") + staticfiles_storage.url(name)
