"""Starts without containers what docker-compose.yml starts: the web server, a worker and the beat schedule.

DATABASE_URL and REDIS_URL say where PostgreSQL and Redis are; the database is created if it is missing. DEBUG is off.
When one of the three ends, or on a signal, all three end.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import unquote, urlsplit, urlunsplit

import psycopg2

BASE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(BASE))
from courseiva.serving.rules.environment import kept_key  # noqa: E402 - after the path

PYTHON = sys.executable
PATIENCE = 20


def main() -> None:
    """Check the required settings, prepare the site, and keep its processes running until one of them ends."""
    for name, example in (
        ("DATABASE_URL", "postgresql://postgres@127.0.0.1:5432/courseiva_stack"),
        ("REDIS_URL", "redis://127.0.0.1:6379/1"),
    ):
        if not os.environ.get(name, "").startswith(example.partition(":")[0]):
            sys.exit(f"make stack needs {name}, for example {name}={example}")
    os.environ.pop("DEBUG", None)
    os.environ["PYTHONUNBUFFERED"] = "1"  # prints Celery's banners as it starts, not when it ends
    (BASE / ".run").mkdir(exist_ok=True)
    os.environ.setdefault("SECRET_KEY", kept_key(BASE / ".run" / "stack-key"))
    if not os.environ.get("SITE_URL"):  # links in emails then lead to this server
        os.environ["SITE_URL"] = f"http://127.0.0.1:{os.environ.get('PORT') or 8000}"
        os.environ.setdefault("ALLOWED_HOSTS", "127.0.0.1,localhost")
    _make_database(os.environ["DATABASE_URL"])
    for command in (["migrate", "--noinput", "-v0"], ["collectstatic", "--noinput", "-v0"], ["load_bank", "fixtures"]):
        subprocess.run([PYTHON, "manage.py", *command], cwd=BASE, check=True)
    sys.exit(_keep_running())


def _make_database(url: str) -> None:
    """Create the database that the address names if the server has none of that name."""
    parts = urlsplit(url)
    name = unquote(parts.path.lstrip("/"))
    connection = psycopg2.connect(urlunsplit(parts._replace(path="/postgres")))
    try:
        connection.autocommit = True
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name])
            if cursor.fetchone() is None:
                quoted = name.replace('"', '""')
                cursor.execute(f'CREATE DATABASE "{quoted}"')
    finally:
        connection.close()


def _keep_running() -> int:
    """Run all three; returns 0 after a signal, 1 if one of them ended by itself."""
    celery = [PYTHON, "-m", "celery", "-A", "courseiva"]
    schedule = str(BASE / ".run" / f"stack-beat-{os.getpid()}")
    commands = (
        [PYTHON, "-m", "gunicorn"],
        [*celery, "worker", "--loglevel", "info", "--concurrency", "2"],
        [*celery, "beat", "--loglevel", "info", "--schedule", schedule, "--pidfile="],
    )
    told: list[int] = []
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda which, _: told.append(which))
    processes = [subprocess.Popen(command, cwd=BASE) for command in commands]
    while not told and all(process.poll() is None for process in processes):
        time.sleep(0.2)
    for process in processes:
        process.terminate()
    for process in processes:
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
    for left in (BASE / ".run").glob(f"{Path(schedule).name}*"):
        left.unlink()
    return 0 if told else 1


if __name__ == "__main__":
    main()
