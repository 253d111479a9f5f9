"""Check which faults in a study module's files are refused or warned about, with file and line, and what is stored."""

import json
import re
from pathlib import Path

import pytest
from django.core.cache import cache

from questions.catalogue.rules.glossary import Term
from questions.models import Exam, StudyModule
from questions.modules.load import load_modules, rerender_module
from questions.modules.reads import outlines
from questions.modules.rules.file import Bank, ModuleFault, ModuleFile, read_module_file, sections_of
from questions.modules.rules.html import module_html
from questions.modules.rules.load_report import LoadReport
from questions.modules.rules.text import blocks_of, sentences_of
from questions.versions.rules.draft import DraftQuestion
from tests.support.bank import NOW, changed, draft, make_exam

GLOSSARY = {"pipelines": Term("New Pipelines", "Old Pipelines")}
PROSE = "Plain words of a chapter that say one thing after the other.\n"
BODY = f"""
:::cards
### First card
What comes first in {{{{pipelines}}}}.
:::

## Part one

{PROSE}
### A part of it

| One | Two |
| --- | --- |
| a | b |

```python
total = sum(range(3))
```

:::check q1
:::

:::tip
Look twice.
:::

## Part two

{PROSE}
:::check q2
:::

:::focus
Remember this.
:::

:::explain
In two minutes.
:::

:::interview
### What is it?
It is that.
:::

:::design
### Build it
Like so.
:::

:::mistakes
- Not looking.
:::
"""
NOTEBOOK = {"cells": [{"cell_type": "code", "source": ["x = 1\n", "x + 1"]}]}


def bank() -> Bank:
    questions: dict[str, DraftQuestion] = {f"q{n}": draft(n) for n in (1, 2, 3)}
    questions["q4"] = draft(4, pool="reserved")
    questions["q5"] = draft(5, domain="d2")
    return Bank({"d1", "d2"}, questions)


def write(folder: Path, place: int = 1, slug: str = "first", body: str = BODY, **front: object) -> Path:
    """Write a module's two files and return the path of the text; a field of ``front`` that is None is left out."""
    name = f"{place:02}-{slug}"
    fields = {
        "number": place, "slug": slug, "domain": "d1", "title": "The first", "summary": "What comes first.",
        "notebook": f"{name}.ipynb", "sources": '[{title: Page, url: "https://s.example/", as_of: 2026-11-21}]',
    } | front  # fmt: skip
    lines = [f"{field}: {value}" for field, value in fields.items() if value is not None]
    path = folder / f"{name}.md"
    path.write_text("\n".join(["---", *lines, "---", body.lstrip("\n")]))
    path.with_suffix(".ipynb").write_text(json.dumps(NOTEBOOK))
    return path


def read(path: Path) -> tuple[ModuleFile | None, list[ModuleFault]]:
    return read_module_file(path, GLOSSARY, bank())


def refused(path: Path) -> list[str]:
    """Return the refused faults as ``file:line: reason`` and check that the module was read only if there are none."""
    row, faults = read(path)
    told = [str(each).replace(str(path.parent) + "/", "") for each in faults if each.fault.severity == "refuse"]
    assert (row is None) == bool(told)
    return told


def line_of(path: Path, text: str) -> int:
    return next(n for n, line in enumerate(path.read_text().splitlines(), 1) if text in line)


def test_a_module_is_read_with_all_its_parts(tmp_path: Path) -> None:
    row, faults = read(write(tmp_path))
    assert row
    assert (row.number, row.slug, row.domain, row.title) == (1, "first", "d1", "The first")
    assert row.sections == ("Part one", "Part two")
    assert row.checks == ("q1", "q2")
    assert row.sources[0].url == "https://s.example/"
    assert json.loads(row.notebook) == NOTEBOOK
    assert "New Pipelines (" in row.body
    assert {each.fault.severity for each in faults} == {"warn"}  # because the module is far too short


def test_the_word_count_covers_prose_tables_and_titles_but_not_code_or_markup(tmp_path: Path) -> None:
    row, _ = read(write(tmp_path))
    more, _ = read(write(tmp_path, body=BODY.replace("total = sum", "one = two = three = four = total = sum")))
    longer, _ = read(write(tmp_path, body=BODY.replace("| a | b |", "| a | b c |")))
    assert row
    assert more
    assert longer
    assert (more.words, longer.words) == (row.words, row.words + 1)


