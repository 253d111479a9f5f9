"""Reads the operator's settings from environment variables; a wrong value is refused with its name and the fix.

Pure: no Django, no files except the generated key. docs/operating.md lists every variable read here.
"""

import os
import re
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

TRUE_WORDS = {"1", "true", "yes", "on"}
FALSE_WORDS = {"", "0", "false", "no", "off"}
LOCAL_HOSTS = ["127.0.0.1", "localhost", "[::1]"]
SQLITE_BUSY_SECONDS = 20
"""Only one connection can write at a time. The longest transactions are an import's batches and the nightly run's; a
save must outlast those."""
POSTGRES_CONNECT_SECONDS = 5
"""Without it a request would hang for minutes on a machine that is gone, and all threads with it."""
POSTGRES_KEEP_SECONDS = 600
"""A new connection costs several statements' time. Not for ever, so that a server's memory for old ones is given
back."""
SHORTEST_TOKEN = 16
"""It can only be guessed over the network, where 16 random characters are out of reach."""
SHORTEST_KEY = 32
"""Longer, because somebody with a signed value can guess offline at full speed; 32 random characters withstand that."""
GUEST_POOL_PERCENT, GUEST_MOCKS_A_DAY = 50, 3
"""Defaults for reserved questions: the monthly share, and the mocks a day from one network."""
HSTS_YEAR = 365 * 24 * 3600
BARE_ADDRESS = re.compile(r"[^\s<>@:,]+@[^\s<>@:,]+\.[^\s<>@:,]+")
OIDC_REMEDY = "Set it to the provider's https address, without /.well-known/: https://login.example.org/realms/staff"
CONSOLE_EMAIL = "django.core.mail.backends.console.EmailBackend"
OUTBOX_EMAIL = "courseiva.outbox.backend.OutboxBackend"

Environ = Mapping[str, str]
Config = dict[str, Any]


class SettingError(ValueError):
    """A setting is missing or wrong. The message names the variable, the problem and the fix."""

    def __init__(self, name: str, trouble: str, remedy: str) -> None:
        self.name = name
        super().__init__(f"{name} {trouble}. {remedy}")


def read_flag(environ: Environ, name: str, default: bool = False) -> bool:
    """A yes or no. Anything else is refused, because a misspelt DEBUG must count as neither."""
    if name not in environ:
        return default
    word = environ[name].strip().lower()
    if word in TRUE_WORDS:
        return True
    if word in FALSE_WORDS:
        return False
    raise SettingError(name, f"is {environ[name]!r}", "Set it to 1 or 0.")


def read_number(environ: Environ, name: str, default: int, low: int, high: int) -> int:
    """A whole number from low to high."""
    text = environ.get(name, "").strip()
    if not text:
        return default
    if not text.isdecimal() or not low <= int(text) <= high:
        raise SettingError(name, f"is {text!r}", f"Set it to a whole number from {low} to {high}.")
    return int(text)


def read_secret_key(environ: Environ, debug: bool, key_file: Path) -> str:
    """The signing key. With DEBUG on and none given, one is generated once and kept in a file that git ignores."""
    key = environ.get("SECRET_KEY", "").strip()
    recipe = 'python3 -c "import secrets; print(secrets.token_urlsafe(50))"'
    remedy = f"Set it to a long random string, for example from: {recipe}"
    if key and not debug and len(key) < SHORTEST_KEY:
        raise SettingError("SECRET_KEY", "is too short to be a secret", remedy)
    if key:
        return key
    if not debug:
        raise SettingError("SECRET_KEY", "is not set, and DEBUG is off", remedy)
    return kept_key(key_file)


