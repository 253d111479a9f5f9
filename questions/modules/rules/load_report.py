"""The result of loading bank files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass
class LoadReport:
    """Counts, refusals (nothing of those files is stored), and what people should look at."""

    counts: Counter[str] = field(default_factory=Counter)
    refused: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    told: Callable[[int, int], object] = lambda *_: None
    """Called with progress: done, total. A file counts once when read and once when stored."""
