"""Reads from Linux's /proc how much processor time and memory processes have used."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
PROC = Path("/proc")


@dataclass(frozen=True)
class Memory:
    """The memory of one process in MB: all pages it holds, and the same with shared pages counted in part."""

    resident: float
    proportional: float


def family(pid: int) -> list[int]:
    """Return the process and all its descendants, or nothing once it has ended."""
    try:
        below = (PROC / str(pid) / "task" / str(pid) / "children").read_text().split()
    except (FileNotFoundError, ProcessLookupError):
        return []
    return [pid, *(one for child in below for one in family(int(child)))]


def used_seconds(pids: Iterable[int]) -> float:
    """Return the processor seconds these processes have used so far."""
    return sum(_ticks(pid) for pid in pids) / TICKS


def _ticks(pid: int) -> int:
    try:
        fields = (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return int(fields[11]) + int(fields[12])


def busy_seconds() -> float:
    """Return the processor seconds all cores have been busy since the machine started."""
    user, nice, system, _idle, _wait, *rest = map(int, (PROC / "stat").read_text().splitlines()[0].split()[1:9])
    return (user + nice + system + sum(rest)) / TICKS


def memory_of(pid: int) -> Memory:
    """Return the memory a process of this user holds now."""
    facts = {}
    for line in (PROC / str(pid) / "smaps_rollup").read_text().splitlines()[1:]:
        name, _, rest = line.partition(":")
        facts[name] = int(rest.split()[0]) / 1024
    return Memory(facts["Rss"], facts["Pss"])
