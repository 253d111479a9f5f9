"""Public pages: the same bytes for every visitor, so that a browser or a proxy may keep them."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, require_safe

FRESH, STALE = 300, 86400
View = Callable[..., HttpResponse]


def public_page(view: View) -> View:
    """GET and HEAD only, kept for five minutes, then asked for again by its ETag."""
    kept = cache_control(public=True, max_age=FRESH, stale_while_revalidate=STALE)(view)
    return require_safe(conditional_page(kept))


def site_address(request: HttpRequest) -> str:
    """Scheme and host of the site: as configured, else as asked for."""
    return settings.SITE_URL or f"{request.scheme}://{request.get_host()}"
