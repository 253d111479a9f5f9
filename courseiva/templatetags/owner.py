"""Tags of every template, mails' too: what the operator calls the site. Known without a load."""

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
    """The site's name. Its setting takes only characters that stand for themselves everywhere."""
    return str(settings.SITE_NAME)


@register.simple_tag
def is_renamed() -> bool:
    """Whether pictures with our own name on them would be wrong."""
    return bool(settings.SITE_NAME != SOFTWARE)


@register.simple_tag
def content_credit() -> str:
    """Whom the licence of questions, modules and articles wants named, whatever this site is called."""
    return CONTENT_CREDIT


@register.simple_tag
def own_mark() -> str:
    """The address of the site's own picture; empty where it has none."""
    return f"{reverse('mark')}?{settings.SITE_MARK.version}" if settings.SITE_MARK else ""


@register.simple_tag
def legal_notice_address() -> str:
    """The address of the legal notice; empty if there is none."""
    return reverse("article", args=["legal-notice"]) if settings.LEGAL_NOTICE else ""


@register.simple_tag
def provider_name() -> str:
    """The name of the sign-in provider; empty if there is none."""
    return str(settings.OIDC.get("name", ""))


@register.inclusion_tag("components/maintenance_note.html")
def maintenance_note() -> dict[str, Work | None]:
    """When maintenance is planned, until it's over: of setting and clock alone, so the same for every visitor."""
    work = settings.MAINTENANCE
    return {"work": work if work and work.is_ahead(timezone.now()) else None}
