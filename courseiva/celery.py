"""The Celery application. Tasks have explicit names, may run twice, and are sent only after the commit.

A task carries the id of the request that sent it in its headers, so that its log lines can be found by that id.
"""

import logging
import os
import socket
import sys
from typing import Any

from celery import Celery
from celery.contrib.django.task import DjangoTask
from kombu.exceptions import OperationalError

from courseiva.serving.rules.environment import SettingError
from courseiva.serving.rules.logs import NO_REQUEST, request_id

logger = logging.getLogger("courseiva.celery")
HEADER = "courseiva_request_id"


class SoftTask(DjangoTask):
    """A task that can't fail the request sending it: the rows are already committed, and a sweeper follows."""

    abstract = True

    def apply_async(self, *args: Any, **options: Any) -> Any:
        """Send the task; if the queue can't be reached, log that and return nothing."""
        if request_id.get() != NO_REQUEST:
            options["headers"] = {HEADER: request_id.get(), **(options.get("headers") or {})}
        try:
            return super().apply_async(*args, **options)
        except OperationalError as error:
            logger.warning("task %s was not sent, the queue is unreachable: %s", self.name, error)
            return None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the task; in a worker, under the sender's request id, or its own id if the schedule sent it.

        The id stays until the next task, so that the worker's log line about the end of this one still has it.
        """
        if not self.request.called_directly and not self.request.is_eager:
            request_id.set((self.request.headers or {}).get(HEADER) or self.request.id)
            return self.run(*args, **kwargs)
        return super().__call__(*args, **kwargs)


class PatientCelery(Celery):
    """An application whose workers wait for a Redis that hangs, although requests that send tasks don't.

    A worker whose acknowledgement timed out would keep that task's slot for ever, and finally take no more tasks. If
    Redis's whole machine is gone, the kernel's keepalive probes notice.
    """

    def _load_config(self) -> Any:
        """With a wrong setting, a worker or beat stops with one line."""
        try:
            return super()._load_config()
        except SettingError as error:
            sys.exit(f"courseiva: {error}")

    def connection_for_read(self, url: str | None = None, **kwargs: Any) -> Any:
        """The connection a worker listens and acknowledges on."""
        probes = {socket.TCP_KEEPIDLE: 20, socket.TCP_KEEPINTVL: 5, socket.TCP_KEEPCNT: 3}
        patient = {"socket_timeout": None, "socket_keepalive": True, "socket_keepalive_options": probes}
        return super().connection_for_read(url, transport_options=patient, **kwargs)


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "courseiva.settings")
app = PatientCelery("courseiva", task_cls=SoftTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
