"""Sets of options as bit masks (bit = slot), and the order in which a session shows options."""

from __future__ import annotations

import random
from collections.abc import Iterable

# A mask fits a PositiveSmallIntegerField, whose largest value is 32,767.
MASK_LIMIT = 1 << 15


def mask_of(slots: Iterable[int]) -> int:
    return sum(1 << slot for slot in set(slots))


def slots_of(mask: int) -> tuple[int, ...]:
    """The slots of a mask, ascending."""
    return tuple(slot for slot in range(15) if mask >> slot & 1)


def stored_order(slots: Iterable[int]) -> str:
    """The order as a session stores it: one hexadecimal digit per slot."""
    return "".join(f"{slot:x}" for slot in slots)


def shuffled_order(slots: Iterable[int], rng: random.Random) -> str:
    """The slots in random order."""
    order = list(slots)
    rng.shuffle(order)
    return stored_order(order)


def order_slots(order: str) -> tuple[int, ...]:
    return tuple(int(digit, 16) for digit in order)


def mask_from_places(places: Iterable[int], order: str) -> int:
    """The mask for options given by their position on the learner's page (from 0).

    Raises ValueError for a position the item doesn't have.
    """
    slots = order_slots(order)
    chosen = set(places)
    if not chosen <= set(range(len(slots))):
        raise ValueError("names an option this question does not have")
    return mask_of(slots[place] for place in chosen)


def places_from_mask(mask: int, order: str) -> list[int]:
    """The positions of a mask's options on the learner's page."""
    return [place for place, slot in enumerate(order_slots(order)) if mask >> slot & 1]
