"""Prints the tables of the question bank as Markdown; ``--write`` puts them into README.md between their marks."""

import sys
from pathlib import Path

BASE = Path(__file__).resolve().parent.parent


def main() -> None:
    sys.path.insert(0, str(BASE))
    from questions.bank_files.readings.rules.figures import readings_tables
    from questions.bank_files.rules.table import bank_table, with_table

    bank = bank_table(BASE / "fixtures", BASE / "docs" / "second-reading")
    readings = readings_tables(BASE / "fixtures")
    if "--write" not in sys.argv[1:]:
        print(f"{bank}\n\n{readings}")
        return
    readme = BASE / "README.md"
    text = with_table(readme.read_text(encoding="utf-8"), bank)
    readme.write_text(with_table(text, readings, "readings"), encoding="utf-8")


if __name__ == "__main__":
    main()
