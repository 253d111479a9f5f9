"""Any file gives items and reasons or one clear refusal of the whole file, and never a traceback."""

from __future__ import annotations

import contextlib
import io

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from questions.formats.rules.detection import detect
from questions.formats.rules.items import BadFile, Item, Skipped, checked
from questions.formats.rules.registry import BY_NAME, FORMATS, Format, read_items
from tests.questions.formats.mutations import damaged
from tests.questions.formats.samples import samples

READABLE = [form for form in FORMATS if form.read]


def read_all(form: Format, content: bytes) -> int:
    """Read a file to its end or its refusal; every finding must be complete, and a file without any is refused."""
    found: list[Item | Skipped] = []
    refusal = ""
    try:
        found.extend(read_items(form, io.BytesIO(content)))
    except BadFile as error:
        refusal = str(error)
    assert found or refusal
    for each in found:
        assert each.line >= 1
        if isinstance(each, Item):
            assert checked(each) is each
        else:
            assert each.reason
            assert each.kind
        assert each.report()
    return len(found)


def detect_and_read(content: bytes) -> None:
    with contextlib.suppress(BadFile):
        read_all(detect(io.BytesIO(content), "file"), content)


@pytest.mark.parametrize("name", sorted(samples()))
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_damaged_file_yields_items_and_reasons_or_one_refusal(name: str, data: st.DataObject) -> None:
    form, content = samples()[name]
    content = data.draw(damaged(content))
    read_all(BY_NAME[form], content)
    detect_and_read(content)


@pytest.mark.parametrize("form", READABLE, ids=lambda form: form.name)
@settings(max_examples=25, deadline=None)
@given(content=st.one_of(st.binary(max_size=60), st.text(max_size=60).map(lambda text: text.encode(errors="replace"))))
def test_any_input_can_be_read(form: Format, content: bytes) -> None:
    read_all(form, content)


@pytest.mark.parametrize("form", READABLE, ids=lambda form: form.name)
@pytest.mark.parametrize("name", sorted(samples()))
def test_a_file_of_another_format_can_be_read(form: Format, name: str) -> None:
    read_all(form, samples()[name][1])


@pytest.mark.parametrize("name", ["gift", "aiken", "moodle", "qti-1.2", "csv", "markdown", "yaml", "json"])
def test_a_truncated_file_is_imported_up_to_the_cut(name: str) -> None:
    form, content = samples()[name]
    counts = [read_all(BY_NAME[form], content[:end]) for end in range(len(content) // 2, len(content), 97)]
    assert counts[0] >= 1
    assert counts[-1] >= counts[0]
