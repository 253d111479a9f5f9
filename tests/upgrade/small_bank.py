"""Writes the bank of a dump as files: a made-up exam of forty short questions, and a handful of the real ones."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import yaml

SLUG = "harbours"
PER_DOMAIN = 20
DAY = dt.date(2026, 11, 21)
DOMAINS = {"tides": "Tides and times", "cargo": "Cargo and cranes"}
PLACES = (
    "Aalborg", "Bergen", "Cadiz", "Dover", "Emden", "Faro", "Gdansk", "Hamina", "Izmir", "Jaffa",
    "Kiel", "Lagos", "Malmo", "Nantes", "Odesa", "Porto", "Quimper", "Riga", "Split", "Turku",
)  # fmt: skip
THINGS = {"tides": ("tide table", "pilot", "lock gate", "mooring"), "cargo": ("crane", "pallet", "manifest", "reefer")}
VERBS = ("Call", "Move", "Check", "Book", "Weigh")
REAL_EXAM = "pmle"
NOTEBOOK = {
    "cells": [{"cell_type": "markdown", "metadata": {}, "source": ["# Reading a tide table"]}],
    "metadata": {}, "nbformat": 4, "nbformat_minor": 5,
}  # fmt: skip
REAL = (
    "uncollected-locker-parcels", "microloan-default-model-options", "a-feature-born-on-tuesday",
    "nightly-scores-for-loyalty-members", "nightly-run-serves-stale-gate-counts", "hold-the-pusher-for-rural-routes",
)  # fmt: skip
"""Ids of the real questions; two are reserved, and two have several right options."""
RETIRED = Path(__file__).parent / "retired"
"""Those of the real questions that the bank no longer has, as they last were."""
MODULE = """---
number: 1
slug: reading-a-tide-table
domain: tides
title: Reading a tide table
notebook: 01-reading-a-tide-table.ipynb
summary: What the columns of a tide table say, and which of them a harbour master looks at first.
sources:
  - {title: Tides, url: "https://harbours.example/tides", as_of: 2026-11-21}
---

## Columns

A tide table gives height and time for each high and low water of the day.

:::tip
Look at the time zone first.
:::

## Use

Add the depth on the chart to the height in the table to get the depth under the keel.
"""


def write_bank(folder: Path, fixtures: Path) -> None:
    """Write both exams' files into an empty folder; the real ones are taken from ``fixtures``."""
    made = folder / SLUG
    (made / "questions").mkdir(parents=True)
    (made / "modules").mkdir()
    _write(made / "exam.yaml", _exam())
    for domain in DOMAINS:
        rows = [_question(domain, n) for n in range(PER_DOMAIN)]
        _write(made / "questions" / f"{domain}.yaml", {"domain": domain, "questions": rows})
    (made / "modules" / "01-reading-a-tide-table.md").write_text(MODULE, encoding="utf-8")
    (made / "modules" / "01-reading-a-tide-table.ipynb").write_text(json.dumps(NOTEBOOK), encoding="utf-8")
    write_real(folder, fixtures)


def write_real(folder: Path, fixtures: Path) -> None:
    """Write the real questions in these fixtures; one that has moved is found by its id."""
    (folder / REAL_EXAM / "questions").mkdir(parents=True)
    shutil.copy(fixtures / "glossary.yaml", folder)
    shutil.copy(fixtures / REAL_EXAM / "exam.yaml", folder / REAL_EXAM)
    for name, found in _real_files(fixtures).items():
        _write(folder / REAL_EXAM / "questions" / name, found)


def real_rows(fixtures: Path) -> dict[str, str]:
    """Return a digest of each of the real questions in these fixtures, by its id."""
    rows = [row for found in _real_files(fixtures).values() for row in found["questions"]]
    texts = {row["id"]: json.dumps(row, default=str, sort_keys=True) for row in rows}
    return {key: hashlib.sha256(text.encode()).hexdigest()[:16] for key, text in texts.items()}


