"""How gunicorn serves the site: one process with threads, so that commits overlap and the embedded mode stays whole."""

import os
import subprocess
import sys
import tempfile
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

BASE = Path(__file__).parent


def rules(name: str) -> Any:
    """A module of ours, read from the disk at each reload and under no name that a worker would import.

    What the master has imported its workers inherit: after a reload (SIGHUP) they would run old code beside new.
    """
    loader = SourceFileLoader(f"gunicorn_{name}", str(BASE / "courseiva" / "serving" / "rules" / f"{name}.py"))
    module = ModuleType(loader.name)
    loader.exec_module(module)
    return module


environment = rules("environment")
try:
    port, workers, threads = environment.read_web_server(os.environ)
except environment.SettingError as error:
    sys.exit(f"courseiva: {error}")
bind = f"{os.environ.get('BIND', '127.0.0.1')}:{port}"
wsgi_app = "courseiva.wsgi:application"
worker_class = "gthread"
keepalive = 75
timeout = 60
graceful_timeout = 10
memory = "/dev/shm" if os.path.isdir("/dev/shm") else tempfile.gettempdir()  # noqa: PTH112, S108 - kept off the disk
worker_tmp_dir = memory  # a heartbeat file
# Only web processes share their counts, and only they cut a statement short; a worker's may take its time.
os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", f"{memory}/courseiva-{os.getuid()}-{port}")
os.environ.setdefault("STATEMENT_SECONDS", "20")
control_socket_disable = True

if os.environ.get("DEBUG", "").strip().lower() in {"", "0", "false", "no", "off"}:
    logconfig_dict = {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": rules("logs").JsonFormatter}},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "json"}},
        "root": {"handlers": ["console"], "level": "WARNING"},
        "loggers": {"gunicorn.error": {"handlers": ["console"], "level": "INFO", "propagate": False}},
    }


def on_starting(server: Any) -> None:
    """End at once and in one line where a setting is wrong, not with the traceback of a worker that can't boot."""
    # In a process of its own, for the same reason.
    check = [sys.executable, "-c", "import manage; manage.read_settings()"]
    if subprocess.run(check, cwd=BASE, check=False).returncode:  # noqa: S603 - ours
        sys.exit(1)
    if folder := os.environ["PROMETHEUS_MULTIPROC_DIR"]:
        rules("count_files").forget_processes(Path(folder))


def post_worker_init(worker: Any) -> None:
    """In the worker, before its first request: note that the site serves, and give back what an outage took."""
    from courseiva.serving.middleware.pulse import pulse

    pulse.start()


def when_ready(server: Any) -> None:
    """Print where the site is, as the last line of a start."""
    server.log.info("Courseiva is at http://%s/ (Ctrl-C ends it)", bind.replace("0.0.0.0", "127.0.0.1"))  # noqa: S104
