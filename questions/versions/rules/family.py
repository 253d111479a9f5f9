"""What a family's questions share, extracted from one and applied to another; pure."""

from __future__ import annotations

import dataclasses
import functools
import operator
from collections.abc import Iterable
from dataclasses import dataclass

from questions.versions.rules.draft import DraftClue, DraftOption, DraftQuestion

CLAUSE = "{clause}"


@dataclass(frozen=True)
class SharedOption:
    """An option's text in every question of the family; which are right, and why, is set per question."""

    slot: int
    text: str
    tempts: str
    concept: str | None
    right_if: str
    never: str


@dataclass(frozen=True)
class Shared:
    """What is the same in all of a family's questions. ``stem`` has ``{clause}`` where they differ."""

    domain: str
    pool: str
    kind: str
    stem: str
    options: tuple[SharedOption, ...]


@dataclass(frozen=True)
class Own:
    """A variant's own parts on its family's page: topic, clause, key and clues."""

    title: str
    clause: str
    right: tuple[int, ...]
    clues: tuple[DraftClue, ...]


def with_own(draft: DraftQuestion, own: Own) -> DraftQuestion:
    """The variant with its own parts; its stem gets the clause once ``with_shared`` is called."""
    options = tuple(dataclasses.replace(option, right=option.slot in own.right) for option in draft.options)
    return dataclasses.replace(draft, title=own.title, clause=own.clause, clues=own.clues, options=options)


def right_if_kept_back(keys_of_unmet: Iterable[int]) -> int:
    """The options whose “right if” a learner must not see yet, as a mask: those right in a sibling still ahead.

    ``keys_of_unmet`` are the keys of the siblings the learner has neither answered nor declined.
    """
    return functools.reduce(operator.or_, keys_of_unmet, 0)


def template_of(stem: str, clause: str) -> str:
    """The stem with a placeholder for the clause; unchanged if it doesn't contain the clause."""
    return stem.replace(clause, CLAUSE, 1) if clause else stem


def shared_of(draft: DraftQuestion) -> Shared:
    """What a question shares with its siblings; options in slot order."""
    options = [SharedOption(o.slot, o.text, o.tempts, o.concept, o.right_if, o.never) for o in draft.options]
    return Shared(
        draft.domain,
        draft.pool,
        draft.kind,
        template_of(draft.stem, draft.clause),
        tuple(sorted(options, key=lambda option: option.slot)),
    )


def with_shared(draft: DraftQuestion, shared: Shared) -> DraftQuestion:
    """The question with its family's shared parts; which options are right, and why, is kept by slot."""
    own = {option.slot: option for option in draft.options}
    return dataclasses.replace(
        draft,
        domain=shared.domain,
        pool=shared.pool,
        kind=shared.kind,
        stem=shared.stem.replace(CLAUSE, draft.clause),
        options=tuple(_option(each, own.get(each.slot)) for each in shared.options),
    )


def _option(shared: SharedOption, own: DraftOption | None) -> DraftOption:
    return DraftOption(
        shared.slot,
        shared.text,
        own.right if own else False,
        shared.tempts,
        own.why if own else "",
        shared.concept,
        shared.right_if,
        shared.never,
    )
