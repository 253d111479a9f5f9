"""The neutral form for reading and writing every format, what makes an item acceptable, and the import report."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Any, BinaryIO

from questions.catalogue.rules.sources import Source
from questions.formats.rules.limits import OPTIONS, TEXT_CHARACTERS
from questions.versions.material.pictures.rules.encode import Encoded
from questions.versions.rules.draft import DraftQuestion, filled_in

SINGLE, MULTIPLE = "single", "multiple"
IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
# What PostgreSQL can't store or XML can't contain: control characters, lone surrogates, non-characters.
UNSTORABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class BadFile(ValueError):
    """A file that can't be read at all; the message says why, for the person who uploaded it."""

    code = "unreadable"


class CannotTake(ValueError):
    """An item we don't accept; the message is the reason in the report, ``kind`` the file's name for the item."""

    def __init__(self, reason: str, kind: str = "") -> None:
        super().__init__(reason)
        self.kind = kind


def of_other_kind(kind: str) -> CannotTake:
    """The refusal of an item that isn't a choice among options."""
    return CannotTake(f"is of kind “{kind[:60]}”; only questions with one or more right options can be imported", kind)


@dataclass(frozen=True)
class ItemOption:
    """One option: Markdown, whether it is right, and the feedback for choosing it."""

    text: str
    right: bool
    feedback: str = ""


@dataclass(frozen=True)
class Item:
    """One question of a file. All texts are our Markdown; ``id`` is "" if the file gives none.

    ``name`` identifies the item: its title, else its content. ``draft`` has the complete question if the format is our
    own. ``warnings`` say what was kept as plain text. ``cited`` are sources given with the question in other formats.
    ``files`` are images as they came, by the address used in texts; ``pictures`` are those that its texts show.
    """

    line: int
    id: str
    kind: str
    stem: str
    options: tuple[ItemOption, ...]
    title: str = ""
    explanation: str = ""
    tags: tuple[str, ...] = ()
    category: str = ""
    warnings: tuple[str, ...] = dataclasses.field(default=(), compare=False)
    draft: DraftQuestion | None = None
    cited: tuple[Source, ...] = ()
    files: tuple[tuple[str, bytes], ...] = dataclasses.field(default=(), compare=False)
    pictures: tuple[Encoded, ...] = dataclasses.field(default=(), compare=False)

    @property
    def correct(self) -> list[int]:
        """The indices of the right options."""
        return [place for place, option in enumerate(self.options) if option.right]

    @property
    def name(self) -> str:
        """The item's name when the file is imported again."""
        return self.id or self.title or content_id(self)

    def report(self) -> dict[str, Any]:
        """The item in the import report; ``correct`` counts from 0."""
        return {
            "line": self.line,
            "id": self.name,
            "kind": self.kind,
            "stem": self.stem,
            "options": [option.text for option in self.options],
            "correct": self.correct,
        }