CARD = """
:::ecosystem
### A tool
What it is. When you reach for it.
:::
"""


def test_the_ecosystems_cards_come_before_the_exam_focus(tmp_path: Path) -> None:
    body = BODY.replace("\n:::focus", f"{CARD}\n:::focus")
    row, faults = read(write(tmp_path, body=body))
    assert row
    assert not [each for each in faults if "“ecosystem”" in each.fault.reason]
    first = module_html(row.body)["closing"][0]
    assert (first["kind"], first["label"]) == ("ecosystem", "The ecosystem")
    assert "A tool</h3>" in first["html"]
    assert any("“ecosystem”" in each for each in refused(write(tmp_path, body=BODY + CARD)))
    headless = body.replace("### A tool\n", "")
    assert any("heading" in each for each in refused(write(tmp_path, body=headless)))


def test_the_ecosystems_cards_take_time_to_read_but_dont_lengthen_the_chapter(tmp_path: Path) -> None:
    """A chapter at its longest may have them, and a chapter that is too short isn't helped by them."""

    def usual(body: str) -> tuple[int, bool]:
        row, faults = read(write(tmp_path, body=body))
        assert row, faults
        return row.words, not any("words;" in each.fault.reason.split() for each in faults)

    cards = CARD.replace("What it is.", f"What it is.\n{PROSE * 75}")  # twelve words a line
    longest = BODY.replace(PROSE, PROSE * 75).replace("In two minutes.", PROSE * 75)
    words, is_usual = usual(longest)
    assert (2_700 < words < 3_000, is_usual) == (True, True)
    words_with, is_usual = usual(longest.replace("\n:::focus", f"{cards}\n:::focus"))
    assert (words_with > words + 900, is_usual) == (True, True)
    short = BODY.replace(PROSE, PROSE * 60).replace("\n:::focus", f"{cards}\n:::focus")
    words, is_usual = usual(short)
    assert (2_000 < words < 3_000, is_usual) == (True, False)


@pytest.mark.parametrize(
    ("old", "new", "where", "reason"),
    [
        ("## Part two", "# Part two", "# Part two", "##"),
        ("### A part of it", "#### A part of it", "#### A part", "##"),
        ("Look twice.", "Look <b>twice</b>.", "Look <b>", "HTML"),
        ("Look twice.", r"Look $\foo{x}$.", r"Look $\foo", r"\\foo"),
        ("total = sum(range(3))", "total = = 3", "total = = 3", "Python"),
        (":::tip\n", ":::hint\n", ":::hint", "hint"),
        ("Look twice.\n:::\n", "Look twice.\n", ":::tip", "“tip”"),
        ("## Part two", ":::\n\n## Part two", "", "box"),
        (":::check q2", ":::check none", ":::check none", "“none”"),
        (":::check q2", ":::check q4", ":::check q4", "“q4”"),
        (":::check q2", ":::check q5", ":::check q5", "“q5”.*“d2”"),
        (":::check q2", ":::check q1", "", "“q1”"),
        (":::check q2\n", ":::check q2\nSome text\n", ":::check q2", "check question"),
        ("### What is it?", "What is it?", "", "“interview”.*heading"),
        ("## Part two", "## Part one", "", "“Part one”"),
        ("{{pipelines}}", "{{airlines}}", "{{airlines}}", "“airlines”"),
        ("```python\ntotal = sum(range(3))\n```", "```python\ntotal = 1", "", "code"),
        (":::explain\nIn two minutes.\n:::\n", "", "", ""),
    ],
)
def test_a_fault_in_the_text_is_reported_with_its_line(
    tmp_path: Path, old: str, new: str, where: str, reason: str
) -> None:
    assert old in BODY
    path = write(tmp_path, body=BODY.replace(old, new))
    told = refused(path)
    if not reason:  # a missing part is only a warning
        assert told == []
        assert any("“explain”" in str(each) for each in read(path)[1])
        return
    found = [each for each in told if re.search(reason, each)]
    assert found, told
    if where:
        assert any(each.startswith(f"{path.name}:{line_of(path, where)}: ") for each in found), (found, where)


