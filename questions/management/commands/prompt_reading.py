"""``manage.py prompt_reading draw|take``: second readers' answers and verdicts on a prompt without its siblings."""

from __future__ import annotations

from collections import Counter
from random import Random

from django.utils import timezone

from questions.bank_files.readings.rules.material import Material
from questions.bank_files.readings.rules.records import Readings
from questions.bank_files.readings.rules.sheets.form import Reader
from questions.bank_files.readings.rules.sheets.prompts import draw, take
from questions.management.sheets import SheetCommand


class Command(SheetCommand):
    """Prompts for one reader to answer and mark; docs/writing-questions.md."""

    help = "Draw prompts for a second reader, or record the answers and verdicts."

    def drawn(self, material: Material, reader: Reader, n: int, rng: Random) -> str:
        """Prompts, one per unit."""
        return draw(material, reader, n, timezone.localdate(), rng)

    def taken(self, material: Material, text: str) -> tuple[Readings, str]:
        """How many agree with the key, and the verdicts."""
        found = take(material, text, timezone.localdate())
        verdicts = ", ".join(f"{n} {name}" for name, n in Counter(each.verdict for each in found).most_common())
        agree = sum(each.agrees for each in found)
        return material.readings.plus(prompts=found), f"{agree} of {len(found)} agree with the key; {verdicts}"
