"""The bank as readers see it: units (a family or a single question) with only stems, options and keys."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from math import comb
from pathlib import Path
from typing import Any

from questions.bank_files.rules.file import read_bank_file
from questions.catalogue.rules.glossary import Glossary, UnknownTerm, expand, read_glossary
from questions.catalogue.rules.yaml_fields import BadField, BadYaml, list_of, mapping, plain, read_yaml
from questions.versions.rules.draft import DraftQuestion

WAITING = "waiting"
FOLDERS = ("questions", WAITING)  # waiting questions are read by readers before they are loaded
HASH_LENGTH = 16
POOLS = {"public": "open", "reserved": "reserved"}  # as stored, by the name in the figures


class BadBank(ValueError):
    """A bank file that can't be read; ``manage.py lint_bank`` says more."""


def text_hash(*texts: str) -> str:
    """A short fingerprint of texts in this order; line breaks and runs of spaces don't count."""
    plain = "\n".join(" ".join(text.split()) for text in texts)
    return hashlib.sha256(plain.encode()).hexdigest()[:HASH_LENGTH]


def options_hash(texts: Iterable[str]) -> str:
    """The fingerprint of a set of options, whatever their order: a sheet shows them in random order."""
    return text_hash(*sorted(" ".join(text.split()) for text in texts))


@dataclass(frozen=True)
class Item:
    """One question: slots and texts of its options, and which slots are right."""

    key: str
    unit: str
    domain: str
    pool: str
    kind: str
    difficulty: str
    stem: str
    options: tuple[tuple[int, str], ...]
    right: tuple[int, ...]

    @property
    def chance(self) -> float:
        """The chance of guessing the whole key."""
        return 1 / comb(len(self.options), len(self.right))

    @property
    def prompt_hash(self) -> str:
        """The fingerprint of everything a reader of the prompt sees."""
        return text_hash(self.stem, options_hash(text for _, text in self.options))

    @classmethod
    def of(cls, draft: DraftQuestion) -> Item:
        return cls(
            key=draft.key,
            unit=draft.family or draft.key,
            domain=draft.domain,
            pool=draft.pool,
            kind=draft.kind,
            difficulty=draft.difficulty,
            stem=draft.stem,
            options=tuple((option.slot, option.text) for option in draft.options),
            right=draft.right_slots,
        )


@dataclass(frozen=True)
class Unit:
    """A family or a single question: one set of options, and a key for each variant."""

    key: str
    variants: tuple[Item, ...]
    waits: bool = False  # not loaded yet

    @property
    def first(self) -> Item:
        """The variant that represents what all of them share."""
        return self.variants[0]

    @property
    def hash(self) -> str:
        return options_hash(text for _, text in self.first.options)

    @property
    def choose(self) -> int:
        return len(self.first.right)

    def hits(self, guess: tuple[int, ...]) -> int:
        """How many variants a guess answers correctly."""
        return sum(set(guess) == set(variant.right) for variant in self.variants)


def read_units(folder: Path) -> list[Unit]:
    """Every unit of an exam's folder, in the order of the files. Raises BadBank."""
    glossary = read_glossary(folder.parent / "glossary.yaml")
    found: dict[tuple[str, bool], list[Item]] = {}
    for name in FOLDERS:
        for path in sorted((folder / name).glob("*.yaml")):
            rows, problems = read_bank_file(path, glossary, known=None)
            if problems:
                raise BadBank(str(problems[0]))
            for row in rows:
                item = Item.of(row.draft)
                found.setdefault((item.unit, name == WAITING), []).append(item)
    return [Unit(key, tuple(items), waits) for (key, waits), items in found.items()]


def units_of(drafts: Iterable[DraftQuestion]) -> list[Unit]:
    """The units that these questions, which are in use, belong to."""
    found: dict[str, list[Item]] = {}
    for item in map(Item.of, drafts):
        found.setdefault(item.unit, []).append(item)
    return [Unit(key, tuple(items), waits=False) for key, items in found.items()]


def read_controls(path: Path) -> list[Unit]:
    """The option sets known to be guessable; none without a file. Raises BadBank."""
    if not path.exists():
        return []
    glossary = read_glossary(path.parent.parent / "glossary.yaml")
    try:
        top = mapping(read_yaml(path.read_text(encoding="utf-8"))[0], "", {"controls"})
        return [_control(row, f"controls[{i}]", glossary) for i, row in enumerate(list_of(top["controls"], "controls"))]
    except (BadYaml, BadField, UnknownTerm) as error:
        raise BadBank(f"{path}: {error}") from error


def _control(value: Any, path: str, glossary: Glossary) -> Unit:
    row = mapping(value, path, {"id", "domain", "kind", "options"})
    options = [
        mapping(each, f"{path}.options[{i}]", {"slot", "text", "right"}, {"right"})
        for i, each in enumerate(list_of(row["options"], f"{path}.options"))
    ]
    item = Item(
        key=row["id"],
        unit=row["id"],
        domain=row["domain"],
        pool="",
        kind=row["kind"],
        difficulty="",
        stem="",
        options=tuple((each["slot"], expand(plain(each["text"], path), glossary)) for each in options),
        right=tuple(each["slot"] for each in options if each.get("right")),
    )
    return Unit(item.key, (item,))
