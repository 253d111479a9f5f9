"""In a separate process, a missing or wrong setting is named at the start, and production has strict settings."""

import copy
import json
import subprocess
from functools import cache

import pytest

from tests.support.subprocesses import run_python

PRODUCTION = {"SECRET_KEY": "x" * 60, "ALLOWED_HOSTS": "learn.example.org"}
VARIED_KEY = "abcdefghijklmnopqrstuvwxyz0123456789" * 2
SHOW = """
import json, sys
from courseiva import settings
print(json.dumps({name: getattr(settings, name, None) for name in sys.argv[1:]}, default=str))
"""


def shown(*names: str, **variables: str) -> dict[str, object]:
    """Return the values these settings have when these variables are set."""
    return copy.deepcopy(_shown(names, tuple(variables.items())))


@cache
def _shown(names: tuple[str, ...], variables: tuple[tuple[str, str], ...]) -> dict[str, object]:
    result = run_python("-c", SHOW, *names, **dict(variables))
    assert result.returncode == 0, result.stderr
    values: dict[str, object] = json.loads(result.stdout)
    return values


@pytest.mark.parametrize(
    ("variables", "name"),
    [
        ({}, "SECRET_KEY"),
        ({"SECRET_KEY": "x" * 32}, "ALLOWED_HOSTS"),
        ({**PRODUCTION, "SECRET_KEY": "x" * 31}, "SECRET_KEY"),
        ({"DEBUG": "maybe"}, "DEBUG"),
        ({**PRODUCTION, "DATABASE_URL": "oracle://x"}, "DATABASE_URL"),
        ({**PRODUCTION, "EMAIL_URL": "pigeon://x"}, "EMAIL_URL"),
        ({**PRODUCTION, "HSTS_PRELOAD": "1"}, "HSTS_SECONDS"),
        ({**PRODUCTION, "METRICS_TOKEN": "short"}, "METRICS_TOKEN"),
        ({**PRODUCTION, "SENTRY_DSN": "https://errors.example.org/1"}, "SENTRY_DSN"),
    ],
)
def test_a_wrong_or_missing_value_stops_the_start_with_one_line(variables: dict[str, str], name: str) -> None:
    result = run_python("manage.py", "check", **variables)
    assert result.returncode == 1
    assert result.stderr.startswith(f"courseiva: {name} ")
    assert len(result.stderr.splitlines()) == 1
    assert result.stderr.count(". ") >= 1, "what is wrong, and then the remedy"


def test_production_has_strict_settings() -> None:
    values = shown(
        "DEBUG",
        "SESSION_COOKIE_NAME",
        "CSRF_COOKIE_NAME",
        "SESSION_COOKIE_SECURE",
        "CSRF_COOKIE_SECURE",
        "CSRF_COOKIE_HTTPONLY",
        "SECURE_HSTS_SECONDS",
        "SECURE_HSTS_PRELOAD",
        "SECURE_PROXY_SSL_HEADER",
        "ACCOUNT_DEFAULT_HTTP_PROTOCOL",
        **PRODUCTION,
    )
    assert values == {
        "DEBUG": False,
        "SESSION_COOKIE_NAME": "__Host-sessionid",
        "CSRF_COOKIE_NAME": "__Host-csrftoken",
        "SESSION_COOKIE_SECURE": True,
        "CSRF_COOKIE_SECURE": True,
        "CSRF_COOKIE_HTTPONLY": False,
        "SECURE_HSTS_SECONDS": 300,
        "SECURE_HSTS_PRELOAD": False,
        "SECURE_PROXY_SSL_HEADER": ["HTTP_X_FORWARDED_PROTO", "https"],
        "ACCOUNT_DEFAULT_HTTP_PROTOCOL": "https",
    }


def test_without_a_proxy_no_forwarded_header_is_trusted() -> None:
    values = shown("SECURE_PROXY_SSL_HEADER", "ALLAUTH_TRUSTED_PROXY_COUNT", **PRODUCTION, PROXY_COUNT="0")
    assert values == {"SECURE_PROXY_SSL_HEADER": None, "ALLAUTH_TRUSTED_PROXY_COUNT": 0}


