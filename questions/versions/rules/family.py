"""What the questions of a family share, taken out of one of them and put into another; pure."""

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
    """What an option says in every question of the family; which are right, and why, each says for itself."""

    slot: int
    text: str
    tempts: str
    concept: str | None
    right_if: str
    never: str


@dataclass(frozen=True)
class Shared:
    """What is the same in every question of a family. ``stem`` has ``{clause}`` where they differ."""

    domain: str
    pool: str
    kind: str
    stem: str
    options: tuple[SharedOption, ...]


@dataclass(frozen=True)
class Own:
    """What a variant says for itself on its family's page: topic, clause, key and clues."""

    title: str
    clause: str
    right: tuple[int, ...]
    clues: tuple[DraftClue, ...]


def with_own(draft: DraftQuestion, own: Own) -> DraftQuestion:
    """The variant with its own parts; its stem follows the clause once ``with_shared`` has been called."""
    options = tuple(dataclasses.replace(option, right=option.slot in own.right) for option in draft.options)
    return dataclasses.replace(draft, title=own.title, clause=own.clause, clues=own.clues, options=options)


def right_if_kept_back(keys_of_unmet: Iterable[int]) -> int:
    """The options whose “right if” a learner isn't told yet, as a mask: those that are right in a sibling still ahead.

    ``keys_of_unmet`` are the keys of the siblings that the learner has neither answered nor declined.
    """
    return functools.reduce(operator.or_, keys_of_unmet, 0)


def template_of(stem: str, clause: str) -> str:
    """The stem with its place for a clause; as it is where it does not hold the clause."""
    return stem.replace(clause, CLAUSE, 1) if clause else stem


def shared_of(draft: DraftQuestion) -> Shared:
    """What a question of a family shares with its siblings; options in the order of their slots."""
    options = [SharedOption(o.slot, o.text, o.tempts, o.concept, o.right_if, o.never) for o in draft.options]
    return Shared(
        draft.domain,
        draft.pool,
        draft.kind,
        template_of(draft.stem, draft.clause),
        tuple(sorted(options, key=lambda option: option.slot)),
    )


def with_shared(draft: DraftQuestion, shared: Shared) -> DraftQuestion:
    """The question with what its family shares; which options are right, and why, stay by slot."""
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