def test_a_formula_is_drawn_and_contains_no_html(tmp_path: Path) -> None:
    path = write(tmp_path, body=BODY.replace("Look twice.", r"Look $a <b \frac{1}{2}$."))
    assert refused(path) == []
    module = read(path)[0]
    assert module is not None
    assert "<mfrac>" in str(module_html(module.body))


def test_boxes_keep_their_order(tmp_path: Path) -> None:
    swapped = BODY.replace(":::focus", ":::later").replace(":::explain", ":::focus").replace(":::later", ":::explain")
    assert any("“focus”" in each for each in refused(write(tmp_path, body=swapped)))
    assert any("“text”" in each for each in refused(write(tmp_path, body=f"Before.\n{BODY}")))


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("number", "one", "must be a whole number"),
        ("number", "100", "must be a whole number"),
        ("number", "2", "the file must be 02-first.md"),
        ("domain", "d9", "“d9” is not a domain of the exam"),
        ("notebook", "other.ipynb", "its notebook 01-first.ipynb"),
        ("sources", "[]", "names none"),
        ("title", None, "title"),
        ("colour", "red", "colour"),
        ("title", "About {{airlines}}", "“airlines” is not in the glossary"),
    ],
)
def test_a_fault_in_the_front_matter_is_reported_with_its_field(
    tmp_path: Path, field: str, value: str | None, reason: str
) -> None:
    path = write(tmp_path, **{field: value if value is None or value.startswith(("[", "1", "2")) else f'"{value}"'})
    told = refused(path)
    assert any(reason in each for each in told), told
    if value is not None and field != "notebook" and "file must" not in reason:
        assert told[0].startswith(f"{path.name}:{line_of(path, f'{field}:')}: "), told


def test_a_file_without_front_matter_or_in_another_encoding_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path)
    path.write_text("## Part\n\nText.\n")
    assert refused(path) == ["01-first.md:1: has no front matter between two lines --- [module, refuse]"]
    path.write_bytes("---\ntitle: caf\u00e9\n---\n".encode("latin-1"))
    assert refused(path) == ["01-first.md:1: is not UTF-8 [module, refuse]"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "the notebook is missing"),
        ("{", "is not JSON"),
        ("{}", "is not a notebook"),
        (json.dumps({"cells": [{"cell_type": "sound", "source": []}]}), "“sound” is not a kind of cell"),
        (json.dumps({"cells": [{"cell_type": "code", "source": ["a = 1\n", "b = = 2"]}]}), "cell 1, its line 2"),
    ],
)
def test_the_notebooks_code_must_parse(tmp_path: Path, text: str | None, reason: str) -> None:
    path = write(tmp_path)
    notebook = path.with_suffix(".ipynb")
    notebook.unlink() if text is None else notebook.write_text(text)
    told = refused(path)
    assert reason in told[0]
    assert told[0].startswith("01-first.ipynb:1: ")


def test_sections_have_the_names_the_page_gives_them(tmp_path: Path, exam: Exam) -> None:
    path = write(tmp_path, body=BODY.replace("## Part one", "## Part one: it's {{pipelines}}"))
    load(exam, tmp_path)
    [outline] = outlines(exam)
    named = {f"first#{anchor}" for anchor, _, _ in outline.sections}
    assert sections_of(path, GLOSSARY) == named
    assert sections_of(path, {}) == set(), "a term that is in no glossary"


def test_a_fence_inside_a_box_hides_its_markup() -> None:
    blocks, faults = blocks_of("## A\n\n```text\n:::tip\n## not a section\n```\n")
    assert [block.kind for block in blocks] == ["section", "text"]
    assert faults == []


@pytest.fixture
def exam(db: None) -> Exam:
    return make_exam()


def load(exam: Exam, folder: Path) -> LoadReport:
    report = LoadReport()
    load_modules(exam, folder, GLOSSARY, bank(), NOW, report)
    return report


