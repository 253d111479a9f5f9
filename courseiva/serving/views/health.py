"""Health checks: is the process alive, and can it do its work."""

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
    """The process responds.

    Touches neither database nor Redis, so that their trouble never restarts the web process.
    """
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """200 if everything the site needs is there, else 503 with a word for each problem and no details."""
    words = ask_database(timezone.now())
    words["static"] = OK if static_files_are_there() else "missing"
    if settings.REDIS_URL:
        words["redis"] = OK if _redis_answers(settings.REDIS_URL) else "unreachable"
    return JsonResponse(words, status=200 if set(words.values()) == {OK} else 503)


def answer_probes(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Respond before the host name is checked: probes use the machine's IP address, not its name."""
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
