"""``manage.py options_only draw|take``: what readers guess from the options alone."""

from __future__ import annotations

from random import Random

from django.utils import timezone

from questions.bank_files.readings.rules.material import Material
from questions.bank_files.readings.rules.records import Readings
from questions.bank_files.readings.rules.sheets.form import Reader
from questions.bank_files.readings.rules.sheets.options import draw, take
from questions.management.sheets import SheetCommand


class Command(SheetCommand):
    """Option sets without stems for one reader, including ten known to be guessable; docs/writing-questions.md."""

    help = "Draw option sets for a reader who has never seen the bank, or record the reader's answers."

    def drawn(self, material: Material, reader: Reader, n: int, rng: Random) -> str:
        return draw(material, reader, n, timezone.localdate(), rng)

    def taken(self, material: Material, text: str) -> tuple[Readings, str]:
        """The sheet's result, with controls separately."""
        found = take(material, text, timezone.localdate())
        sets = [each for each in found if not each.control]
        controls = [each for each in found if each.control]
        chance = sum(each.chance * each.variants for each in sets)
        said = (
            f"{sum(each.hits for each in sets)} of {sum(each.variants for each in sets)} questions hit in {len(sets)}"
            f" sets, by chance {chance:.0f}; controls {sum(each.hits for each in controls)} of {len(controls)}"
        )
        return material.readings.plus(options=found), said