def test_one_variable_moves_cache_and_queue_to_redis() -> None:
    names = ("CACHES", "CELERY_BROKER_URL", "CELERY_TASK_ALWAYS_EAGER")
    embedded = shown(*names, **PRODUCTION)
    assert "locmem" in str(embedded["CACHES"])
    assert (embedded["CELERY_BROKER_URL"], embedded["CELERY_TASK_ALWAYS_EAGER"]) == ("memory://", True)
    url = "redis://redis.example:6379/0"
    queued = shown(*names, **PRODUCTION, REDIS_URL=url)
    assert "SoftRedisCache" in str(queued["CACHES"])
    assert (queued["CELERY_BROKER_URL"], queued["CELERY_TASK_ALWAYS_EAGER"]) == (url, False)


def test_debug_alone_is_enough_to_start_and_shows_mailed_links() -> None:
    values = shown("ALLOWED_HOSTS", "EMAIL_BACKEND", "SESSION_COOKIE_NAME", DEBUG="1", SECRET_KEY="x")
    assert values["EMAIL_BACKEND"] == "courseiva.accounts.mail.CapturingBackend"
    assert values["ALLOWED_HOSTS"] == ["127.0.0.1", "localhost", "[::1]"]
    assert values["SESSION_COOKIE_NAME"] is None


def test_mail_is_captured_only_with_debug() -> None:
    backend = shown("EMAIL_BACKEND", **PRODUCTION)["EMAIL_BACKEND"]
    assert backend == "django.core.mail.backends.console.EmailBackend"


def test_the_sites_address_sets_hosts_origins_and_https() -> None:
    names = ("ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS", "SECURE_SSL_REDIRECT")
    address = "https://learn.example.org"
    values = shown(*names, SECRET_KEY="x" * 32, SITE_URL=f"{address}/")
    assert list(values.values()) == [["learn.example.org"], [address], True]
    values = shown(*names, SECRET_KEY="x" * 32, SITE_URL=f"{address}:8443", ALLOWED_HOSTS="www.example.org")
    assert list(values.values()) == [["www.example.org", "learn.example.org"], [f"{address}:8443"], True]
    assert list(shown(*names, **PRODUCTION).values()) == [["learn.example.org"], [], False]
    debug = shown(*names, SECRET_KEY="x", SITE_URL=address, DEBUG="1")
    assert debug["ALLOWED_HOSTS"] == ["127.0.0.1", "localhost", "[::1]", "learn.example.org"]


def test_only_the_web_server_limits_how_long_a_statement_may_run() -> None:
    url = "postgresql://u@h/n"
    plain = shown("DATABASES", **PRODUCTION, DATABASE_URL=url)
    web = shown("DATABASES", **PRODUCTION, DATABASE_URL=url, STATEMENT_SECONDS="20")
    assert plain["DATABASES"]["default"]["OPTIONS"]["options"] == "-c synchronous_commit=on -c jit=off"  # type: ignore[index]
    options = "-c synchronous_commit=on -c jit=off -c statement_timeout=20s"
    assert web["DATABASES"]["default"]["OPTIONS"]["options"] == options  # type: ignore[index]
    small = shown("DATABASES", **PRODUCTION, STATEMENT_SECONDS="20")
    assert "options" not in small["DATABASES"]["default"]["OPTIONS"]  # type: ignore[index]


def deployment_check(**more: str) -> subprocess.CompletedProcess[str]:
    site = {"SECRET_KEY": VARIED_KEY, "SITE_URL": "https://learn.example.org", **more}
    return run_python("manage.py", "check", "--deploy", "--fail-level", "DEBUG", **site)


@pytest.mark.long("many processes")
@pytest.mark.parametrize("more", [{}, {"HSTS_PRELOAD": "1"}])
def test_the_deployment_check_finds_nothing_in_a_complete_setup(more: dict[str, str]) -> None:
    result = deployment_check(HSTS_SECONDS="31536000", **more)
    assert "no issues" in result.stdout, result.stderr
    assert result.returncode == 0, result.stderr


@pytest.mark.long("many processes")
@pytest.mark.parametrize("seconds", ["", "0", "300", "31535999"])
def test_the_deployment_check_warns_about_hsts_under_a_year(seconds: str) -> None:
    result = deployment_check(**({"HSTS_SECONDS": seconds} if seconds else {}))
    assert result.returncode == 1
    assert "(courseiva.W001)" in result.stderr
    assert "HSTS_SECONDS" in result.stderr
    assert "docs/operating.md" in result.stderr