def stored() -> list[tuple[int, str]]:
    return list(StudyModule.objects.values_list("number", "slug"))


def test_loading_a_module_again_changes_nothing(exam: Exam, tmp_path: Path) -> None:
    write(tmp_path)
    assert load(exam, tmp_path).counts == {"modules new": 1}
    before = StudyModule.objects.values().get()
    assert load(exam, tmp_path).counts == {"modules unchanged": 1}
    assert StudyModule.objects.values().get() == before


def test_a_changed_file_changes_its_row_and_rendering_again_gives_the_same(exam: Exam, tmp_path: Path) -> None:
    write(tmp_path)
    load(exam, tmp_path)
    more = "Look three times."
    write(tmp_path, title="Another title", body=BODY.replace("Look twice.", more))
    assert load(exam, tmp_path).counts == {"modules changed": 1}
    module = StudyModule.objects.get()
    assert module.title == "Another title"
    assert "three times" in json.dumps(module.html)
    html, sections = module.html, outlines(exam)
    StudyModule.objects.update(html={})
    cache.clear()
    assert outlines(exam) != sections
    rerender_module(module)
    module.refresh_from_db()
    assert module.html == html
    assert outlines(exam) == sections, "what was kept of it is made anew"


def test_modules_that_swap_positions_keep_their_rows(exam: Exam, tmp_path: Path) -> None:
    write(tmp_path, 1, "first")
    write(tmp_path, 2, "second")
    load(exam, tmp_path)
    rows = dict(StudyModule.objects.values_list("slug", "pk"))
    for path in tmp_path.iterdir():
        path.unlink()
    write(tmp_path, 2, "first")
    write(tmp_path, 1, "second")
    assert load(exam, tmp_path).counts == {"modules changed": 2}
    assert stored() == [(1, "second"), (2, "first")]
    assert dict(StudyModule.objects.values_list("slug", "pk")) == rows


def test_a_renamed_module_keeps_its_row(exam: Exam, tmp_path: Path) -> None:
    path = write(tmp_path)
    load(exam, tmp_path)
    pk = StudyModule.objects.get().pk
    path.unlink()
    write(tmp_path, 1, "renamed")
    report = load(exam, tmp_path)
    assert (report.counts, report.gone) == ({"modules changed": 1}, [])
    assert StudyModule.objects.get().pk == pk
    assert stored() == [(1, "renamed")]


def test_a_missing_or_refused_file_leaves_its_row_alone(exam: Exam, tmp_path: Path) -> None:
    first, second = write(tmp_path, 1, "first"), write(tmp_path, 2, "second")
    load(exam, tmp_path)
    before = StudyModule.objects.values().get(slug="second")
    first.unlink()
    second.write_text(second.read_text().replace("Look twice.", "Look <i>twice</i>."))
    report = load(exam, tmp_path)
    assert len(report.gone) == 1
    assert "The first" in report.gone[0]
    assert len(report.refused) == 1
    assert StudyModule.objects.values().get(slug="second") == before
    assert stored() == [(1, "first"), (2, "second")]


def test_two_files_with_one_number_store_nothing(exam: Exam, tmp_path: Path) -> None:
    write(tmp_path, 1, "first")
    write(tmp_path, 1, "other")
    report = load(exam, tmp_path)
    assert report.refused
    assert stored() == []


def test_check_questions_are_set_by_the_files_not_by_the_site(tmp_path: Path) -> None:
    """A question may be in the files before it is published on the site."""
    questions = {"q1": changed(draft(1)), "q2": changed(draft(2))}
    row, _ = read_module_file(write(tmp_path), GLOSSARY, Bank({"d1"}, questions))
    assert row


def test_a_sentence_is_given_the_line_its_paragraph_starts_on():
    code = "```text\nNo prose.\n```"
    text = f"---\nslug: a\n---\n\n## A\n\nOne is\nlong. Two.\n\n{code}\n\n| a | b |\n| c | d |\n:::tip\nThree.\n:::\n"
    assert list(sentences_of(text)) == [
        (5, "## A"), (7, "One is\nlong."), (7, "Two."), (14, "| a | b |"), (15, "| c | d |"), (17, "Three."),
    ]  # fmt: skip
