"""``manage.py screening_tables FILE``: how many labelled texts screening holds, as tables for docs/moderation.md."""

from __future__ import annotations

import csv
import random
from argparse import ArgumentParser
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from discussion.screening.hold import editors_list, site_model
from discussion.screening.rules.parts import Context
from discussion.screening.rules.screen import screen
from discussion.trust.rules import Level, hides, weight

LEVELS = ((Level.NEW, "new"), (Level.KNOWN, "known, trusted"))
VIEWS, REPEATS, SEED = 100, 4000, 5
FLAGS = {"harmful": 1 / 20, "harmless": 1 / 500}
"""The share of readers who report a text as harmful, by its label."""


class Command(BaseCommand):
    """Texts are screened individually, without comparison, with this site's list and weights."""

    help = (
        "Print what screening holds of the texts in a CSV with the columns text, label, language and, if known, trust."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, nargs="+")

    def handle(self, *args: Any, **options: Any) -> None:
        known = Context(listed=editors_list(), model=site_model())
        for path in options["file"]:
            with path.open(newline="", encoding="utf-8") as rows:
                texts = list(csv.DictReader(rows))
            self.stdout.write(f"**{path.name}**, {len(texts)} texts\n\n")
            for lines in (_by_level(texts, known), _by_language(texts, known)):
                self.stdout.write("\n".join(lines) + "\n\n")


def _by_level(texts: list[dict[str, str]], known: Context) -> list[str]:
    """By label: how many are held, how many shown, and how many held or, after a hundred readers, hidden."""
    lines = [
        "| Author | Text | Held | Shown | Held, % | Held or hidden after 100 views, % |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for level, name in LEVELS:
        for label, flagged in FLAGS.items():
            held = [_is_held(row, level, known) for row in texts if row["label"] == label and _is_by(row, level)]
            if not held:
                continue
            share = sum(held) / len(held)
            later = share + (1 - share) * share_hidden(flagged)
            numbers = f"{sum(held)} | {len(held) - sum(held)} | {share:.1%} | {later:.1%}"
            lines.append(f"| {name} | {label} | {numbers} |".replace("%", ""))
    return lines


def _by_language(texts: list[dict[str, str]], known: Context) -> list[str]:
    lines = ["| Language | Harmful of new authors held | Harmless of new authors held |", "|---|---:|---:|"]
    for language in sorted({row["language"] for row in texts}):
        of_it = [row for row in texts if row["language"] == language and _is_by(row, Level.NEW)]
        cells = (
            _fraction(_is_held(row, Level.NEW, known) for row in of_it if row["label"] == label) for label in FLAGS
        )
        lines.append(f"| {language} | {' | '.join(cells)} |")
    return lines


def _is_by(row: dict[str, str], level: Level) -> bool:
    """A text without an author's level counts for any level."""
    trust = row.get("trust") or ""
    return not trust or (trust == Level.NEW) == (level == Level.NEW)


def _fraction(held: Iterable[bool]) -> str:
    found = list(held)
    return f"{sum(found)} of {len(found)}"


def _is_held(row: dict[str, str], level: Level, known: Context) -> bool:
    return bool(screen(row["text"], replace(known, level=level)))


def share_hidden(flagged: float) -> float:
    """The share of comments hidden by readers within this many views, if all of them are new reporters."""
    chance = random.Random(SEED)
    reports = [sum(chance.random() < flagged for _ in range(VIEWS)) for _ in range(REPEATS)]
    return sum(hides([weight(0, 0)] * count) for count in reports) / len(reports)
