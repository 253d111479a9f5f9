"""Addresses for whatever watches the site: is the process alive, can it do its work, and what has it done."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from redis import Redis
from redis.exceptions import RedisError

from courseiva.serving.reads import OK, ask_database, static_files_are_there
from courseiva.serving.views.metrics import metrics


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers. Touches neither database nor Redis, so that trouble there never restarts the web process."""
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """What the site needs is there: 200, else 503 with a word for each and no detail for strangers."""
    words = ask_database(timezone.now())
    words["static"] = OK if static_files_are_there() else "missing"
    if settings.REDIS_URL:
        words["redis"] = OK if _redis_answers(settings.REDIS_URL) else "unreachable"
    return JsonResponse(words, status=200 if set(words.values()) == {OK} else 503)


def answer_probes(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Answer these before the host name is checked: a probe comes by the machine's number, not by its name."""
    probes = {"/healthz": healthz, "/readyz": readyz, "/metrics": metrics}

    def middleware(request: HttpRequest) -> HttpResponse:
        return probes.get(request.path, get_response)(request)

    return middleware


def _redis_answers(url: str) -> bool:
    try:
        with Redis.from_url(url, socket_connect_timeout=1, socket_timeout=1) as client:
            return bool(client.ping())
    except RedisError:
        return False
