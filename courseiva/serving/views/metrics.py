"""Metrics for Prometheus: requests as they were counted, and waiting work, looked up at each scrape.

One web server's processes count requests together (rules/counters.py): scrape each server. Waiting work is read from
the database and the queue, so every server reports the same.
"""

from __future__ import annotations

import hmac
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
from courseiva.serving.rules.counters import (
    CONTENT_TYPE_PLAIN_0_0_4,
    GaugeMetricFamily,
    all_processes,
    by_group,
    by_status,
    generate_latest,
    saves,
)
from discussion.moderation.reads.queue import waiting_count
from practice.sessions.reads import backlog
from practice.start.rationing import reads as networks

QUEUE_SECONDS = 1
"""One figure of many: a Redis that hangs must not make the whole scrape time out."""
FIRST_PARTS = {"practice": "practice", "accounts": "account", "admin": "admin"}
"""The metric group of a URL, by the first part of its path."""


def count_request(request: HttpRequest, status: int, took: float) -> None:
    """Count a finished request, and the save it acknowledged."""
    group = group_of(request)
    by_status[group, status // 100].inc()
    by_group[group].observe(took)
    if group == "save" and status == 200:
        saves.inc()


def group_of(request: HttpRequest) -> str:
    """The kind of URL; unknown addresses, files and probes are "other"."""
    match = request.resolver_match
    if match is None:
        return "other"
    if match.view_name == "save":
        return "save"
    return FIRST_PARTS.get(match.route.partition("/")[0], "page")


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """All metrics in Prometheus's format, for requests with METRICS_TOKEN; 404 for others."""
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if not settings.METRICS_TOKEN or not hmac.compare_digest(given.encode(), settings.METRICS_TOKEN.encode()):
        raise Http404
    told = generate_latest(all_processes()) + generate_latest(Waiting())
    return HttpResponse(told, content_type=CONTENT_TYPE_PLAIN_0_0_4)


class Waiting:
    """Counts of waiting work. A count that can't be read is left out, so that an outage reports no false figures."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """One metric at a time, as the library asks for them."""
        for name, text, look in _figures():
            try:
                value = look()
            except (DatabaseError, RedisError):
                continue
            if value is not None:
                yield GaugeMetricFamily(name, text, value)


def _figures() -> list[tuple[str, str, Callable[[], float | None]]]:
    mail = cache(lambda: outbox(timezone.now()))  # three metrics from one query
    return [
        ("courseiva_mail_waiting", "Emails waiting for the mail server.", lambda: mail().waiting),
        ("courseiva_mail_oldest_seconds", "How long the oldest has been waiting.", lambda: mail().oldest_seconds),
        ("courseiva_mail_failed", "Emails refused or failed in the last week.", lambda: mail().failed),
        ("courseiva_sessions_open", "Sessions running or paused.", backlog.open_count),
        ("courseiva_queue_depth", "Tasks waiting in the queue.", _queue_depth),
        (
            "courseiva_unanalysed_seconds",
            "How long the oldest finished session has been waiting for analysis.",
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


def _queue_depth() -> float | None:
    """Zero if tasks run in process."""
    if not settings.REDIS_URL:
        return 0
    with Redis.from_url(
        settings.REDIS_URL, socket_connect_timeout=QUEUE_SECONDS, socket_timeout=QUEUE_SECONDS
    ) as client:
        return float(client.llen(getattr(settings, "CELERY_TASK_DEFAULT_QUEUE", "celery")))
