"""The options-only reading: sets for a reader who sees no stem, and the returned answers, checked with controls."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from random import Random
from typing import Any

from questions.bank_files.readings.rules.items import Unit, options_hash
from questions.bank_files.readings.rules.material import Material, Refused
from questions.bank_files.readings.rules.records import OptionsReading
from questions.bank_files.readings.rules.sheets.form import (
    Reader,
    confidence_of,
    random_id,
    read_sheet,
    sheet_text,
    shuffled,
    slots_of,
    texts_of,
)

CONTROLS = 10  # how many of each sheet's sets are known to be guessable
CONTROLS_HIT = 8  # below this, the reader didn't try, and the other sets say nothing
FIELDS = {"id", "choose", "options", "guess", "confidence"}
HOW_TO = """
Each set holds the options of one exam question; you don't see the question. Say for each which options are right.
guess: as many letters as "choose" says, e.g. [B] or [A, D]. Always guess: weigh what an expert would recommend,
what is too strong or too weak, and what stands alone among the others.
confidence: 1 guessed, 2 leaning, 3 sure. Change nothing else. Use nothing but this sheet.
"""


def draw(material: Material, reader: Reader, n: int, today: dt.date, rng: Random) -> str:
    """A sheet of ``n`` sets, ten of them controls; none from a domain the reader wrote in, none read before.

    Sets with the fewest readings come first. Raises Refused.
    """
    if n <= CONTROLS or len(material.controls) < CONTROLS:
        raise Refused(f"a sheet needs more than {CONTROLS} sets, and {CONTROLS} controls on file", "too-small")
    readings = material.readings.options
    times = Counter((each.unit, each.text) for each in readings)
    own = {(each.unit, each.text) for each in readings if each.reader == reader.name}
    controls = sorted(
        rng.sample(material.controls, len(material.controls)), key=lambda unit: (unit.key, unit.hash) in own
    )
    taken = {control.hash for control in controls}
    sets = [unit for unit in material.units if unit.hash not in taken and unit.first.domain not in reader.wrote]
    sets = [unit for unit in rng.sample(sets, len(sets)) if (unit.key, unit.hash) not in own]
    sets.sort(key=lambda unit: times[unit.key, unit.hash])
    if not sets:
        raise Refused("this reader has read everything that they may read", "nothing-left")
    chosen = [*sets[: n - CONTROLS], *controls[:CONTROLS]]
    rows = [_row(unit, rng) for unit in rng.sample(chosen, len(chosen))]
    return sheet_text(HOW_TO, material.exam, reader, today, "sets", rows)


def _row(unit: Unit, rng: Random) -> dict[str, Any]:
    options = shuffled(unit.first.options, rng)
    return {"id": random_id(rng), "choose": unit.choose, "options": options, "guess": [], "confidence": 0}


def take(material: Material, text: str, today: dt.date) -> list[OptionsReading]:
    """A sheet's readings, set by set; none if the reader didn't try. Raises Refused."""
    sheet = read_sheet(text, "sets", FIELDS)
    controls = {unit.hash: unit for unit in material.controls}
    units = {unit.hash: unit for unit in material.units} | controls
    found: dict[str, OptionsReading] = {}
    for row in sheet.rows:
        text_hash = options_hash(texts_of(row))
        if text_hash not in units:
            why = "no set of the bank has these options; were they changed since the drawing?"
            raise Refused(f"{row['id']}: {why}", "unknown-set")
        unit = units[text_hash]
        guess = slots_of(row, "guess", unit.first.options, unit.choose)
        found[text_hash] = _reading(unit, sheet.reader, today, guess, confidence_of(row), text_hash in controls)
    _tried(list(found.values()))
    _not_twice(found, sheet.reader, material)
    return list(found.values())


def _reading(
    unit: Unit, reader: Reader, today: dt.date, guess: tuple[int, ...], confidence: int, control: bool
) -> OptionsReading:
    return OptionsReading(
        unit=unit.key,
        text=unit.hash,
        reader=reader.name,
        reader_kind=reader.kind,
        on=today,
        guess=guess,
        confidence=confidence,
        control=control,
        domain=unit.first.domain,
        kind=unit.first.kind,
        variants=len(unit.variants),
        hits=unit.hits(guess),
        chance=round(unit.first.chance, 4),
    )


def _tried(readings: list[OptionsReading]) -> None:
    controls = [each for each in readings if each.control]
    hits = sum(each.hits for each in controls)
    if len(controls) < CONTROLS or hits < CONTROLS_HIT:
        least = f"below {CONTROLS_HIT} of {CONTROLS} nothing is recorded"
        raise Refused(f"the reader hit {hits} of {len(controls)} controls; {least}", "controls-missed")


def _not_twice(found: dict[str, OptionsReading], reader: Reader, material: Material) -> None:
    """A control may return in a later sheet; a sheet with nothing new was recorded before."""
    own = {each.text for each in material.readings.options if each.reader == reader.name}
    fresh = [text for text, each in found.items() if not each.control]
    if any(text in own for text in fresh):
        raise Refused(f"sets of this sheet are on file from reader {reader.name} already", "taken-before")
