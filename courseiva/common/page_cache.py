"""Public pages: the same bytes for every visitor, so that we, a proxy and a browser may all keep them.

Ours is a cache of whole answers, compressed once when they are made. A page is made anew when it is a minute old, by
one request, while the others still get the old one; and it is kept for a day, to be shown while the database is away.
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
        """Made a moment ago; not when the clock was set back since."""
        return 0 <= now - self.made < PAGE_SECONDS


def public_page(view: View) -> View:
    """GET and HEAD only; a browser keeps it for five minutes, then asks again by its ETag."""
    kept = cache_control(public=True, max_age=FRESH, stale_while_revalidate=STALE)(view)
    return require_safe(whole_page(kept))


def whole_page(view: View) -> View:
    """Answer from the cache of whole pages. What differs by visitor, or follows a question mark, is never kept."""

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
    """The address as this release draws it: another release's pages name other static files."""
    release = getattr(staticfiles_storage, "manifest_hash", "")
    address = f"{site_address(request)}{request.path} {release}"
    return f"page-{hashlib.sha256(address.encode()).hexdigest()}"


def site_address(request: HttpRequest | None = None) -> str:
    """Scheme and host of the site: as configured, else as asked for, and without a request the first allowed host."""
    asked = f"{request.scheme}://{request.get_host()}" if request else settings.OWN_ADDRESS
    return settings.SITE_URL or asked


def _is_for_all(request: HttpRequest, response: HttpResponse) -> bool:
    """A whole page that was made without looking at who asks."""
    looked = request.session.accessed or request.META.get("CSRF_COOKIE_NEEDS_UPDATE") or response.cookies
    return response.status_code == 200 and not response.streaming and not looked


def _page(response: HttpResponse, old: Page | None) -> Page:
    """The answer to keep; bytes that did not change keep their time.

    The tag is weak, because the page is the same whether it is sent compressed or not.
    """
    body = gzip.compress(response.content, 6, mtime=0)
    now = time.time()
    etag = f'W/"{hashlib.sha256(body).hexdigest()[:32]}"'
    page = Page(body, etag, dict(response.headers), int(now), now)
    return replace(page, changed=old.changed) if old and old.body == body else page


def _answer(request: HttpRequest, page: Page) -> HttpResponse:
    """The kept page, compressed for whoever takes it so."""
    packed = "gzip" in request.headers.get("Accept-Encoding", "")
    response = HttpResponse(page.body if packed else gzip.decompress(page.body), headers=page.headers)
    if packed:
        response.headers["Content-Encoding"] = "gzip"
    patch_vary_headers(response, ["Accept-Encoding"])
    response.headers["ETag"] = page.etag
    response.headers["Last-Modified"] = http_date(page.changed)
    return response
