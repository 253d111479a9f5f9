"""Finds how many learners the site can hold: each signed in, in their own mock, saving an answer every three seconds.

Held means that 95 of 100 saves are acknowledged within 250 ms and none fails. The number is raised until a step fails.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tests.bench.crowd import Answers, Crowd
from tests.bench.machine import busy_seconds, family, used_seconds
from tests.bench.signed_in import Saver, begun, make_accounts, signed_in
from tests.bench.stack import Stack
from tests.bench.table import markdown

EVERY = 3.0
BOUND_MS = 250.0
STEPS = (100, 200, 300, 400, 500, 600, 800, 1000)
HEAD = [
    "Learners", "saves/s", "median ms", "95% ms", "99% ms", "errors",
    "web, % of a core", "generator, % of a core", "everything, % of all cores",
]  # fmt: skip


@dataclass(frozen=True)
class Step:
    """The outcome with this many learners for this long, and the share of a core each part took."""

    learners: int
    answers: Answers
    web: float
    everything: float

    @property
    def held(self) -> bool:
        """Return whether saves were fast enough and nothing went wrong."""
        return not self.answers.errors and bool(self.answers.times) and self.answers.quantile(0.95) < BOUND_MS

    def cells(self) -> list[str]:
        """Return the cells of its line in the table."""
        found = self.answers
        times = [f"{found.quantile(share):.0f}" for share in (0.5, 0.95, 0.99)] if found.times else [""] * 3
        shares = (self.web, found.own_seconds / found.seconds, self.everything)
        return [
            str(self.learners), f"{found.rate:.0f}", *times, str(len(found.errors)),
            *(f"{100 * share:.0f}" for share in shares),
        ]  # fmt: skip


def steps_to(most: int) -> list[int]:
    """Return the numbers of learners to try, the last one as given."""
    return [*(size for size in STEPS if size < most), most]


def most_held(steps: Sequence[Step]) -> int:
    """Return the largest number of learners that was held, as was every smaller one."""
    most = 0
    for step in sorted(steps, key=lambda step: step.learners):
        if not step.held:
            break
        most = step.learners
    return most


def learners_held(stack: Stack, seconds: float, most: int, cores: int, say: Callable[[str], None]) -> str:
    """Sign in and measure step by step; return the section's text for this set-up."""
    make_accounts(stack, most)
    savers: list[Saver] = []
    steps: list[Step] = []
    sign_in_seconds = 0.0
    for learners in steps_to(most):
        began = time.perf_counter()
        people = signed_in(stack, range(len(savers), learners))
        sign_in_seconds += time.perf_counter() - began
        savers += begun(people)
        steps.append(measured(stack, savers, seconds, cores))
        say(f"    {learners} learners: {' '.join(steps[-1].cells()[1:6])} {steps[-1].answers.errors[:1] or ''}")
        if not steps[-1].held:
            break
    return told(steps, len(savers) / sign_in_seconds)


def measured(stack: Stack, savers: Sequence[Saver], seconds: float, cores: int) -> Step:
    """Measure one step, after every learner has saved once."""
    crowd = Crowd(stack.port, savers)
    try:
        crowd.run(EVERY, EVERY)
        web = family(stack.web)
        used, busy, began = used_seconds(web), busy_seconds(), time.perf_counter()
        answers = crowd.run(seconds, EVERY)
        took = time.perf_counter() - began
    finally:
        crowd.close()
    return Step(len(savers), answers, (used_seconds(web) - used) / took, (busy_seconds() - busy) / took / cores)


def told(steps: Sequence[Step], sign_ins: float) -> str:
    """Return the summary sentence and the table."""
    most = most_held(steps)
    more = " (the last step; more were not tried)" if most == steps[-1].learners else ""
    return (
        f"**Held: {most} learners**{more}. Before each step its learners signed in through the form, "
        f"{sign_ins:.1f} a second, and started a mock of 60.\n\n{markdown(HEAD, [step.cells() for step in steps])}"
    )
