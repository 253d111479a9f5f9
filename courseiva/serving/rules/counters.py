"""Counts of requests that all processes of one web server share.

The counts live in a small file in memory (``/dev/shm`` where there is one) that every process of this server maps. A
count is changed under a lock of that file, which the kernel lets go when its holder dies, so a killed process neither
loses what was counted nor blocks the others. Nothing is sent anywhere: counting goes on while database and Redis are
away, and costs some microseconds.
"""

from __future__ import annotations

import fcntl
import logging
import mmap
import os
import struct
import threading
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

logger = logging.getLogger("courseiva.counters")
WIDTH = 8


class Counters:
    """Numbers by name that only grow. The names are fixed when it is made, and all processes must give the same."""

    def __init__(self, names: Iterable[str], path: str = "") -> None:
        """Without a path, or where the file cannot be had, the counts belong to this process alone."""
        self._places = {name: WIDTH * place for place, name in enumerate(names)}
        self._size = WIDTH * len(self._places)
        self._turn = threading.Lock()
        marked = f"{path}.{zlib.crc32(repr(list(self._places)).encode()):08x}"
        self._file = _own_file(marked, self._size) if path else -1
        self._memory = mmap.mmap(self._file, self._size)

    def add(self, amounts: dict[str, float]) -> None:
        """Add to several at once; a reader sees all of it or nothing."""
        with self._locked():
            for name, amount in amounts.items():
                place = self._places[name]
                (before,) = struct.unpack_from("d", self._memory, place)
                struct.pack_into("d", self._memory, place, before + amount)

    def read(self) -> dict[str, float]:
        with self._locked():
            numbers = struct.unpack(f"{len(self._places)}d", self._memory[: self._size])
        return dict(zip(self._places, numbers, strict=True))

    @contextmanager
    def _locked(self) -> Iterator[None]:
        with self._turn:
            if self._file >= 0:
                fcntl.lockf(self._file, fcntl.LOCK_EX)
            try:
                yield
            finally:
                if self._file >= 0:
                    fcntl.lockf(self._file, fcntl.LOCK_UN)


def _own_file(path: str, size: int) -> int:
    """A file of this user and of this size, which nobody else can read; -1 where there is no such file.

    Its room is taken at once: writing to a mapped page for which the file system has none ends the process.
    """
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        logger.warning("requests are counted in each process alone: %s", error)
        return -1
    found = os.fstat(file)
    if found.st_uid != os.getuid() or found.st_mode & 0o077:
        logger.warning("requests are counted in each process alone: %s is somebody else's", path)
        os.close(file)
        return -1
    try:
        os.posix_fallocate(file, 0, size)
    except OSError as error:
        logger.warning("requests are counted in each process alone: no room for %s: %s", path, error)
        os.close(file)
        return -1
    return file
