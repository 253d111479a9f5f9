"""How gunicorn serves the site: one process with threads, so that commits overlap and the embedded mode stays whole."""

import os
from typing import Any

bind = f"{os.environ.get('BIND', '127.0.0.1')}:{os.environ.get('PORT', '8000')}"
wsgi_app = "courseiva.wsgi:application"
worker_class = "gthread"
workers = int(os.environ.get("WEB_PROCESSES", "1"))
threads = int(os.environ.get("WEB_THREADS", "8"))
keepalive = 75
timeout = 60
graceful_timeout = 10
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: PTH112, S108 - a heartbeat file, kept off the disk
control_socket_disable = True


def when_ready(server: Any) -> None:
    """Print where the site is, as the last line of a start."""
    server.log.info("Courseiva is at http://%s/ (Ctrl-C ends it)", bind.replace("0.0.0.0", "127.0.0.1"))  # noqa: S104
