"""Fitting and scoring: a ridge logistic regression over options, evaluated on unseen units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from questions.bank_files.readings.rules.items import Unit
from questions.bank_files.readings.rules.probe.features import FEATURES, Matrix, features_of

Mask = NDArray[np.bool_]
Places = NDArray[np.int64]
SPLITS = 20
"""With a fifth held out in each, a question is judged about four times: enough that its rate isn't the luck of one
split."""
SHUFFLES = 200
"""The band's ends are 2.5% quantiles, each with five shuffles beyond it. A shuffle takes SPLITS fits."""
HELD_OUT = 0.2  # the share of units held out in each split
SEED = 20261123  # fixed, so that two runs on one bank print the same
RIDGE = 1.0
STEPS = 6  # steps of Newton's method; with a ridge it has long converged by then


@dataclass(frozen=True)
class Table:
    """The bank as arrays: all questions' options in padded rows."""

    features: NDArray[np.float64]  # question x place x feature
    there: Mask  # question x place: whether the option exists
    key: Mask  # question x place
    unit: Places  # by question, the number of its unit

    @property
    def units(self) -> int:
        return int(self.unit.max()) + 1


def table_of(units: Sequence[Unit]) -> Table:
    """The table; features are scaled to one standard deviation over the bank."""
    items = [(number, item) for number, unit in enumerate(units) for item in unit.variants]
    widest = max(len(item.options) for _, item in items)
    features = np.zeros((len(items), widest, len(FEATURES)))
    there = np.zeros((len(items), widest), dtype=bool)
    key = np.zeros_like(there)
    for row, (_, item) in enumerate(items):
        size = len(item.options)
        features[row, :size] = features_of(item)
        there[row, :size] = True
        key[row, :size] = [slot in item.right for slot, _ in item.options]
    spread = features[there].std(axis=0)
    return Table(features / np.where(spread > 0, spread, 1), there, key, np.array([number for number, _ in items]))


def hits(table: Table, key: Mask) -> tuple[Places, Places]:
    """By question, in how many splits it was held out, and in how many of these the probe chose the full key."""
    tested = np.zeros(len(key), dtype=np.int64)
    hit = np.zeros_like(tested)
    for split in range(SPLITS):
        order = np.random.default_rng([SEED, split]).permutation(table.units)
        held = np.isin(table.unit, order[: max(1, round(HELD_OUT * table.units))])
        weights = _fit(table.features[~held][table.there[~held]], key[~held][table.there[~held]])
        score = np.where(table.there[held], table.features[held] @ weights, -np.inf)
        rank = np.argsort(np.argsort(-score, axis=1, kind="stable"), axis=1)
        chosen = rank < key[held].sum(axis=1, keepdims=True)
        tested += held
        hit[held] += (chosen == key[held]).all(axis=1)
    return tested, hit


def _fit(features: Matrix, right: Mask) -> NDArray[np.float64]:
    """Weights by Newton's method. An intercept is fitted too and dropped: it doesn't rank options within a question."""
    design = np.column_stack([features, np.ones(len(features))])
    penalty = RIDGE * np.eye(design.shape[1])
    weights = np.zeros(design.shape[1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-design @ weights))
        slope = design.T @ (right - chance) - penalty @ weights
        bend = (design * (chance * (1 - chance))[:, None]).T @ design + penalty
        weights += np.linalg.solve(bend, slope)
    return weights[:-1]


def shuffled_key(table: Table, shuffle: int) -> Mask:
    """Random keys: each unit's option places are permuted, so siblings keep different keys."""
    draw = np.random.default_rng([SEED, SPLITS, shuffle]).random((table.units, table.there.shape[1]))
    draw = np.where(table.there, draw[table.unit], np.inf)
    moved: Mask = np.take_along_axis(table.key, np.argsort(draw, axis=1), axis=1)
    return moved
