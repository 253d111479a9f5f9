"""Public pages: the same bytes for every visitor, so that we, a proxy and a browser can all cache them.

Our own cache stores whole responses, compressed once. When a page is a minute old, one request renders it again while
the others still get the old one. It is kept for a day, to be shown while the database is down.
"""

from __future__ import annotations

import gzip
import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.cache import caches
from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.utils.http import http_date
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, require_safe

# A browser's copy may be five minutes old, the site's own a minute, because withdrawals and corrections wait for it. A
# process's turn to render ends after 30 seconds, even if it was killed.
FRESH, STALE = 300, 86400
PAGE_SECONDS, TURN_SECONDS = 60, 30
View = Callable[..., HttpResponse]


@dataclass(frozen=True)
class Page:
    body: bytes
    etag: str
    headers: dict[str, str]
    changed: int
    made: float

    def is_fresh(self, now: float) -> bool:
        """Whether it was made within the last minute; False if the clock has since been set back."""
        return 0 <= now - self.made < PAGE_SECONDS


def public_page(view: View) -> View:
    """GET and HEAD only; browsers keep it for five minutes, then revalidate by ETag."""
    kept = cache_control(public=True, max_age=FRESH, stale_while_revalidate=STALE)(view)
    return require_safe(whole_page(kept))


def whole_page(view: View) -> View:
    """Respond from the page cache. Nothing that depends on the visitor or has a query string is ever stored."""

    @conditional_page
    @wraps(view)
    def kept(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if request.META.get("QUERY_STRING"):
            return view(request, *args, **kwargs)
        cache, key = caches["pages"], page_key(request)
        old: Page | None = cache.get(key)
        if old and (old.is_fresh(time.time()) or not cache.add(f"{key}-turn", 1, TURN_SECONDS)):
            return _answer(request, old)
        try:
            response = view(request, *args, **kwargs)
        except (DatabaseError, InterfaceError):
            if old is None:
                raise
            return _answer(request, old)
        if not _is_for_all(request, response):
            cache.delete(key)
            return response
        page = _page(response, old)
        cache.set(key, page, STALE)
        return _answer(request, page)

    return kept


def page_key(request: HttpRequest) -> str:
    """The URL, for this release: another release's pages link to other static files."""
    release = getattr(staticfiles_storage, "manifest_hash", "")
    address = f"{site_address(request)}{request.path} {release}"
    return f"page-{hashlib.sha256(address.encode()).hexdigest()}"


def site_address(request: HttpRequest | None = None) -> str:
    """The site's scheme and host: as configured, else from the request, or without one the first allowed host."""
    asked = f"{request.scheme}://{request.get_host()}" if request else settings.OWN_ADDRESS
    return settings.SITE_URL or asked


def _is_for_all(request: HttpRequest, response: HttpResponse) -> bool:
    """Whether it's a complete page that doesn't depend on who is asking."""
    looked = request.session.accessed or request.META.get("CSRF_COOKIE_NEEDS_UPDATE") or response.cookies
    return response.status_code == 200 and not response.streaming and not looked


def _page(response: HttpResponse, old: Page | None) -> Page:
    """The response to store; if its bytes haven't changed, neither does its modification time.

    The ETag is weak, because the page is the same whether or not it is sent compressed.
    """
    body = gzip.compress(response.content, 6, mtime=0)
    now = time.time()
    etag = f'W/"{hashlib.sha256(body).hexdigest()[:32]}"'
    page = Page(body, etag, dict(response.headers), int(now), now)
    return replace(page, changed=old.changed) if old and old.body == body else page


def _answer(request: HttpRequest, page: Page) -> HttpResponse:
    """The stored page, compressed for clients that accept that."""
    packed = "gzip" in request.headers.get("Accept-Encoding", "")
    response = HttpResponse(page.body if packed else gzip.decompress(page.body), headers=page.headers)
    if packed:
        response.headers["Content-Encoding"] = "gzip"
    patch_vary_headers(response, ["Accept-Encoding"])
    response.headers["ETag"] = page.etag
    response.headers["Last-Modified"] = http_date(page.changed)
    return response
