"""What the site tells Prometheus: requests as they were counted, and what waits, looked up at each scrape.

Requests are counted by the processes of one web server together (courseiva.counters): scrape each server. What waits is
read from the database and the queue, so every server says the same of it.
"""

from __future__ import annotations

import hmac
import itertools
from collections.abc import Callable, Iterator
from functools import cache

from django.conf import settings
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from redis import Redis
from redis.exceptions import RedisError

from courseiva.outbox.reads import outbox
from courseiva.serving.rules.counters import Counters
from discussion.moderation.reads.queue import waiting_count
from practice.sessions.reads import backlog
from practice.start.rationing import reads as networks

GROUPS = ("save", "practice", "page", "account", "admin", "other")
CLASSES = ("1xx", "2xx", "3xx", "4xx", "5xx")
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, float("inf"))
QUEUE_SECONDS = 1
SAVES = "saves"
counters = Counters(
    [
        SAVES,
        *(f"{group} {status}" for group in GROUPS for status in CLASSES),
        *(f"{group} within {limit}" for group in GROUPS for limit in BUCKETS),
        *(f"{group} seconds" for group in GROUPS),
    ],
    settings.COUNTERS_FILE,
)


def count_request(request: HttpRequest, status: int, seconds: float) -> None:
    """Count an answered request, and the save it acknowledged."""
    group = group_of(request)
    limit = next(limit for limit in BUCKETS if seconds <= limit)
    amounts = {f"{group} {status // 100}xx": 1.0, f"{group} within {limit}": 1.0, f"{group} seconds": seconds}
    if group == "save" and status == 200:
        amounts[SAVES] = 1.0
    counters.add(amounts)


def group_of(request: HttpRequest) -> str:
    """Which kind of address it was; what led nowhere, files and probes are other."""
    match = request.resolver_match
    if match is None:
        return "other"
    if match.view_name == "save":
        return "save"
    first = match.route.partition("/")[0]
    named = {"practice": "practice", "accounts": "account", "admin": "admin"}
    return named.get(first, "page")


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Everything as Prometheus reads it, for whoever brings METRICS_TOKEN; for others there is no such page."""
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if not settings.METRICS_TOKEN or not hmac.compare_digest(given.encode(), settings.METRICS_TOKEN.encode()):
        raise Http404
    text = "\n".join([*_requests(counters.read()), *_waiting(), ""])
    return HttpResponse(text, content_type="text/plain; version=0.0.4; charset=utf-8")


def _requests(counted: dict[str, float]) -> Iterator[str]:
    yield from _head("courseiva_saves_acknowledged_total", "counter", "Batches of answers acknowledged to the player.")
    yield f"courseiva_saves_acknowledged_total {counted[SAVES]:.0f}"
    yield from _head("courseiva_requests_total", "counter", "Requests answered, by kind of address and status.")
    for group in GROUPS:
        for status in CLASSES:
            yield f'courseiva_requests_total{{group="{group}",status="{status}"}} {counted[f"{group} {status}"]:.0f}'
    name = "courseiva_request_seconds"
    yield from _head(name, "histogram", "Seconds from a request's arrival in the process to its answer.")
    for group in GROUPS:
        sums = itertools.accumulate(counted[f"{group} within {limit}"] for limit in BUCKETS)
        total = 0.0
        for limit, total in zip(BUCKETS, sums, strict=True):
            le = "+Inf" if limit == float("inf") else f"{limit:g}"
            yield f'{name}_bucket{{group="{group}",le="{le}"}} {total:.0f}'
        yield f'{name}_sum{{group="{group}"}} {counted[f"{group} seconds"]:.6f}'
        yield f'{name}_count{{group="{group}"}} {total:.0f}'


def _waiting() -> Iterator[str]:
    """What waits now. What cannot be looked up is left out, so that nothing false is told while a part is away."""
    mail = cache(lambda: outbox(timezone.now()))  # three figures of one statement
    gauges: list[tuple[str, str, Callable[[], float | None]]] = [
        ("courseiva_mail_waiting", "Emails waiting for the mail server.", lambda: mail().waiting),
        ("courseiva_mail_oldest_seconds", "How long the oldest of them has waited.", lambda: mail().oldest_seconds),
        ("courseiva_mail_failed", "Emails refused or given up in the last week.", lambda: mail().failed),
        ("courseiva_sessions_open", "Sessions running or paused.", backlog.open_count),
        ("courseiva_queue_depth", "Tasks waiting in the queue.", _queue_depth),
        (
            "courseiva_unanalysed_seconds",
            "How long the oldest finished session has waited for analysis.",
            lambda: backlog.longest_unanalysed(timezone.now()),
        ),
        (
            "courseiva_guest_reserved_solutions",
            "Reserved solutions shown to guests in the last hour.",
            lambda: networks.shown_in_hour(timezone.now()),
        ),
        (
            "courseiva_guest_networks_flagged",
            "Guest networks above a limit in the admin's list.",
            lambda: networks.flagged_count(timezone.now()),
        ),
        ("courseiva_moderation_backlog", "Comments waiting for a moderator.", waiting_count),
    ]
    for name, text, look in gauges:
        try:
            value = look()
        except (DatabaseError, RedisError):
            continue
        if value is not None:
            yield from _head(name, "gauge", text)
            yield f"{name} {value:g}"


def _queue_depth() -> float | None:
    """Nothing waits where tasks run in process."""
    if not settings.REDIS_URL:
        return 0
    with Redis.from_url(
        settings.REDIS_URL, socket_connect_timeout=QUEUE_SECONDS, socket_timeout=QUEUE_SECONDS
    ) as client:
        return float(client.llen(getattr(settings, "CELERY_TASK_DEFAULT_QUEUE", "celery")))


def _head(name: str, kind: str, text: str) -> Iterator[str]:
    yield f"# HELP {name} {text}"
    yield f"# TYPE {name} {kind}"
