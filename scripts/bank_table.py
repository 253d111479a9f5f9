"""Prints the table of the question bank as Markdown; ``--write`` puts it into README.md between its marks."""

import sys
from pathlib import Path

BASE = Path(__file__).resolve().parent.parent


def main() -> None:
    sys.path.insert(0, str(BASE))
    from questions.bank_files.rules.table import bank_table, with_table

    table = bank_table(BASE / "fixtures", BASE / "docs" / "second-reading")
    if "--write" not in sys.argv[1:]:
        print(table)
        return
    readme = BASE / "README.md"
    readme.write_text(with_table(readme.read_text(encoding="utf-8"), table), encoding="utf-8")


if __name__ == "__main__":
    main()
