"""How gunicorn serves the site: by default one process with threads, so that commits overlap and no Redis is needed."""

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
    """Load one of our modules from disk, under a name that no worker imports.

    Workers inherit what the master has imported, so after a reload (SIGHUP) they would otherwise run old code beside
    new.
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
worker_tmp_dir = memory  # what gunicorn's heartbeat file is written to
# Only web processes share their counts, and only they limit a statement's time; a Celery worker's may take longer.
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
    """If a setting is wrong, exit at once with one line, not with the traceback of a worker that can't boot."""
    # In a separate process, because the master must not import our settings.
    check = [sys.executable, "-c", "import manage; manage.read_settings()"]
    if subprocess.run(check, cwd=BASE, check=False).returncode:  # noqa: S603 - ours
        sys.exit(1)
    if folder := os.environ["PROMETHEUS_MULTIPROC_DIR"]:
        rules("count_files").forget_processes(Path(folder))


def post_worker_init(worker: Any) -> None:
    """Before the worker's first request, start its heartbeat, give back the time lost in an outage, and settle what is
    loaded.
    """
    from courseiva.serving.middleware.pulse import pulse
    from courseiva.wsgi import settle

    pulse.start()
    settle()


def when_ready(server: Any) -> None:
    """Print where the site is, as the last line of a start."""
    server.log.info("Courseiva is at http://%s/ (Ctrl-C ends it)", bind.replace("0.0.0.0", "127.0.0.1"))  # noqa: S104
