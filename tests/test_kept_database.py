"""The database that test runs copy is recreated when its inputs have changed (tests/support/database.py)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from django.apps import apps
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from discussion.screening.rules.screen import LIST
from tests.support import database
from tests.support.imports import BASE, files_needed_by
from tests.upgrade import restored


def file_of(module: str) -> Path:
    return Path(sys.modules[module].__file__ or "")


def test_the_stored_database_depends_on_every_migration_and_model() -> None:
    migrations = {file_of(each.__module__) for each in MigrationLoader(None).disk_migrations.values()}
    models = {file_of(each.__module__) for each in apps.get_models(include_auto_created=False)}
    assert len(migrations) > 80
    assert sorted((migrations | models) - database.sources()) == []


def test_the_stored_database_also_depends_on_what_a_migration_imports() -> None:
    assert BASE / "courseiva/accounts/staff/groups.py" in database.sources()
    assert LIST in database.sources()
    needed = files_needed_by({BASE / "practice/start/begin.py"})
    assert {BASE / "practice/start/rules.py", BASE / "practice/start/__init__.py"} <= needed


def test_a_changed_word_in_an_input_changes_the_digest(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    one = tmp_path / "0001_first.py"
    one.write_text("first")
    monkeypatch.setattr(database, "sources", lambda: {one})
    before = database.digest()
    one.write_text("other")
    assert database.digest() != before


def test_a_dump_is_migrated_again_when_any_input_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {restored.kept_as("0.1.0", vendor) for vendor in restored.VENDORS}
    with monkeypatch.context() as patch:
        patch.setattr(restored, "_dump", lambda *_: b"other rows")
        other_rows = {restored.kept_as("0.1.0", vendor) for vendor in restored.VENDORS}
    monkeypatch.setattr(restored, "digest", lambda: "other code")
    other_code = {restored.kept_as("0.1.0", vendor) for vendor in restored.VENDORS}
    assert [len(each) for each in (before, before & other_rows, before & other_code)] == [2, 0, 0]


@pytest.mark.django_db
def test_every_migration_is_applied_in_the_test_database() -> None:
    assert set(MigrationRecorder(connection).applied_migrations()) == set(MigrationLoader(None).disk_migrations)
