"""Makes the site ready to be served: tables, static files, question bank, demo accounts. Says what it is doing.

One process does all four, because starting Django costs more than each of them when there is nothing left to do.
"""

import os
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path

BASE = Path(__file__).resolve().parent.parent
STATIC_STAMP = BASE / ".run" / "static-files-collected"


def main() -> None:
    """Refuse a port that is taken, then run the four steps."""
    sys.path.insert(0, str(BASE))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "courseiva.settings")
    from courseiva.serving.rules.environment import read_number
    from courseiva.serving.rules.starting import one_line

    try:
        _refuse_a_taken_port(read_number(os.environ, "PORT", 8000, 1, 65535))
        _prepare()
    except Exception as error:
        if line := one_line(error):
            sys.exit(f"courseiva: {line}")
        raise


def _prepare() -> None:
    import django
    from django.conf import settings
    from django.core.management import CommandError, call_command

    django.setup()
    try:
        _say("Database tables")
        call_command("migrate", interactive=False, verbosity=1)
        _say("Static files")
        _collect_static_files()
        _say("Question bank (the first time half a minute or more; it says how far it is)")
        call_command("load_bank", str(BASE / "fixtures"))
        _say("Demo accounts")
        call_command("make_demo_accounts")
        if settings.DEMO:
            _say("Demo data (the first time a minute or more; it says how much longer)")
            call_command("fill_demo")
    except CommandError as error:
        sys.exit(f"courseiva: {error}")


def _collect_static_files() -> None:
    """Collect them again only if one of them, or an installed package, is newer than at the last run."""
    from django.core.management import call_command

    newest = max((path.stat().st_mtime for path in _static_sources()), default=0.0)
    if STATIC_STAMP.exists() and newest <= STATIC_STAMP.stat().st_mtime and (BASE / "staticfiles").is_dir():
        return
    started = time.time()
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    STATIC_STAMP.parent.mkdir(exist_ok=True)
    STATIC_STAMP.touch()
    os.utime(STATIC_STAMP, (started, started))


def _static_sources() -> Iterator[Path]:
    """Our static files and their folders (so that a deletion counts), and the mark that packages were installed."""
    yield from (path for path in [BASE / "static", BASE / ".venv" / ".installed"] if path.exists())
    yield from (BASE / "static").rglob("*")


def _refuse_a_taken_port(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            sys.exit(f"courseiva: port {port} is taken. Choose another: make run PORT={port + 1}")


def _say(text: str) -> None:
    sys.stdout.write(f"==> {text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
