"""How gunicorn serves the site: one process with threads, so that commits overlap and the embedded mode stays whole."""

import os
import tempfile
from typing import Any

bind = f"{os.environ.get('BIND', '127.0.0.1')}:{os.environ.get('PORT', '8000')}"
wsgi_app = "courseiva.wsgi:application"
worker_class = "gthread"
workers = int(os.environ.get("WEB_PROCESSES", "1"))
threads = int(os.environ.get("WEB_THREADS", "8"))
keepalive = 75
timeout = 60
graceful_timeout = 10
memory = "/dev/shm" if os.path.isdir("/dev/shm") else tempfile.gettempdir()  # noqa: PTH112, S108 - kept off the disk
worker_tmp_dir = memory  # a heartbeat file
# Only web processes share their counts, and only they cut a statement short; a worker's may take its time.
os.environ.setdefault("COUNTERS_FILE", f"{memory}/courseiva-{os.getuid()}-{os.environ.get('PORT', '8000')}")
os.environ.setdefault("STATEMENT_SECONDS", "20")
control_socket_disable = True

if os.environ.get("DEBUG", "").strip().lower() in {"", "0", "false", "no", "off"}:
    logconfig_dict = {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": "courseiva.serving.rules.logs.JsonFormatter"}},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "json"}},
        "root": {"handlers": ["console"], "level": "WARNING"},
        "loggers": {"gunicorn.error": {"handlers": ["console"], "level": "INFO", "propagate": False}},
    }


def when_ready(server: Any) -> None:
    """Print where the site is, as the last line of a start."""
    server.log.info("Courseiva is at http://%s/ (Ctrl-C ends it)", bind.replace("0.0.0.0", "127.0.0.1"))  # noqa: S104
