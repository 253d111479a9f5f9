"""Whatever was started, a start that can't succeed ends with one line that names the variable and the remedy."""

from __future__ import annotations

import errno
import os
import sqlite3
from pathlib import Path

import pytest

from courseiva.serving.rules.environment import SettingError
from courseiva.serving.rules.starting import one_line
from tests.support.subprocesses import run_python

SITE = {"SECRET_KEY": "x" * 60, "SITE_URL": "https://learn.example.org"}
NOBODY = "postgresql://nobody@127.0.0.1:1/none"
GUNICORN, CELERY = ("-m", "gunicorn"), ("-m", "celery", "-A", "courseiva", "worker")


@pytest.mark.long("many processes")
@pytest.mark.parametrize(
    ("command", "variables", "name"),
    [
        (("manage.py", "migrate"), {"DATABASE_URL": NOBODY}, "DATABASE_URL"),
        (("manage.py", "load_bank", "fixtures"), {"DATABASE_URL": NOBODY}, "DATABASE_URL"),
        (("manage.py", "migrate"), {"DATABASE_URL": "sqlite:////proc/none.sqlite3"}, "DATABASE_URL"),
        (("scripts/prepare.py",), {"PORT": "abc"}, "PORT"),
        (GUNICORN, {"PORT": "abc"}, "PORT"),
        (GUNICORN, {"WEB_PROCESSES": "abc"}, "WEB_PROCESSES"),
        (GUNICORN, {"WEB_PROCESSES": "3"}, "WEB_PROCESSES"),
        (GUNICORN, {"SECRET_KEY": "short"}, "SECRET_KEY"),
        (CELERY, {"SECRET_KEY": "short"}, "SECRET_KEY"),
    ],
    ids=lambda value: " ".join(value)[:40],
)
def test_a_failed_start_ends_with_one_line(command: tuple[str, ...], variables: dict[str, str], name: str) -> None:
    done = run_python(*command, **{**SITE, **variables})
    assert done.returncode == 1
    (line,) = [line for line in done.stderr.splitlines() if not line.startswith("{")]
    assert line.startswith(f"courseiva: {name} ")


def caused(by: BaseException) -> Exception:
    error = RuntimeError("Django's own")
    error.__cause__ = by
    return error


def of_sqlite(code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError("no")
    error.sqlite_errorcode = code
    return error


def test_a_disk_that_is_read_only_or_full_is_reported(tmp_path: Path) -> None:
    assert one_line(OSError(errno.EROFS, os.strerror(errno.EROFS), "/srv/x")).startswith("/srv/x ")
    for code in (
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_READONLY_DIRECTORY,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
    ):
        assert one_line(caused(of_sqlite(code))).startswith("DATABASE_URL "), code


def test_an_error_that_may_be_our_own_fault_keeps_its_traceback() -> None:
    assert one_line(ValueError("no")) == ""
    assert one_line(FileNotFoundError(errno.ENOENT, "No such file", "x")) == ""
    assert one_line(caused(of_sqlite(sqlite3.SQLITE_ERROR))) == ""
    assert one_line(SettingError("PORT", "is 'abc'", "Set it.")) == "PORT is 'abc'. Set it."


IN_THE_MASTER = """
import logging.config, runpy, sys
given = runpy.run_path("gunicorn.conf.py")
logging.config.dictConfig(given["logconfig_dict"])
print([name for name in sys.modules if name.partition(".")[0] in {"courseiva", "celery", "django"}])
"""


def test_the_web_servers_master_loads_none_of_our_code() -> None:
    """Otherwise a worker started by a reload would run the code that was on the disk when the master started."""
    done = run_python("-c", IN_THE_MASTER, **SITE)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


IN_A_WORKER = """
import gc, runpy, sys
given = runpy.run_path("gunicorn.conf.py")
import courseiva.wsgi
from courseiva.serving.middleware.pulse import pulse
pulse.start = lambda: print("started")
given["post_worker_init"](None)
print("courseiva.urls" in sys.modules, gc.get_freeze_count() > len(gc.get_objects()), gc.isenabled())
"""


def test_a_worker_keeps_what_it_loaded_from_the_garbage_collector() -> None:
    """Otherwise a full collection goes through all of the site's code while every thread waits."""
    done = run_python("-c", IN_A_WORKER, **SITE)
    assert done.stdout.split() == ["started", "True", "True", "True"], done.stderr
