"""Request counts shared by all processes of a web server, in prometheus-client's multiprocess mode.

Each process maps its own files in PROMETHEUS_MULTIPROC_DIR (in memory; gunicorn sets it), and the process being scraped
adds them up. Counting continues while database and Redis are down. docs/decisions/0038 says why.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path

from courseiva.serving.rules.count_files import take_room

logger = logging.getLogger("courseiva.counters")
VARIABLE = "PROMETHEUS_MULTIPROC_DIR"

if given := os.environ.get("PROMETHEUS_MULTIPROC_DIR", "").strip():
    if trouble := take_room(Path(given), os.getpid()):
        logger.warning("requests are counted in each process alone: %s", trouble)
        del os.environ[VARIABLE]
else:
    os.environ.pop(VARIABLE, None)  # the library would take an empty string for a folder

# The library reads the variable on import, so it mustn't be imported earlier or elsewhere: use this module.
from prometheus_client import (  # noqa: E402
    CONTENT_TYPE_PLAIN_0_0_4,
    CollectorRegistry,
    Counter,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily  # noqa: E402
from prometheus_client.multiprocess import MultiProcessCollector  # noqa: E402

__all__ = [
    "CONTENT_TYPE_PLAIN_0_0_4",
    "GaugeMetricFamily",
    "all_processes",
    "by_group",
    "by_status",
    "generate_latest",
    "requests",
    "saves",
    "seconds",
]

GROUPS = ("save", "practice", "page", "account", "admin", "other")
CLASSES = ("1xx", "2xx", "3xx", "4xx", "5xx")
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, float("inf"))

disable_created_metrics()
own = CollectorRegistry()
saves = Counter("courseiva_saves_acknowledged", "Batches of answers acknowledged to the player.", registry=own)
requests = Counter(
    "courseiva_requests", "Requests answered, by kind of address and status.", ["group", "status"], registry=own
)
seconds = Histogram(
    "courseiva_request_seconds",
    "Seconds from a request's arrival in the process to its answer.",
    ["group"],
    buckets=BUCKETS,
    registry=own,
)
# All of them at the start: a metric that only appears with its first count has no rate yet, and look-ups are slow.
by_group = {group: seconds.labels(group) for group in GROUPS}
by_status = {(group, int(status[0])): requests.labels(group, status) for group in GROUPS for status in CLASSES}


def all_processes() -> CollectorRegistry:
    """What to scrape: the counts of all processes of this web server, or only this one's if they share no folder."""
    if VARIABLE not in os.environ:
        return own
    registry = CollectorRegistry()
    MultiProcessCollector(registry)
    return registry
