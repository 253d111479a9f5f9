"""Check that the file of judged pairs is read as docs/writing-questions.md shows it."""

from __future__ import annotations

import re
from pathlib import Path

from questions.bank_files.rules.judged import CUEING_FILE, read_judged

GUIDE = Path(__file__).parents[3] / "docs" / "writing-questions.md"


def test_the_example_in_the_writing_guide_is_read(tmp_path: Path) -> None:
    (example,) = re.findall(r"```yaml\n(judged:.*?)```", GUIDE.read_text(encoding="utf-8"), re.S)
    (tmp_path / CUEING_FILE).write_text(example, encoding="utf-8")
    assert read_judged(tmp_path / CUEING_FILE) == {("one-question", "another-question")}
