"""The classifier's weights, made from labelled texts. Only the command imports this: it needs scikit-learn."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from discussion.comments.models.comments import Comment, State
from discussion.comments.models.moderation import Reason
from discussion.screening.rules.classifier import SIZE, UNIT, features, share, tokens
from discussion.screening.rules.parts import Context, Model
from discussion.screening.rules.screen import screen, starting_list
from discussion.screening.rules.text import read
from discussion.trust.rules import Level

LABELLED = Path(__file__).parent / "data" / "labelled.csv"
STRENGTH = 10.0
"""The inverse regularisation strength, by cross-validation; 3 and 30 do no better."""
FOLDS, SEED = 10, 20261123
HELD_OF_NEW, HELD_OF_KNOWN = 0.04, 0.005
"""The shares of harmless texts that may be held by any rule, for authors screened closely and for others.

Texts by unfamiliar writers are held up to twice as often as in the folds: 8% is acceptable.
"""
MOST_DECISIONS = 5000
"""About twice the texts written for it: enough to learn a site's own spam, while the written ones still count."""
HARM = (Reason.LEAK, Reason.ADVERT, Reason.ABUSE)
"""A comment that was just off topic or a repetition isn't harmful."""
SILENT = Model(-1.0, {True: 0.0, False: 0.0}, (0.0,) * SIZE)


@dataclass(frozen=True)
class Labelled:
    text: str
    is_harmful: bool


def from_file(path: Path) -> list[Labelled]:
    """The texts in a file with the columns `text` and `label` (harmful or harmless)."""
    with path.open(newline="", encoding="utf-8") as rows:
        return [Labelled(row["text"], row["label"] == "harmful") for row in csv.DictReader(rows)]


def from_decisions() -> list[Labelled]:
    """What moderators last removed as harmful, or approved."""
    rows = Comment.objects.filter(deleted_at=None, state_by__isnull=False).order_by("-state_at")
    kept = rows.exclude(state=State.HELD).values_list("text", "state", "state_reason")[:MOST_DECISIONS]
    found = []
    for text, state, reason in kept:
        if state in {State.VISIBLE, State.SPAM} or reason in HARM:
            found.append(Labelled(text, state != State.VISIBLE))
    return found


def train(rows: Sequence[Labelled]) -> dict[str, Any]:
    """Weights in stored form, and thresholds that hold no more harmless comments than allowed."""
    texts = _matrix(row.text for row in rows)
    labels = np.array([row.is_harmful for row in rows])
    scores = np.zeros(len(rows))
    folds = np.random.default_rng(SEED).permutation(len(rows)) % FOLDS
    for fold in range(FOLDS):
        mine = folds == fold
        scores[mine] = _fitted(texts[~mine], labels[~mine]).decision_function(texts[mine])
    model = _fitted(texts, labels)
    return {
        "bias": round(float(model.intercept_[0]), 3),
        "new": _threshold(rows, scores, Level.NEW, HELD_OF_NEW),
        "known": _threshold(rows, scores, Level.KNOWN, HELD_OF_KNOWN),
        "weights": [round(float(each) * UNIT) for each in model.coef_[0]],
    }


def write(weights: dict[str, Any], path: Path) -> None:
    """Write twenty weights per line, so that files can be compared."""
    lines = [weights["weights"][n : n + 20] for n in range(0, SIZE, 20)]
    body = ",\n".join(", ".join(map(str, line)) for line in lines)
    head = ", ".join(f"{json.dumps(key)}: {weights[key]}" for key in ("bias", "new", "known"))
    path.write_text(f'{{{head}, "weights": [\n{body}\n]}}\n')


def _matrix(texts: Iterable[str]) -> csr_matrix:
    """As in ``score``: each feature weighs one over the root of the text's number of features."""
    columns: list[int] = []
    values: list[float] = []
    ends = [0]
    for text in texts:
        found = sorted(features(tokens(read(text).plain)))
        columns += found
        values += [share(len(found))] * len(found)
        ends.append(len(columns))
    return csr_matrix((values, columns, ends), shape=(len(ends) - 1, SIZE))


def _fitted(texts: csr_matrix, labels: Any) -> LogisticRegression:
    return LogisticRegression(C=STRENGTH, max_iter=5000, tol=1e-7).fit(texts, labels)


def _threshold(rows: Sequence[Labelled], scores: Any, level: Level, most: float) -> float:
    """The lowest threshold that holds at most this share of harmless texts, counting those held by other rules."""
    context = Context(level=level, listed=starting_list(), model=SILENT)
    harmless = [
        (bool(screen(row.text, context)), score) for row, score in zip(rows, scores, strict=True) if not row.is_harmful
    ]
    may_hold = int(most * len(harmless)) - sum(held for held, _ in harmless)
    by_score = sorted((score for held, score in harmless if not held), reverse=True)
    return round(float(by_score[max(may_hold, 0)]), 3)
