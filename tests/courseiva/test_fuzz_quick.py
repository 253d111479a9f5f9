"""Run a quick part of tests/soak/test_fuzz.py: the same inputs each time, for some addresses and forms."""

from __future__ import annotations

import pytest

from tests.soak.test_fuzz import run_all, targets_of, world
from tests.support.pages import rows
from tests.support.world import World

EVERY, A_FEW, FIXED_SEED = 13, 250, 14
pytestmark = pytest.mark.django_db(transaction=True)
world = world  # noqa: PLW0127 - the fixture


@pytest.mark.long("many requests")
def test_a_few_inputs_cause_no_server_error(world: World) -> None:
    addresses, forms = targets_of(world, rows()[::EVERY])
    outcome = run_all(world, [*addresses, *forms], A_FEW, FIXED_SEED)
    assert outcome.wrong == {}, "\n\n".join(f"{title}\n{text}" for title, text in outcome.wrong.items())
    assert outcome.statuses.total() >= A_FEW
    assert {200, 302, 400, 404, 405} <= set(outcome.statuses)
