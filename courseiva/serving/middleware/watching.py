"""Response headers that Django has no setting for, and a log line and a count for each request."""

import logging
import time
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import has_vary_header

from courseiva.serving.rules.logs import request_id, request_id_from
from courseiva.serving.told.paths import told_path
from courseiva.serving.views.metrics import count_request
from practice.learners.reads.identity import DEVICE_COOKIE, drop_device_key_of_another

logger = logging.getLogger("courseiva.requests")
REQUEST_ID = "X-Request-ID"
SENT_ID = "HTTP_X_REQUEST_ID"
POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "worker-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}
HEADERS = {
    "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in POLICY.items()),
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
}


def security_headers(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Put HEADERS on every response, including static files and errors. A view's own value stays.

    Responses that depend on who is asking are never stored, unless the view says otherwise. Plain text gets a charset.
    A view whose page needs more names the directives that differ in its response's ``content_policy``.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        differs = getattr(response, "content_policy", None)
        if differs:
            policy = {**POLICY, **differs}
            response.headers["Content-Security-Policy"] = "; ".join(f"{name} {value}" for name, value in policy.items())
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if has_vary_header(response, "Cookie"):
            response.headers.setdefault("Cache-Control", "private, no-store")
        if response.headers.get("Content-Type") == "text/plain":
            response.headers["Content-Type"] = "text/plain; charset=utf-8"
        return response

    return middleware


def guard_device_key(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """When somebody signs in or out, delete the key to the pages that another person kept on this device.

    Both change the session cookie, so other responses needn't check who is asking. Comes before SessionMiddleware,
    which sets that cookie. docs/decisions/0010 explains the key.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if DEVICE_COOKIE in request.COOKIES and settings.SESSION_COOKIE_NAME in response.cookies:
            drop_device_key_of_another(request, response)
        return response

    return middleware


def watch_requests(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Give each request an id, and log and count its response.

    Failed responses return the id, so that a person can quote it, and so does any response to a client that sent one.
    Others are left alone, because a public page is the same for every visitor.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        given = request.META.get(SENT_ID)  # request.headers would parse all of them for each request
        token = request_id.set(request_id_from(given))
        began = time.perf_counter()
        try:
            response = get_response(request)
            seconds = time.perf_counter() - began
            count_request(request, response.status_code, seconds)
            if given or response.status_code >= 400:
                response.headers[REQUEST_ID] = request_id.get()
            facts = {"method": request.method, "path": told_path(request), "status": response.status_code}
            logger.info("request", extra={**facts, "ms": round(1000 * seconds, 1)})
            return response
        finally:
            request_id.reset(token)

    return middleware
