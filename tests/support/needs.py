"""Finds programs that some tests need besides Python, and says how to get a missing one."""

import os
import shutil
from pathlib import Path
from typing import NoReturn

import psycopg2
import pytest
from redis import Redis
from redis.exceptions import RedisError

CHROMIUM_NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
CHROMIUM_SWITCHES = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
LIGHTER_CHROMIUM = Path(__file__).with_name("chromium.sh")
CI_POSTGRES = "postgresql://postgres@127.0.0.1:5432/postgres"
CI_REDIS = "redis://127.0.0.1:6379/0"


def in_ci() -> bool:
    """Return whether CI is set; then no program may be missing."""
    return bool(os.environ.get("CI"))


def missing(what: str, remedy: str) -> NoReturn:
    """Fail in CI; elsewhere, skip with one line that says how to get the program."""
    if in_ci():
        pytest.fail(f"{what} is missing, and in CI nothing may be: {remedy}", pytrace=False)
    pytest.skip(f"needs {what}: {remedy}")


def find_chromium() -> str:
    """Return the path of the system's Chromium, if there is one."""
    return next((path for name in CHROMIUM_NAMES if (path := shutil.which(name))), "")


def find_java() -> str:
    """Return the path of Java, if there is one."""
    return shutil.which("java") or ""


def find_postgres() -> str:
    """Return the address of a PostgreSQL that answers, if there is one: the one given, or in CI the local one."""
    url = os.environ.get("DATABASE_URL", "")
    if not url.startswith("postgres"):
        url = CI_POSTGRES if in_ci() else ""
    if not url:
        return ""
    try:
        psycopg2.connect(url, connect_timeout=3).close()
    except psycopg2.OperationalError:
        return ""
    return url


def find_redis() -> str:
    """Return the address of a Redis that answers, if there is one: the one given, or in CI the local one."""
    url = os.environ.get("REDIS_URL", "") or (CI_REDIS if in_ci() else "")
    if not url:
        return ""
    try:
        with Redis.from_url(url, socket_connect_timeout=2, socket_timeout=2) as client:
            client.ping()
    except RedisError:
        return ""
    return url
