"""Runs parts of the site in processes of their own, with an environment that holds only what the test gives."""

import os
import subprocess
import sys
from pathlib import Path

BASE = Path(__file__).resolve().parent.parent.parent
OURS = {"DEBUG", "SECRET_KEY", "ALLOWED_HOSTS", "SITE_URL", "DATABASE_URL", "REDIS_URL", "EMAIL_URL", "EMAIL_FROM"}
OURS |= {"PROXY_COUNT", "DJANGO_SETTINGS_MODULE", "PORT", "BIND", "WEB_THREADS", "WEB_PROCESSES", "DJANGO_ALLOW_ASYNC_UNSAFE"}


def bare_environment(**ours: str) -> dict[str, str]:
    """This process's environment without any of the site's own settings, and with those given."""
    return {**{name: value for name, value in os.environ.items() if name not in OURS}, **ours}


def run_python(*arguments: str, timeout: float = 60, **ours: str) -> subprocess.CompletedProcess[str]:
    """Run Python in the project's folder with these settings; return what it said."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=BASE,
        env=bare_environment(**ours),
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
