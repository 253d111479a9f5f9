"""Tags for every template, including emails: the operator's name for the site. Available without ``{% load %}``."""

from __future__ import annotations

from django import template
from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from courseiva.common.heads.structured_data import CONTENT_CREDIT
from courseiva.serving.rules.owner import SOFTWARE, Work

register = template.Library()


@register.simple_tag
def site_name() -> str:
    """The site's name. The setting allows only characters that never need escaping."""
    return str(settings.SITE_NAME)


@register.simple_tag
def is_renamed() -> bool:
    """Whether pictures with our name on them would be wrong."""
    return bool(settings.SITE_NAME != SOFTWARE)


@register.simple_tag
def content_credit() -> str:
    """Who the licence of questions, modules and articles says to credit, whatever this site is called."""
    return CONTENT_CREDIT


@register.simple_tag
def own_mark() -> str:
    """The URL of the site's logo; empty if it has none."""
    return f"{reverse('mark')}?{settings.SITE_MARK.version}" if settings.SITE_MARK else ""


@register.simple_tag
def legal_notice_address() -> str:
    """The address of the legal notice; empty if there is none."""
    return reverse("article", args=["legal-notice"]) if settings.LEGAL_NOTICE else ""


@register.simple_tag
def colab_address(exam: str, number: int, slug: str) -> str:
    """Where Colab opens a module's notebook from the operator's copy on GitHub; empty if there is no such copy."""
    if not settings.NOTEBOOKS:
        return ""
    return f"https://colab.research.google.com/github/{settings.NOTEBOOKS}/{exam}/modules/{number:02}-{slug}.ipynb"


@register.simple_tag
def provider_name() -> str:
    """The name of the sign-in provider; empty if there is none."""
    return str(settings.OIDC.get("name", ""))


@register.inclusion_tag("components/maintenance_note.html")
def maintenance_note() -> dict[str, Work | None]:
    """When maintenance is planned, until it's over: depends only on setting and clock, so it's the same for every
    visitor."""
    work = settings.MAINTENANCE
    return {"work": work if work and work.is_ahead(timezone.now()) else None}
