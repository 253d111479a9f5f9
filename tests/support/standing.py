"""Builds the small world once for a class, whose tests run in transactions inside the one that holds the world.

A function outside a class gets its own world. Building one takes as long as a hundred requests.
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
    """Hold the small world for the length of the block; afterwards nothing of it is left."""
    with transaction.atomic():
        yield small_world(timezone.now())
        transaction.set_rollback(True)


@pytest.fixture(scope="class")
def standing_world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """Hold the world's rows and yield what addresses are built from."""
    held = small_world_held()
    with django_db_blocker.unblock():
        world = held.__enter__()
    yield world
    with django_db_blocker.unblock():
        held.__exit__(None, None, None)


@pytest.fixture
def world(standing_world: World, db: None) -> World:
    """Give a test a world it may change: the rows are put back afterwards, and the objects are fresh copies."""
    cache.delete(IS_CHOICE)
    return copy.deepcopy(standing_world)