def kept_key(key_file: Path) -> str:
    """Read the generated key, or generate it. Two processes that start at once get the same key."""
    try:
        with os.fdopen(os.open(key_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(50))
    except FileExistsError:
        pass
    except OSError as error:
        raise SettingError(
            "SECRET_KEY", f"is not set, and a generated key couldn't be saved ({error})", "Set SECRET_KEY."
        ) from error
    key = key_file.read_text().strip()
    if not key:
        raise SettingError("SECRET_KEY", f"is not set, and {key_file.name} is empty", f"Delete {key_file.name}.")
    return key


def read_allowed_hosts(environ: Environ, debug: bool, site_url: str = "") -> list[str]:
    """The host names this site answers to: those given and SITE_URL's. With DEBUG on, only this machine's."""
    hosts = [host.strip() for host in environ.get("ALLOWED_HOSTS", "").split(",") if host.strip()]
    remedy = "Set it to the site's host names, separated by commas, for example: learn.example.org (or set SITE_URL)"
    for host in hosts:
        if "/" in host or (":" in host and not host.startswith("[")):
            raise SettingError("ALLOWED_HOSTS", f"contains {host!r}, which isn't a bare host name", remedy)
    if debug and not hosts:
        hosts = list(LOCAL_HOSTS)
    named = urlsplit(site_url).netloc.removesuffix(f":{urlsplit(site_url).port}")
    if named and named not in hosts:
        hosts.append(named)
    if hosts:
        return hosts
    raise SettingError("ALLOWED_HOSTS", "is not set, and DEBUG is off", remedy)


def read_site_url(environ: Environ) -> str:
    """The site's scheme and host, without a trailing slash; empty to use each request's own host."""
    text = environ.get("SITE_URL", "").strip().rstrip("/")
    if not text:
        return ""
    remedy = "Set it to scheme and host, for example: https://learn.example.org"
    parts = split_address("SITE_URL", text, remedy)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.path or parts.query or parts.username:
        raise SettingError("SITE_URL", f"is {text!r}", remedy)
    return text


def read_sentry_dsn(environ: Environ) -> str:
    """The Sentry server that errors are sent to as well as to the log; empty for none."""
    text = environ.get("SENTRY_DSN", "").strip()
    if not text:
        return ""
    remedy = "Copy it from the project's settings there, for example: https://key@errors.example.org/1"
    parts = split_address("SENTRY_DSN", text, remedy)
    if parts.scheme not in {"http", "https"} or not (parts.hostname and parts.username and parts.path.strip("/")):
        raise SettingError("SENTRY_DSN", "is no address of a project", remedy)
    return text


def read_metrics_token(environ: Environ) -> str:
    """The secret for /metrics; if empty, nobody can read it."""
    token = environ.get("METRICS_TOKEN", "").strip()
    if token and len(token) < SHORTEST_TOKEN:
        remedy = f"Set it to a random string of at least {SHORTEST_TOKEN} characters, or leave it out."
        raise SettingError("METRICS_TOKEN", "is too short to be a secret", remedy)
    return token


def read_own_address(environ: Environ, debug: bool, site_url: str, hosts: list[str]) -> str:
    """Scheme and host for links made outside a request: in email that a task writes."""
    if site_url:
        return site_url
    host = next((host.lstrip(".") for host in hosts if host != "*"), "localhost")
    return f"http://{host}:{environ.get('PORT', '').strip() or 8000}" if debug else f"https://{host}"


def read_web_server(environ: Environ) -> tuple[int, int, int]:
    """gunicorn's port, processes and threads.

    More than one process needs Redis. Otherwise each would have its own cache, and so its own count of attempts.
    """
    port = read_number(environ, "PORT", 8000, 1, 65535)
    processes = read_number(environ, "WEB_PROCESSES", 1, 1, 64)
    threads = read_number(environ, "WEB_THREADS", 8, 1, 128)
    if processes > 1 and not environ.get("REDIS_URL", "").strip():
        remedy = "Set REDIS_URL, or set WEB_PROCESSES to 1 and raise WEB_THREADS."
        raise SettingError("WEB_PROCESSES", f"is {processes}, and without Redis each process has its own cache", remedy)
    return port, processes, threads


def check_hsts(seconds: int, preload: bool) -> None:
    """Refuse a request to be on the browsers' built-in lists unless HSTS lasts a year."""
    if preload and seconds < HSTS_YEAR:
        remedy = f"Set it to {HSTS_YEAR} once HTTPS is working reliably, or set HSTS_PRELOAD to 0."
        raise SettingError("HSTS_SECONDS", f"is {seconds}, less than the year that HSTS_PRELOAD needs", remedy)


def read_contact(environ: Environ) -> str:
    """The operator's public email address; empty if there is none."""
    address = environ.get("CONTACT_EMAIL", "").strip()
    if address and not BARE_ADDRESS.fullmatch(address):
        raise SettingError("CONTACT_EMAIL", f"is {address!r}", "Set it to a bare email address: help@learn.example.org")
    return address


def read_database(environ: Environ, base: Path) -> Config:
    """Django's database settings from DATABASE_URL; without it, SQLite in the project's folder."""
    url = environ.get("DATABASE_URL", "").strip()
    remedy = "Set it to sqlite:///db.sqlite3 or postgresql://user:password@host:5432/name."
    if not url:
        return sqlite_settings(base / "db.sqlite3")
    parts = split_address("DATABASE_URL", url, remedy)
    if parts.scheme == "sqlite":
        path = unquote(parts.path)[1:]
        if parts.netloc or not path:
            raise SettingError("DATABASE_URL", "doesn't name a SQLite file (three slashes, then the path)", remedy)
        return sqlite_settings(base / path)
    if parts.scheme in {"postgresql", "postgres"}:
        return _postgres_settings(parts, remedy)
    raise SettingError("DATABASE_URL", f"starts with {parts.scheme!r}, which isn't supported", remedy)


def sqlite_settings(path: Path) -> Config:
    """SQLite, set so that an acknowledged commit is on disk and writers queue at BEGIN instead of failing halfway."""
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(path),
        "OPTIONS": {
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-16000;",
            "transaction_mode": "IMMEDIATE",
            "timeout": SQLITE_BUSY_SECONDS,
        },
        "CONN_MAX_AGE": None,
    }


