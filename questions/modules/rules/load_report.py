"""What a load of the bank's files did."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class LoadReport:
    """Counts, refusals (nothing of their file is stored), and what people should look at."""

    counts: Counter[str] = field(default_factory=Counter)
    refused: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
