"""The second reading: one prompt at a time, answered and judged by somebody who has read none of its siblings."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from random import Random
from typing import Any

from questions.bank_files.readings.rules.items import Item, options_hash, text_hash
from questions.bank_files.readings.rules.material import Material, Refused
from questions.bank_files.readings.rules.records import SOUND, VERDICTS, PromptReading
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

FIELDS = {"id", "label", "stem", "choose", "options", "answer", "confidence", "verdict", "note"}
HOW_TO = """
Answer each question as in the exam, then judge it. answer: as many letters as "choose" says, e.g. [B] or [A, D].
confidence: 1 guessed, 2 leaning, 3 sure. verdict, one of: sound; two defensible (more than one answer can be argued);
too easy (for its label); given away (the wording points at the answer); unnatural (no native would write it so);
wrong fact (say which, with a source). note: why, unless it is sound. Change nothing else. Don't look at the bank.
"""


def draw(material: Material, reader: Reader, n: int, today: dt.date, rng: Random) -> str:
    """A sheet of up to ``n`` prompts, one per unit, none from a unit the reader has seen or a domain they wrote in.

    Questions with the fewest readings of their current text come first. Raises Refused.
    """
    readings = material.readings.prompts
    times = Counter((each.question, each.text) for each in readings)
    unit_of = {item.key: unit.key for unit in material.units for item in unit.variants}
    met = {unit_of.get(each.question) for each in readings if each.reader == reader.name}
    chosen: list[Item] = []
    for unit in rng.sample(material.units, len(material.units)):
        if unit.key not in met and unit.first.domain not in reader.wrote:
            variants = rng.sample(unit.variants, len(unit.variants))
            chosen.append(min(variants, key=lambda item: times[item.key, item.prompt_hash]))
    chosen.sort(key=lambda item: times[item.key, item.prompt_hash])
    if not chosen[:n]:
        raise Refused("this reader has read everything that they may read", "nothing-left")
    return sheet_text(HOW_TO, material.exam, reader, today, "prompts", [_row(item, rng) for item in chosen[:n]])


def _row(item: Item, rng: Random) -> dict[str, Any]:
    return {
        "id": random_id(rng),
        "label": item.difficulty,
        "stem": item.stem,
        "choose": len(item.right),
        "options": shuffled(item.options, rng),
        "answer": [],
        "confidence": 0,
        "verdict": "",
        "note": "",
    }


def take(material: Material, text: str, today: dt.date) -> list[PromptReading]:
    """A sheet's readings, prompt by prompt. Raises Refused."""
    sheet = read_sheet(text, "prompts", FIELDS)
    items = {item.prompt_hash: item for unit in material.units for item in unit.variants}
    on_file = [each for each in material.readings.prompts if each.reader == sheet.reader.name]
    rounds = Counter(each.question for each in material.readings.prompts)
    found: dict[str, PromptReading] = {}
    for row in sheet.rows:
        item = items.get(text_hash(str(row["stem"]), options_hash(texts_of(row))))
        if item is None:
            why = "no question of the bank has this prompt; was it changed since the drawing?"
            raise Refused(f"{row['id']}: {why}", "unknown-prompt")
        if any(each.question == item.key and each.text == item.prompt_hash for each in on_file):
            raise Refused(f"prompts of this sheet are on file from reader {sheet.reader.name} already", "taken-before")
        if item.unit in {items[key].unit for key in found}:
            raise Refused(f"{row['id']}: the sheet has a sibling of it", "sibling")
        found[item.prompt_hash] = _reading(item, row, sheet.reader, today, rounds[item.key] + 1)
    return list(found.values())


def _reading(item: Item, row: dict[str, Any], reader: Reader, today: dt.date, round_: int) -> PromptReading:
    verdict, note = row["verdict"], str(row["note"] or "").strip()
    if verdict not in VERDICTS:
        raise Refused(f"{row['id']}: verdict must be one of {', '.join(VERDICTS)}", "verdict")
    if verdict != SOUND and not note:
        raise Refused(f"{row['id']}: “{verdict}” needs a note that says why", "no-note")
    answered = slots_of(row, "answer", item.options, len(item.right))
    return PromptReading(
        question=item.key,
        text=item.prompt_hash,
        round=round_,
        reader=reader.name,
        reader_kind=reader.kind,
        on=today,
        answered=answered,
        agrees=set(answered) == set(item.right),
        confidence=confidence_of(row),
        verdict=verdict,
        domain=item.domain,
        kind=item.kind,
        note=note,
    )
