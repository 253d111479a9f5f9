"""The Celery application. Tasks are named explicitly, may run twice, and are sent only after the commit."""

import logging
import os
from typing import Any

from celery import Celery
from celery.contrib.django.task import DjangoTask
from kombu.exceptions import OperationalError

logger = logging.getLogger("courseiva.celery")


class SoftTask(DjangoTask):
    """A task whose sending never fails the request that sends it: the rows are already committed, a sweeper follows."""

    abstract = True

    def apply_async(self, *args: Any, **options: Any) -> Any:
        """Send the task; when the queue cannot be reached, log it and return nothing."""
        try:
            return super().apply_async(*args, **options)
        except OperationalError as error:
            logger.warning("task %s was not sent, the queue is unreachable: %s", self.name, error)
            return None


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "courseiva.settings")
app = Celery("courseiva", task_cls=SoftTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
