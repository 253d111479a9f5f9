"""Very many damaged question files, and very large ones, are read without a failure."""

from __future__ import annotations

import io
import re
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from questions.formats.rules.items import Item, ItemOption
from questions.formats.rules.registry import BY_NAME, read_items
from questions.models import Question
from tests.questions.formats.mutations import damaged
from tests.questions.formats.samples import samples
from tests.questions.formats.test_fuzz import detect_and_read, read_all
from tests.support.bank import make_exam

pytestmark = pytest.mark.soak


@pytest.mark.parametrize("name", sorted(samples()))
@settings(max_examples=1500, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_no_damaged_file_causes_a_traceback(name: str, data: st.DataObject) -> None:
    form, content = samples()[name]
    content = data.draw(damaged(content))
    read_all(BY_NAME[form], content)
    detect_and_read(content)


def many(count: int) -> Iterator[Item]:
    """Yield this many questions of usual length."""
    for n in range(count):
        options = tuple(
            ItemOption(f"Use thing {slot} of the plan for number {n}.", slot == n % 4, f"It would cost {slot}{n} more.")
            for slot in range(4)
        )
        stem = f"Team {n} runs a service for {n} people and wants it to cost less.\n\nWhich plan fits number {n}?"
        yield Item(0, f"q-{n}", "single", stem, options, title=f"Team {n}", explanation=f"Number {n} is small.")


@pytest.mark.django_db
def test_ten_thousand_questions_can_be_imported_twice(tmp_path: Path, record_property: Any) -> None:
    make_exam()
    write = BY_NAME["moodle-xml"].write
    assert write is not None
    path = tmp_path / "many.xml"
    path.write_bytes(write(many(10_000)))
    for run, expected in enumerate(("10000 new", "10000 unchanged")):
        out, start = io.StringIO(), time.monotonic()
        call_command("import_questions", str(path), "--exam", "pmle", "--commit", stdout=out)
        record_property(f"seconds of run {run + 1}", round(time.monotonic() - start))
        print(f"run {run + 1}: {time.monotonic() - start:.0f} s")
        assert re.search(rf"\b10000\b.*\b0\b.*\b{expected}\.", out.getvalue())
    assert Question.objects.count() == 10_000


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    peaks = []
    for count in (500, 4000):
        path = tmp_path / f"{count}.gift"
        write = BY_NAME["gift"].write
        assert write is not None
        path.write_bytes(write(many(count)))
        tracemalloc.start()
        with path.open("rb") as stream:
            assert sum(isinstance(found, Item) for found in read_items(BY_NAME["gift"], stream)) == count
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.5 * peaks[0]
