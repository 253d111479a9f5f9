"""Addresses for whatever watches the site: is the process alive, can it do its work, and what has it done."""

from collections.abc import Callable

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from redis import Redis
from redis.exceptions import RedisError

from courseiva.serving.views.metrics import metrics


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers. Touches neither database nor Redis, so that their trouble never restarts the web process."""
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """The database answers, and Redis where it is configured; 503 otherwise, with no detail for strangers."""
    checks = {"database": _database_answers()}
    if settings.REDIS_URL:
        checks["redis"] = _redis_answers(settings.REDIS_URL)
    words = {name: "ok" if fine else "unreachable" for name, fine in checks.items()}
    return JsonResponse(words, status=200 if all(checks.values()) else 503)


def answer_probes(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Answer these before the host name is checked: a probe comes by the machine's number, not by its name."""
    probes = {"/healthz": healthz, "/readyz": readyz, "/metrics": metrics}

    def middleware(request: HttpRequest) -> HttpResponse:
        return probes.get(request.path, get_response)(request)

    return middleware


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def _redis_answers(url: str) -> bool:
    try:
        with Redis.from_url(url, socket_connect_timeout=1, socket_timeout=1) as client:
            return bool(client.ping())
    except RedisError:
        return False
