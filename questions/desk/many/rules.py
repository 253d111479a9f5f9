"""Changes to several drafts at once: some facts, or find and replace. Pure."""

from __future__ import annotations

import dataclasses
import datetime as dt
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from questions.versions.rules.draft import ANSWER_PARTS, DraftQuestion
from questions.versions.rules.family import CLAUSE, template_of

MOST_AT_ONCE = 200
"""A reviewer reads every line, and one request writes everything."""
LISTS = ("key_concepts", "exam_tips")
FIELDS = ("title", "stem", "clues", "options", *ANSWER_PARTS, *LISTS, "sources")
Row = TypeVar("Row")


@dataclass(frozen=True)
class Facts:
    """New facts; None or empty fields change nothing."""

    domain: str | None = None
    difficulty: str | None = None
    pool: str | None = None
    add_concepts: tuple[str, ...] = ()
    drop_concepts: tuple[str, ...] = ()
    add_objectives: tuple[str, ...] = ()
    drop_objectives: tuple[str, ...] = ()
    as_of: dt.date | None = None

    def of(self, draft: DraftQuestion) -> DraftQuestion:
        """The draft with these facts."""
        sources = draft.sources
        if self.as_of:
            sources = tuple(dataclasses.replace(source, as_of=self.as_of) for source in sources)
        return dataclasses.replace(
            draft,
            domain=self.domain or draft.domain,
            difficulty=self.difficulty or draft.difficulty,
            pool=self.pool or draft.pool,
            concepts=tuple(sorted(_changed(draft.concepts, self.add_concepts, self.drop_concepts))),
            objectives=tuple(_changed(draft.objectives, self.add_objectives, self.drop_objectives)),
            sources=sources,
        )

    def is_empty(self) -> bool:
        """Whether nothing would change."""
        return self == Facts()


@dataclass(frozen=True)
class Replacement:
    """Find and replace in some fields."""

    find: str
    to: str
    fields: tuple[str, ...] = FIELDS
    match_case: bool = True
    whole_words: bool = False

    def of(self, draft: DraftQuestion) -> DraftQuestion:
        """The draft with the words replaced; a variant's clause stays in its stem."""
        new: dict[str, Any] = {}
        for name in self.fields:
            if name == "stem":
                new |= self._stem(draft)
            elif name == "clues":
                new[name] = self._rows(draft.clues, ("phrase", "why"))
            elif name == "options":
                new[name] = self._rows(draft.options, ("text", "tempts", "why", "right_if", "never"))
            elif name == "sources":
                new[name] = self._rows(draft.sources, ("title", "says"))
            elif name in LISTS:
                new[name] = tuple(self.text(each) for each in getattr(draft, name))
            else:
                new[name] = self.text(getattr(draft, name))
        return dataclasses.replace(draft, **new)

    def text(self, text: str) -> str:
        """A text with the words replaced; the replacement is literal."""
        return self._pattern().sub(lambda _: self.to, text)

    def is_empty(self) -> bool:
        """Whether nothing would change."""
        return not self.find or self.find == self.to or not self.fields

    def _pattern(self) -> re.Pattern[str]:
        found = re.escape(self.find)
        # Not \\b, which fails next to punctuation: "C++" is a whole word too.
        whole = rf"(?<!\w){found}(?!\w)" if self.whole_words else found
        return re.compile(whole, 0 if self.match_case else re.IGNORECASE)

    def _stem(self, draft: DraftQuestion) -> dict[str, str]:
        if not draft.clause:
            return {"stem": self.text(draft.stem)}
        before, _, after = template_of(draft.stem, draft.clause).partition(CLAUSE)
        clause = self.text(draft.clause)
        return {"clause": clause, "stem": f"{self.text(before)}{clause}{self.text(after)}"}

    def _rows(self, rows: Sequence[Row], names: Sequence[str]) -> tuple[Row, ...]:
        return tuple(
            dataclasses.replace(row, **{name: self.text(getattr(row, name)) for name in names})  # type: ignore[type-var]
            for row in rows
        )


@dataclass(frozen=True)
class Withdrawal:
    """Take questions out of new sessions; their text stays, on the desk and on their pages."""

    def of(self, draft: DraftQuestion) -> DraftQuestion:
        """The draft, unchanged."""
        return draft


Recipe = Facts | Replacement | Withdrawal
KINDS: Mapping[str, Callable[..., Recipe]] = {
    "facts": Facts, "replacement": Replacement, "withdrawal": Withdrawal
}  # fmt: skip


def stored(recipe: Recipe) -> dict[str, Any]:
    """The recipe in its stored form."""
    facts = dataclasses.asdict(recipe)
    if isinstance(recipe, Facts):
        facts["as_of"] = recipe.as_of.isoformat() if recipe.as_of else None
    kinds = {kind: name for name, kind in KINDS.items()}
    return {"kind": kinds[type(recipe)], **facts}


def recipe_of(kept: Mapping[str, Any]) -> Recipe:
    """The inverse of ``stored``."""
    facts: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in kept.items() if name != "kind"
    }
    if facts.get("as_of"):
        facts["as_of"] = dt.date.fromisoformat(facts["as_of"])
    return KINDS[kept["kind"]](**facts)


def _changed(names: Sequence[str], add: Sequence[str], drop: Sequence[str]) -> list[str]:
    return [*(name for name in names if name not in drop), *(name for name in add if name not in names)]
