"""The small world, built once for a class: its tests work in transactions within the one that holds the world.

A function outside a class gets a world of its own. To build one takes as long as a hundred requests.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.core.cache import cache
from django.db import transaction
from django.utils import timezone
from pytest_django.plugin import DjangoDbBlocker

from questions.catalogue.reads import IS_CHOICE
from tests.support.world import World, small_world


@contextmanager
def small_world_held() -> Iterator[World]:
    """For as long as it is held; then nothing of it is left."""
    with transaction.atomic():
        yield small_world(timezone.now())
        transaction.set_rollback(True)


@pytest.fixture(scope="class")
def standing_world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """The rows, and what addresses are built from."""
    held = small_world_held()
    with django_db_blocker.unblock():
        world = held.__enter__()
    yield world
    with django_db_blocker.unblock():
        held.__exit__(None, None, None)


@pytest.fixture
def world(standing_world: World, db: None) -> World:
    """What a test may change: its rows are put back, and these objects are its own."""
    cache.delete(IS_CHOICE)
    return copy.deepcopy(standing_world)
