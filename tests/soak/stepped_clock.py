"""The site's own settings on a machine whose clock a test sets: a file holds how many seconds ahead it is."""

import os
import time
from pathlib import Path

from django.utils import timezone

from tests.support.live_settings import *  # noqa: F403

AHEAD = Path(os.environ["TEST_CLOCK"])
true_time, true_now = time.time, timezone.now


def ahead() -> float:
    """Return how many seconds the clock is ahead at the moment."""
    return float(AHEAD.read_text() or 0)


time.time = lambda: true_time() + ahead()
timezone.now = lambda: true_now() + timezone.timedelta(seconds=ahead())
