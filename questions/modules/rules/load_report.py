"""What a load of the bank's files did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass
class LoadReport:
    """Counts, refusals (nothing of their file is stored), and what people should look at."""

    counts: Counter[str] = field(default_factory=Counter)
    refused: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    told: Callable[[int, int], object] = lambda *_: None
    """Called as the work goes on: so much of so much is done. A file counts when it's read and when it's stored."""
