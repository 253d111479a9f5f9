"""The project's own banks must load without refusals: the smaller one every day, all of them in the long tier."""

from __future__ import annotations

import io
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml
from django.db import transaction
from pytest_django.plugin import DjangoDbBlocker

from questions.bank_files.load import load_bank
from questions.catalogue.rules.yaml_fields import LOADER
from questions.formats.intake.reads.plan import UNCHANGED
from questions.formats.intake.reads.target import Target
from questions.formats.intake.take_in import import_items
from questions.formats.reads import live_items
from questions.formats.rules.items import Item
from questions.formats.rules.registry import format_named, read_items
from questions.models import Exam, Family, ImportedItem, Option, Question
from questions.modules.rules.load_report import LoadReport
from questions.versions.reads.drafts import draft_of, with_draft
from questions.versions.rules.documents import solution_facts
from tests.support.bank import NOW

FIXTURES = Path(__file__).parents[2] / "fixtures"


@dataclass(frozen=True)
class Loaded:
    """Hold a copy of the bank's files with the report of loading them."""

    folder: Path
    report: LoadReport


@contextmanager
def bank_held(folder: Path, *left_out: str) -> Iterator[Loaded]:
    """Load the bank, without these exams, for the length of the context and roll it back afterwards."""
    shutil.copytree(FIXTURES, folder, ignore=shutil.ignore_patterns(*left_out))
    with transaction.atomic():
        report = load_bank(folder, NOW)
        yield Loaded(folder, report)
        transaction.set_rollback(True)


@pytest.fixture(scope="class")
def loaded(
    tmp_path_factory: pytest.TempPathFactory, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[Loaded]:
    held = bank_held(tmp_path_factory.mktemp("own") / "fixtures")
    with django_db_blocker.unblock():
        loaded = held.__enter__()
    yield loaded
    with django_db_blocker.unblock():
        held.__exit__(None, None, None)


@pytest.fixture(scope="class")
def live(loaded: Loaded, django_db_blocker: DjangoDbBlocker) -> dict[str, list[Item]]:
    """Return what an export writes, by exam."""
    with django_db_blocker.unblock():
        return {exam.slug: list(live_items(exam.slug)) for exam in Exam.objects.all()}


@pytest.mark.django_db
def test_the_smaller_bank_loads_without_refusals(tmp_path: Path) -> None:
    with bank_held(tmp_path / "fixtures", "pmle") as loaded:
        assert loaded.report.refused == []
        assert loaded.report.counts["new"] >= 700


@pytest.mark.long("whole bank")
@pytest.mark.django_db
class TestTheOwnBank:
    def test_the_projects_bank_loads_without_refusals(self, loaded: Loaded) -> None:
        assert loaded.report.refused == []
        assert loaded.report.counts["new"] >= 900
        rows = Question.objects.filter(exam__slug="pmle")
        opened = [rows.filter(domain__number=n, pool="open").count() for n in range(1, 7)]
        units = Family.objects.filter(exam__slug="pmle", questions__pool="reserved").distinct()
        reserved = [units.filter(questions__domain__number=n).count() for n in range(1, 7)]
        assert min(opened) >= 10
        assert all(have >= need for have, need in zip(reserved, (24, 30, 39, 36, 40, 24), strict=True))
        assert 0.1 <= rows.filter(kind="multiple").count() / rows.count() <= 0.3

    def test_an_export_of_the_published_bank_matches_its_rows(self, loaded: Loaded) -> None:
        rows = with_draft(Question.objects.select_related("live_version__solution"))
        told = {row.key: (row.live_version.solution.text, solution_facts(draft_of(row))) for row in rows}
        assert len(told) >= 900
        assert [key for key, (published, stored) in told.items() if published != stored] == []

    @pytest.mark.parametrize("name", ["yaml", "json", "qti-2.1", "csv"])
    def test_importing_the_banks_own_export_changes_nothing(self, live: dict[str, list[Item]], name: str) -> None:
        form, count = format_named(name), Question.objects.count()
        assert form.write
        assert {"ace", "pmle"} <= set(live)
        for slug, items in live.items():
            found = [each for each in read_items(form, io.BytesIO(form.write(items))) if isinstance(each, Item)]
            outcomes = import_items(Target.of(slug, f"export.{name}"), found, NOW)
            assert Counter(each.result for each in outcomes) == {UNCHANGED: len(items)}
        assert (Question.objects.count(), ImportedItem.objects.count()) == (count, 0)

    def test_the_banks_families_are_loaded_unchanged(self, loaded: Loaded) -> None:
        """This includes families that are still waiting in sibling folders."""
        written, waiting = {}, 0
        for path in sorted((loaded.folder / "pmle").glob("*/*.yaml")):
            families = (yaml.load(path.read_text(), LOADER) or {}).get("families")
            if families:
                if path.parent.name != "questions":
                    shutil.copy(path, loaded.folder / "pmle" / "questions")
                    waiting += sum(len(row["variants"]) for row in families)
                written |= {row["id"]: [each["id"] for each in row["variants"]] for row in families}
        assert len(written) >= 209
        again = load_bank(loaded.folder, NOW)
        assert again.refused == []
        families = Family.objects.filter(exam__slug="pmle")
        found = {each.key: [row.key for row in each.questions.order_by("place")] for each in families}
        assert found == written
        assert not Option.objects.exclude(question__family=None).filter(right_if="", never="").exists()
        assert again.counts.get("new", 0) == waiting
        assert set(again.counts) - {"new"} == {"unchanged", "modules unchanged"}
