"""Prints the tables of the question bank as Markdown; ``--write`` puts them into README.md between their marks."""

import sys
from pathlib import Path

BASE = Path(__file__).resolve().parent.parent


def main() -> None:
    sys.path.insert(0, str(BASE))
    from questions.bank_files.readings.rules.gates import bank_tables
    from questions.bank_files.rules.table import with_table

    tables = bank_tables(BASE / "fixtures", BASE / "docs" / "second-reading")
    if "--write" not in sys.argv[1:]:
        print("\n\n".join(tables.values()))
        return
    readme = BASE / "README.md"
    text = readme.read_text(encoding="utf-8")
    for mark, table in tables.items():
        text = with_table(text, table, mark)
    readme.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