@dataclass(frozen=True)
class Skipped:
    """A skipped item: where, its name there, and why."""

    line: int
    kind: str
    reason: str

    def report(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


Found = Item | Skipped
Read = Callable[[BinaryIO], Iterator[Found]]


def item_or_reason(line: int, kind: str, make: Callable[[], Item]) -> Found:
    """Make one item; if that fails, the reason is recorded and the file continues."""
    try:
        return checked(mended(make()))
    except CannotTake as refusal:
        return Skipped(line, refusal.kind or kind, str(refusal))
    except RecursionError:
        return Skipped(line, kind, "is nested too deeply")


def mended(item: Item) -> Item:
    """Another system's item in a form we can store, with a warning for each change; our own questions don't change.

    A blank form row isn't an option. If any one of several right options would do, all of them are the key. A title
    that is a sentence becomes the question if nothing else asks one.
    """
    if item.draft:
        return item
    warnings = list(item.warnings)
    options = tuple(option for option in item.options if option.right or option.text.strip())
    if len(options) < len(item.options):
        warnings.append("an empty option was left out")
    right = sum(option.right for option in options)
    kind = MULTIPLE if item.kind == SINGLE and right > 1 else item.kind
    if kind != item.kind:
        warnings.append(f"any one of {right} right options was accepted; as a draft it asks for all of them")
    stem = item.stem
    if not stem.strip() and " " in item.title.strip():
        stem = item.title
        warnings.append("had no text besides its title, which became the question")
    return dataclasses.replace(item, kind=kind, stem=stem, options=options, warnings=tuple(warnings))


def checked(item: Item) -> Item:
    """The item itself if it can be stored; raises CannotTake. Whether it can be published is up to lint."""
    if not item.stem.strip():
        raise CannotTake("has no question text")
    if not 2 <= len(item.options) <= OPTIONS:
        raise CannotTake(f"has {len(item.options)} options; 2 to {OPTIONS} are allowed")
    if not all(option.text.strip() for option in item.options):
        raise CannotTake("has an empty option")
    right = len(item.correct)
    if not right:
        raise CannotTake("marks no option as right")
    if item.kind == SINGLE and right > 1:
        raise CannotTake(f"accepts any one of {right} right options, which isn’t supported here")
    for text in _texts(item):
        if UNSTORABLE.search(text):
            raise CannotTake("contains a control character")
        if len(text) > TEXT_CHARACTERS:
            raise CannotTake(f"has a text of more than {TEXT_CHARACTERS:,} characters")
    return item


def _texts(item: Item) -> list[str]:
    texts = [item.id, item.title, item.stem, item.explanation, item.category, *item.tags]
    texts += [text for source in item.cited for text in (source.title, source.url, source.says)]
    for option in item.options:
        texts += [option.text, option.feedback]
    return texts + (list(_strings(dataclasses.asdict(item.draft))) if item.draft else [])


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [text for part in parts for text in _strings(part)]


def true_or_false(right: bool, if_true: str = "", if_false: str = "") -> tuple[ItemOption, ItemOption]:
    """The two options for a true/false statement, with each one's feedback."""
    return ItemOption("True", right, if_true), ItemOption("False", not right, if_false)


def kind_of(right: int) -> str:
    """The kind of an item whose format doesn't say: by the number of right options."""
    return SINGLE if right <= 1 else MULTIPLE


def digest(item: Item) -> str:
    """A fingerprint of the content: equal for equal items, wherever they are."""
    bare = dataclasses.replace(item, line=0, warnings=(), files=(), pictures=())
    parts = dataclasses.asdict(bare, dict_factory=filled_in)
    del parts["files"], parts["pictures"]  # their names, which are content hashes, are in the texts
    if not item.cited:
        del parts["cited"]  # so that older fingerprints still match
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()


def qti_identifier(name: str) -> str:
    """The name itself if it is a valid QTI identifier, else one made from it."""
    return name if IDENTIFIER.fullmatch(name) else "item-" + hashlib.sha256(name.encode()).hexdigest()[:16]


def content_id(item: Item) -> str:
    """A name for an item without one: the same content gets the same name."""
    return "content-" + digest(item)[:16]


def item_of_draft(draft: DraftQuestion, line: int = 1) -> Item:
    """A whole question as an item: concepts become tags, the domain the category, rationales feedback."""
    return Item(
        line=line,
        id=draft.key,
        kind=draft.kind,
        stem=draft.stem,
        options=tuple(ItemOption(option.text, option.right, option.why) for option in draft.options),
        title=draft.title,
        explanation=draft.explanation,
        tags=draft.concepts,
        category=draft.domain,
        draft=draft,
    )


class Report:
    """Counts what was found and writes it as JSON: the format, the items read, and those skipped with reasons."""

    def __init__(self, form: str, out: IO[str] | None = None) -> None:
        self.counts: Counter[str] = Counter()
        self.skipped: list[Skipped] = []
        self.out = out
        self._write(f'{{"format": {json.dumps(form)},\n"taken": [')

    def add(self, found: Found) -> None:
        """Add an item or skip, in file order."""
        if isinstance(found, Skipped):
            self.skip(found)
            return
        self._write((",\n" if self.counts["taken"] else "\n") + _json(found))
        self.counts["taken"] += 1

    def skip(self, skipped: Skipped) -> None:
        """Add a skipped item."""
        self.skipped.append(skipped)
        self.counts["skipped"] += 1

    def close(self) -> None:
        self._write('],\n"skipped": [' + ",".join("\n" + _json(each) for each in self.skipped) + "]}\n")

    def _write(self, text: str) -> None:
        if self.out:
            self.out.write(text)


def _json(found: Item | Skipped) -> str:
    return json.dumps(found.report(), ensure_ascii=False)
