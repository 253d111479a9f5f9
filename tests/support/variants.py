"""Families as drafts that lint accepts: they share everything except clause, key and what follows from them."""

from __future__ import annotations

import dataclasses

from questions.versions.rules.draft import DraftQuestion
from tests.support.bank import CANARY, draft

STEM = "Team {n} runs a plain job in one region. {clause} What is it to do?"


def variants(n: int = 1, size: int = 3, domain: str = "d1", pool: str = "open") -> list[DraftQuestion]:
    """Return a family ``f<n>`` of questions ``q<n>-1`` and so on; option n is right in the nth."""
    stem = STEM.replace("{n}", str(n))
    options = tuple(
        dataclasses.replace(option, text=f"Share {option.slot} of {n}", right_if=f"{CANARY} turn {n} {option.slot}")
        for option in draft(n, domain, pool).options
    )
    return [_variant(draft(100 * n + place, domain, pool), n, place, stem, options) for place in range(1, size + 1)]


def _variant(plain: DraftQuestion, n: int, place: int, stem: str, options: tuple) -> DraftQuestion:
    clause = f"Need {place} of {n} decides it."
    return dataclasses.replace(
        plain,
        key=f"q{n}-{place}",
        family=f"f{n}",
        clause=clause,
        stem=stem.replace("{clause}", clause),
        options=tuple(
            dataclasses.replace(o, right=o.slot == place, why=f"{CANARY} why {n} {place} {o.slot}") for o in options
        ),
        clues=(dataclasses.replace(plain.clues[0], phrase=f"Need {place} of {n}", confirms=(place,)),),
    )