def limit_statements(database: Config, seconds: int) -> Config:
    """The same database, with PostgreSQL ending any statement that takes longer; 0 for no limit."""
    if seconds and "postgresql" in database["ENGINE"]:
        database["OPTIONS"]["options"] += f" -c statement_timeout={seconds}s"
    return database


def _postgres_settings(parts: SplitResult, remedy: str) -> Config:
    """PostgreSQL with persistent connections and synchronous commits, whatever the server's default.

    Statements are never JIT-compiled: that took 4.5 of 6 seconds for a page whose reads take a few milliseconds.
    """
    name = unquote(parts.path.lstrip("/"))
    if not name:
        raise SettingError("DATABASE_URL", "doesn't name a database", remedy)
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": name,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": parts.hostname or "",
        "PORT": str(parts.port or ""),
        "OPTIONS": {
            "connect_timeout": POSTGRES_CONNECT_SECONDS,
            "options": "-c synchronous_commit=on -c jit=off",
            **dict(parse_qsl(parts.query)),
        },
        "CONN_MAX_AGE": POSTGRES_KEEP_SECONDS,
        "CONN_HEALTH_CHECKS": True,
    }


def read_redis_url(environ: Environ) -> str:
    """The address of Redis, for the cache and the task queue; empty for neither."""
    url = environ.get("REDIS_URL", "").strip()
    if not url:
        return ""
    remedy = "Set it to redis://host:6379/0, or leave it out."
    parts = split_address("REDIS_URL", url, remedy)
    if parts.scheme not in {"redis", "rediss"} or not parts.hostname:
        raise SettingError("REDIS_URL", "isn't a Redis address", remedy)
    return url


def read_email(environ: Environ) -> Config:
    """How email is sent, from EMAIL_URL; without it, messages are printed to the log."""
    url = environ.get("EMAIL_URL", "").strip() or "console://"
    remedy = "Set it to console:// or smtp://user:password@host:587?tls=1 (ssl=1 for port 465)."
    parts = split_address("EMAIL_URL", url, remedy)
    query = dict(parse_qsl(parts.query))
    if parts.scheme == "console":
        return {"backend": CONSOLE_EMAIL, "host": "", "port": 0, "user": "", "password": "", "tls": False, "ssl": False}
    if parts.scheme != "smtp" or not parts.hostname:
        raise SettingError("EMAIL_URL", f"starts with {parts.scheme!r} or has no host", remedy)
    if set(query) not in (set(), {"tls"}, {"ssl"}):
        raise SettingError("EMAIL_URL", "takes only one option, tls=1 or ssl=1", remedy)
    tls, ssl = read_flag(query, "tls"), read_flag(query, "ssl")
    return {
        "backend": "django.core.mail.backends.smtp.EmailBackend",
        "host": parts.hostname,
        "port": parts.port or (465 if ssl else 587 if tls else 25),
        "user": unquote(parts.username or ""),
        "password": unquote(parts.password or ""),
        "tls": tls,
        "ssl": ssl,
    }


def read_oidc(environ: Environ) -> Config:
    """The OpenID Connect provider for sign-in, in allauth's form; empty if there is none."""
    url = environ.get("OIDC_URL", "").strip().rstrip("/")
    if not url:
        return {}
    parts = split_address("OIDC_URL", url, OIDC_REMEDY)
    # Over plain http, anybody on the way could claim to be anyone.
    is_safe = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in {"127.0.0.1", "localhost"})
    if not is_safe or not parts.hostname or parts.query:
        raise SettingError("OIDC_URL", f"is {url!r}", OIDC_REMEDY)
    client, secret = environ.get("OIDC_CLIENT_ID", "").strip(), environ.get("OIDC_CLIENT_SECRET", "").strip()
    for name, given in (("OIDC_CLIENT_ID", client), ("OIDC_CLIENT_SECRET", secret)):
        if not given:
            raise SettingError(name, "is not set, and OIDC_URL is", "Copy it from the client you made at the provider.")
    return {
        "provider_id": "sso",
        "name": environ.get("OIDC_NAME", "").strip() or parts.hostname,
        "client_id": client,
        "secret": secret,
        "settings": {"server_url": url, "email_authentication": True},
    }


def split_address(name: str, url: str, remedy: str) -> SplitResult:
    """Split an address, so that a malformed one (a port that is no number, a stray bracket) is refused by name."""
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - reading it checks it
    except ValueError as error:
        raise SettingError(name, f"is malformed ({error})", remedy) from error
    return parts
