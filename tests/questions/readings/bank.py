"""A small exam in files, with lone questions, waiting families and controls, for tests of readings."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml
from django.core.management import CommandError

from questions.bank_files.readings.rules.material import Refused

KEYS = (1, 2, 3)


class Plain(yaml.SafeDumper):
    """Write repeated text out each time, as people do, instead of as an alias."""

    def ignore_aliases(self, data: object) -> bool:
        return True


def options(name: str, right: int = 0) -> list[dict]:
    return [
        {"slot": slot, "text": f"{name} thing {slot}"} | ({"right": True} if slot == right else {})
        for slot in range(1, 5)
    ]


def told(rows: list[dict], **more: str) -> list[dict]:
    return [{**row, "tempts": "It tempts.", **more} for row in rows]


TEXTS = ("quick_answer", "explanation", "principle", "trap", "detail", "takeaway", "example")
ANSWER = dict.fromkeys(TEXTS, "Said.") | {"key_concepts": ["One"], "exam_tips": ["Two"], "concepts": ["c1"]}
ANSWER |= {"sources": [{"title": "Page", "url": "https://vendor.example/p"}], "clues": []}


def lone(n: int) -> dict:
    return {
        "id": f"lone-{n}", "pool": "reserved", "kind": "single", "difficulty": "easy", "title": "A mill",
        "stem": f"Scenario {n} of a mill.\nWhat should you do?",
        "options": told(options(f"lone {n}", right=n % 4 + 1), why="Because."), **ANSWER,
    }  # fmt: skip


def family(n: int = 1) -> dict:
    return {
        "id": f"fam-{n}", "pool": "reserved", "kind": "single", "options": told(options(f"family {n}")),
        "stem": f"Your team {n} runs a mill. {{clause}} What should you do?",
        **{name: value for name, value in ANSWER.items() if name != "clues"},
        "variants": [
            {"id": f"fam-{n}-{key}", "difficulty": "hard", "title": "A mill", "clause": f"Need {key} of {n} counts.",
             "key": [key], "why": dict.fromkeys(range(1, 5), "Because."), "clues": []}
            for key in KEYS
        ],
    }  # fmt: skip


def control(n: int) -> dict:
    return {"id": f"control-{n}", "domain": "one", "kind": "single", "options": options(f"control {n}", right=1)}


def write(folder: Path, name: str, content: object) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(yaml.dump(content, Dumper=Plain))


def an_exam_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "demo"
    write(folder, "questions/one.yaml", {"domain": "one", "questions": [lone(n) for n in range(6)]})
    write(folder, "waiting/two.yaml", {"domain": "two", "families": [family(1), family(2)]})
    write(folder, "controls.yaml", {"controls": [control(n) for n in range(12)]})
    return folder


@contextmanager
def refused(code: str) -> Iterator[None]:
    """Check that the command fails because of a refusal with this code."""
    with pytest.raises(CommandError) as raised:
        yield
    assert isinstance(raised.value.__cause__, Refused)
    assert raised.value.__cause__.code == code
