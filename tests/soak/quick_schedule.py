"""The site's own settings, with a schedule that comes round in a second and a queue that no other site listens to."""

import os

from courseiva.settings import *  # noqa: F403
from courseiva.settings import CELERY_BEAT_SCHEDULE

CELERY_BEAT_SCHEDULE = {name: {**line, "schedule": 1.0} for name, line in CELERY_BEAT_SCHEDULE.items()}
CELERY_TASK_DEFAULT_QUEUE = os.environ.get("TEST_QUEUE", "celery")
