"""What a format carries comes back from a file we wrote (docs/formats.md has the table)."""

from __future__ import annotations

import dataclasses
import io
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from courseiva.common.rich_text import render
from questions.formats.rules.detection import detect
from questions.formats.rules.items import BadFile, Item
from questions.formats.rules.registry import ALL_PARTS, BY_NAME, FORMATS, Format, read_items
from questions.formats.rules.xml.qti_writing import identifier as qti_name
from tests.questions.formats.strategies import drafts, families, identifier, items, on_line_0, rich_text, squeezed

FEW = settings(max_examples=25, deadline=None)
AS_WRITTEN = [BY_NAME[name] for name in ("yaml", "json", "gift", "moodle-xml", "csv", "xlsx")]
AS_HTML = [BY_NAME[name] for name in ("qti-2.1", "qti-3.0")]


def back(form: Format, written: list[Item]) -> list[object]:
    """Return the items that come back when they are written to a file and read again."""
    assert form.write is not None
    return [on_line_0(found) for found in read_items(form, io.BytesIO(form.write(written)))]


def carried(item: Item, form: Format) -> Item:
    """Return the item without what the format doesn't carry."""
    empty = {"id": "", "title": "", "explanation": "", "tags": (), "category": "", "draft": None}
    lost = {part: nothing for part, nothing in empty.items() if part not in form.carries}
    return dataclasses.replace(item, **lost)


def test_every_format_that_is_written_and_read_is_tested_here() -> None:
    assert {form.name for form in FORMATS if form.write and form.read} == {f.name for f in AS_WRITTEN + AS_HTML}
    assert all(set(form.carries) <= set(ALL_PARTS) for form in FORMATS)
    assert [form.name for form in FORMATS if form.carries and not (form.write and form.read)] == []


@pytest.mark.parametrize("form", AS_WRITTEN, ids=lambda form: form.name)
@FEW
@given(written=st.lists(items(), min_size=1, max_size=3))
def test_markdown_survives_a_round_trip(form: Format, written: list[Item]) -> None:
    assert back(form, written) == [carried(item, form) for item in written]


@pytest.mark.parametrize("name", ["yaml", "json"])
@FEW
@given(written=st.lists(drafts(), min_size=1, max_size=2))
def test_our_own_formats_lose_nothing_of_a_draft(name: str, written: list[Item]) -> None:
    assert back(BY_NAME[name], written) == written


@pytest.mark.parametrize("name", ["yaml", "json"])
@FEW
@given(alone=st.lists(drafts(), max_size=1), family=families())
def test_our_own_formats_lose_nothing_of_a_family(name: str, alone: list[Item], family: list[Item]) -> None:
    assert back(BY_NAME[name], family[:1] + alone + family[1:]) == alone + family


def shown(item: Item) -> Item:
    """Return the item with its texts as pages show them."""
    options = tuple(
        dataclasses.replace(o, text=squeezed(render(o.text)), feedback=squeezed(render(o.feedback)))
        for o in item.options
    )
    stem, explanation = squeezed(render(item.stem)), squeezed(render(item.explanation))
    return dataclasses.replace(item, stem=stem, explanation=explanation, options=options)


@pytest.mark.parametrize("form", AS_HTML, ids=lambda form: form.name)
@FEW
@given(written=st.lists(items(texts=rich_text, ids=identifier), min_size=1, max_size=3))
def test_html_looks_the_same_after_a_round_trip(form: Format, written: list[Item]) -> None:
    came = back(form, written)
    named = [dataclasses.replace(item, id=qti_name(item)) for item in written]  # QTI gives every item a name
    assert [shown(item) for item in came] == [shown(carried(item, form)) for item in named]


@pytest.mark.parametrize("form", [form for form in FORMATS if form.write and form.read], ids=lambda form: form.name)
@settings(max_examples=10, deadline=None)
@given(written=st.lists(items(), min_size=1, max_size=2))
def test_files_we_write_are_recognised_without_their_names(form: Format, written: list[Item]) -> None:
    assert form.write is not None
    assert detect(io.BytesIO(form.write(written)), "file").name == form.name


@pytest.mark.parametrize("name", ["yaml", "json", "moodle-xml", "csv", "xlsx", "qti-2.1", "qti-3.0"])
def test_a_file_of_no_items_is_refused_as_empty(name: str) -> None:
    with pytest.raises(BadFile):
        back(BY_NAME[name], [])


@FEW
@given(written=st.lists(items(), min_size=1, max_size=3))
def test_an_anki_file_has_a_line_of_four_cells_for_each_item(written: list[Item]) -> None:
    write = BY_NAME["anki"].write
    assert write is not None
    lines = write(written).decode().rstrip("\n").split("\n")
    notes = [line for line in lines if not line.startswith("#")]
    assert [line.count("\t") for line in notes] == [3] * len(written)


def test_a_package_of_the_same_items_has_the_same_bytes_each_time() -> None:
    item = Item(0, "q1", "single", "Which?", (), tags=("a",))
    for form in AS_HTML:
        assert form.write is not None
        assert form.write([item]) == form.write([item])
        assert zipfile.ZipFile(io.BytesIO(form.write([item]))).namelist() == ["imsmanifest.xml", "items/item-00001.xml"]


def test_the_documented_table_matches_the_code() -> None:
    text = (Path(__file__).resolve().parents[3] / "docs" / "formats.md").read_text()
    rows = [line.strip("| ").split("|") for line in text.split("\n") if line.startswith("| `")]
    stated = [tuple(cell.strip() for cell in (*row, "")[:4]) for row in rows]
    said = {True: "yes", False: "no"}
    assert stated == [
        (f"`{form.name}`", said[bool(form.read)], said[bool(form.write)], ", ".join(form.carries)) for form in FORMATS
    ]
