"""The site's own settings, with a schedule that repeats every second and a queue that no other site listens to.

The nightly calibration, which takes a second or two, runs every ten seconds.
"""

import os

from courseiva.settings import *  # noqa: F403
from courseiva.settings import CELERY_BEAT_SCHEDULE

LEFT_OUT = os.environ.get("TEST_LEFT_OUT", "")
CELERY_BEAT_SCHEDULE = {
    name: {**line, "schedule": 10.0 if name == "calibrate" else 1.0}
    for name, line in CELERY_BEAT_SCHEDULE.items()
    if name != LEFT_OUT
}
CELERY_TASK_DEFAULT_QUEUE = os.environ.get("TEST_QUEUE", "celery")
