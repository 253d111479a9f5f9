"""Compares the memory of the site's processes before and after the load."""

from __future__ import annotations

from tests.bench.machine import Memory, family, memory_of
from tests.bench.stack import Stack
from tests.bench.table import markdown

HEAD = ["Process", "start: proportional MB", "resident MB", "after the load: proportional MB", "resident MB"]
Held = dict[str, Memory]


def held_now(stack: Stack) -> Held:
    """Return each process's memory, by what the process is."""
    named = {"gunicorn, master": stack.web}
    named |= {f"gunicorn, worker {n}": pid for n, pid in enumerate(stack.workers, start=1)}
    for name, pid in stack.others.items():
        parent, *children = family(pid)
        named[f"{name}, parent" if children else name] = parent
        named |= {f"{name}, child {n}": child for n, child in enumerate(children, start=1)}
    return {name: memory_of(pid) for name, pid in named.items()}


def memory_table(start: Held, end: Held) -> str:
    """Return both side by side as a table; a new process has no starting figure."""
    lines = []
    for name, now in end.items():
        before = start.get(name)
        first = [f"{before.proportional:.0f}", f"{before.resident:.0f}"] if before else ["", ""]
        lines.append([name, *first, f"{now.proportional:.0f}", f"{now.resident:.0f}"])
    return markdown(HEAD, lines)
