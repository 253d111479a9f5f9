"""Which answers of a log are processed together: one lane per learner, one answer each per step; pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from practice.measurement.ability.rules.belief import FIRST_DOMAIN
from practice.measurement.laboratory.rules.abreast import Numbers
from practice.measurement.laboratory.rules.answer_logs import LoggedAnswer


@dataclass(frozen=True, slots=True)
class Timetable:
    """Learners side by side, those with the most answers first. Arrays have shape (steps, lanes).

    ``answer`` is an index into the log, ``place`` the component of the answer's domain, ``met`` how many domains the
    learner had seen, and ``practised`` how many answers the learner had given in this domain. ``alive``, shape
    (steps,), is how many lanes still have an answer; anything to the right of them is meaningless.
    """

    domains: int
    alive: Numbers
    answer: Numbers
    place: Numbers
    met: Numbers
    practised: Numbers


def timetables(answers: Sequence[LoggedAnswer], places: Sequence[int], lanes: int) -> Iterator[Timetable]:
    """All answers at these places in the log, ``lanes`` learners at a time.

    Each learner's answers keep their order. Learners with similar numbers of answers are grouped, so that lanes end
    together.
    """
    histories: dict[str, list[int]] = {}
    for place in places:
        histories.setdefault(answers[place].learner, []).append(place)
    ordered = sorted(histories.values(), key=len, reverse=True)
    for start in range(0, len(ordered), lanes):
        yield _table(answers, ordered[start : start + lanes])


def _table(answers: Sequence[LoggedAnswer], histories: Sequence[Sequence[int]]) -> Timetable:
    lengths = np.array([len(history) for history in histories])
    shape = int(lengths[0]), len(histories)
    answer, place, met, practised = (np.zeros(shape, dtype=np.intp) for _ in range(4))
    domains = 0
    for lane, history in enumerate(histories):
        end = len(history)
        answer[:end, lane] = history
        columns = _met([answers[each].domain for each in history])
        place[:end, lane], met[:end, lane], practised[:end, lane] = columns.T
        domains = max(domains, 1 + int(columns[:, 0].max()) - FIRST_DOMAIN)
    alive = (np.arange(shape[0])[:, None] < lengths).sum(axis=1)
    return Timetable(domains, alive, answer, place, met, practised)


def _met(domains: Sequence[str]) -> Numbers:
    """For each of a learner's answers: the component, the domains seen before and the answers given in it; shape (n,
    3)."""
    components: dict[str, int] = {}
    practised: Counter[str] = Counter()
    rows = []
    for domain in domains:
        met = len(components)
        rows.append((components.setdefault(domain, FIRST_DOMAIN + met), met, practised[domain]))
        practised[domain] += 1
    return np.array(rows, dtype=np.intp)