@cache
def _real_files(fixtures: Path) -> dict[str, Any]:
    """Return each file's content with these questions alone."""
    files = {}
    for file in sorted([*(fixtures / REAL_EXAM / "questions").glob("*.yaml"), *RETIRED.glob("*.yaml")]):
        text = file.read_text(encoding="utf-8")
        if any(key in text for key in REAL):
            found = yaml.load(text, Loader=yaml.CSafeLoader)
            files[file.name] = {**found, "questions": [row for row in found.get("questions", []) if row["id"] in REAL]}
    return {name: found for name, found in files.items() if found["questions"]}


def _write(path: Path, value: Any) -> None:
    path.write_text(yaml.safe_dump(value, allow_unicode=True, sort_keys=False), encoding="utf-8")


def _exam() -> dict[str, Any]:
    domains = [
        {"key": key, "number": n, "concepts": [{"key": _concept(key, word), "name": word} for word in THINGS[key]]}
        for n, key in enumerate(DOMAINS, 1)
    ]
    guide = {
        "key": "first", "name": "First guide", "effective_from": dt.date(2026, 6, 1), "current": True,
        "question_count": 8, "minutes": 16, "pass_mark": 70,
        "weights": {key: ["50", name] for key, name in DOMAINS.items()},
    }  # fmt: skip
    return {
        "slug": SLUG, "code": "HBR", "name": "Harbour Practice", "vendor": "Harbour Board",
        "summary": "Tides, cargo, and who does what on the quay.", "guide_url": "https://harbours.example/guide",
        "blueprints": [guide], "domains": domains,
    }  # fmt: skip


def _concept(domain: str, thing: str) -> str:
    return f"{domain}-{thing.split(maxsplit=1)[0]}"


def _question(domain: str, n: int) -> dict[str, Any]:
    """Return question n of a domain: every fifth has two right options, and two of five are reserved."""
    place, things = PLACES[n], THINGS[domain]
    thing = things[n % 4]
    right = {1, 3} if n % 5 == 4 else {n % 4 + 1}
    ask = "Which two steps come first?" if len(right) == 2 else "Which step comes first?"
    return {
        "id": f"{domain}-{place.lower()}",
        "pool": "reserved" if n % 5 in (1, 3) else "open",
        "kind": "multiple" if len(right) == 2 else "single",
        "difficulty": ("easy", "medium", "hard")[n % 3],
        "concepts": [_concept(domain, thing)],
        "title": f"A {thing} in {place}",
        "stem": f"In {place} the {thing} is late by {n + 2} hours and a ship waits off the mole of {place}. {ask}",
        "options": [
            {
                "slot": slot, "text": f"{verb} the {thing} of {place}", "right": slot in right,
                "tempts": f"In {place} people {verb.lower()} a {thing} often.",
                "why": f"For the {thing} in {place}, step {slot} {'fits' if slot in right else 'comes later'}.",
            }
            for slot, verb in enumerate(VERBS[:5 if len(right) == 2 else 4], 1)
        ],
        "clues": [
            {"phrase": f"late by {n + 2} hours", "why": f"It is urgent in {place}.", "confirms": sorted(right)},
        ],
        "quick_answer": f"{place}: " + " and ".join(f"step {slot}" for slot in sorted(right)) + f" for the {thing}.",
        "explanation": f"A ship off {place} pays by the hour, so the {domain} crew in {place} acts at once.",
        "principle": f"What delays {place} comes first.",
        "trap": f"Waiting in {place} for the {thing}.",
        "detail": f"The {thing} in {place} has number {100 + n} in the {domain} book of that harbour.",
        "key_concepts": [f"**{thing.capitalize()}**: a thing of {place}."],
        "exam_tips": [f"Read the hours in the case of {place} ({domain})."],
        "takeaway": f"{place} acts at once ({domain}).",
        "example": f"Last year {place} lost a morning over its {thing}.",
        "modules": [],
        "sources": [{"title": f"{place} {thing}", "url": f"https://harbours.example/{domain}/{n}", "as_of": DAY}],
        "second_reader": "Second reader",
        "second_read_on": DAY,
    }  # fmt: skip
