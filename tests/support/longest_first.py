"""Runs slow files first, so that no worker is left alone with one at the end.

With ``--no-loadscope-reorder``, xdist hands files out in the order of collection.
"""

from __future__ import annotations

import gc

import pytest

gc.disable()  # collecting makes a million objects and drops none: rescanning them takes a fifth of the time

LONGEST = (
    "test_addresses.py", "questions/lint/test_command.py", "test_architecture.py", "questions/test_own_bank.py",
    "practice/test_check.py", "questions/test_editor.py", "test_permissions.py", "upgrade/test_upgrade.py",
    "questions/test_editor_fuzz.py", "discussion/test_queue_pages.py", "practice/test_growth.py",
    "discussion/test_pages.py", "practice/test_pages_readiness.py", "practice/test_analysis.py",
    "practice/test_calibration.py", "test_hidden_comments.py", "practice/test_readiness.py",
    "discussion/test_screening.py", "practice/test_account_edges.py", "practice/test_rebuilding.py",
    "courseiva/test_settings.py", "courseiva/test_fuzz_quick.py", "courseiva/test_demo_data.py",
    "test_quoted_sentences.py", "test_sentences.py", "practice/test_pages_lists.py", "courseiva/test_passkeys.py",
    "questions/lint/test_bank_table.py", "questions/test_caching.py", "courseiva/test_guards.py",
    "courseiva/test_celery.py", "questions/test_family_beginning.py", "questions/formats/test_round_trips.py",
    "test_links.py", "discussion/test_queue.py", "practice/test_session_http.py", "practice/test_regrading.py",
    "practice/test_pages_regrades.py", "practice/test_races.py", "practice/test_harvesting.py",
    "questions/test_family_formats.py",
    "soak/test_pages.py", "soak/test_stack.py", "soak/test_faults.py", "courseiva/test_processes.py",
    "journeys/test_nothing_is_lost.py", "journeys/test_on_the_device.py", "journeys/test_player.py",
)  # fmt: skip
"""The slowest files of each tier, in the order of the table that tests/support/file_times.py prints at its end.

The second and third need no database, so that their worker has something to do while the first one's migrates it.
"""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Sort the files by time; the tests of each file stay together, in their order."""
    here = config.rootpath / "tests"
    place = {here / name: number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.path, len(LONGEST)))


def pytest_collection_finish() -> None:
    """Freeze the collected tests: they stay to the end, so the garbage collector needn't keep scanning them."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    gc.enable()
