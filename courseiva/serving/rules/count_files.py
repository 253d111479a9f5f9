"""The files in which one web server's processes count, before prometheus-client maps them.

gunicorn's master reads this too, so it imports neither our code nor the library's.
"""

from __future__ import annotations

import os
from pathlib import Path

KINDS = ("counter", "histogram")
ROOM = 1 << 15
"""Bytes for each process and kind of metric, twice what all names need: a file is never extended."""


def take_room(folder: Path, process: int) -> str:
    """Create a process's files and reserve their space; returns why that isn't possible, or nothing.

    The library maps a file without reserving space, so if memory were full, the first count would kill the process.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_ours(folder):
            return f"{folder} is somebody else's"
        for path in (folder / f"{kind}_{process}.db" for kind in KINDS):
            if not path.exists():
                _fill(path)
    except OSError as error:
        return str(error)
    return ""


def forget_processes(folder: Path) -> None:
    """Delete the files of processes that have ended: a web server starts counting from zero."""
    if folder.is_dir() and _is_ours(folder):
        for path in folder.glob("*.db"):
            path.unlink(missing_ok=True)


def _is_ours(folder: Path) -> bool:
    """Whether nobody else can write there, not even through a link to another folder."""
    found = folder.lstat()
    return folder.is_dir() and not folder.is_symlink() and found.st_uid == os.getuid() and not found.st_mode & 0o022


def _fill(path: Path) -> None:
    """Under another name first, because a scrape at this moment would fail on an empty file."""
    early = path.with_suffix(".new")
    file = os.open(early, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        os.posix_fallocate(file, 0, ROOM)
    except OSError:
        early.unlink()
        raise
    finally:
        os.close(file)
    early.replace(path)
