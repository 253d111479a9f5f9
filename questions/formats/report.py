"""The report of an import, written while the file is read: items that are done need not be kept."""

from __future__ import annotations

import json
from collections import Counter
from typing import IO

from questions.formats.items import Found, Item, Skipped


class Report:
    """Counts what was found and writes it down as JSON: the format, the items taken, and those skipped with reasons."""

    def __init__(self, form: str, out: IO[str] | None = None) -> None:
        self.counts: Counter[str] = Counter()
        self.skipped: list[Skipped] = []
        self.out = out
        self._write(f'{{"format": {json.dumps(form)},\n"taken": [')

    def add(self, found: Found) -> None:
        """One more finding, in the file's order."""
        if isinstance(found, Skipped):
            self.skip(found)
            return
        self._write((",\n" if self.counts["taken"] else "\n") + _json(found))
        self.counts["taken"] += 1

    def skip(self, skipped: Skipped) -> None:
        """One more item that was not taken."""
        self.skipped.append(skipped)
        self.counts["skipped"] += 1

    def close(self) -> None:
        """End the file."""
        self._write('],\n"skipped": [' + ",".join("\n" + _json(each) for each in self.skipped) + "]}\n")

    def _write(self, text: str) -> None:
        if self.out:
            self.out.write(text)


def _json(found: Item | Skipped) -> str:
    return json.dumps(found.report(), ensure_ascii=False)
