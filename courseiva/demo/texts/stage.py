"""A temporary database, with emails kept in memory and the clock stopped."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from django.db import connection
from django.test.utils import (
    override_settings,
    setup_databases,
    setup_test_environment,
    teardown_databases,
    teardown_test_environment,
)

# Noon on a Monday: nowhere in the world does the day or month change between two steps of the tour.
NOON = dt.datetime(2026, 11, 23, 12, 0, tzinfo=dt.UTC)
PLAIN_FILES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}


@contextmanager
def standing_clock() -> Iterator[dt.datetime]:
    """Stop Django's clock at that noon, so that two tours print the same."""
    with mock.patch("django.utils.timezone.now", return_value=NOON), mock.patch("secrets.randbits", return_value=7):
        yield NOON


@contextmanager
def on_a_throw_away_database() -> Iterator[None]:
    """Django's own test database: made here, deleted at the end, whatever the settings name."""
    setup_test_environment(debug=False)
    logging.disable(logging.CRITICAL)  # pages are also asked for what they refuse
    try:
        with override_settings(STORAGES=PLAIN_FILES):
            made = setup_databases(verbosity=0, interactive=False)
            try:
                yield
            finally:
                teardown_databases(made, verbosity=0)
    finally:
        connection.close()
        logging.disable(logging.NOTSET)
        teardown_test_environment()
