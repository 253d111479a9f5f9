"""Oddities of real files that would trip up a simple reader are read or refused correctly."""

from __future__ import annotations

import csv
import dataclasses
import io
import struct
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from questions.formats.rules import limits
from questions.formats.rules.detection import detect
from questions.formats.rules.items import BadFile, CannotTake, Item, Skipped, content_id
from questions.formats.rules.reading.html_text import Texts, literal, reads_as
from questions.formats.rules.registry import BY_NAME, FORMATS, format_named
from tests.questions.formats.finding import found, one
from tests.questions.formats.samples import QTI_21, samples, sheet, tarred, zipped

MOODLE = (
    '<quiz><question type="multichoice"><name><text>n</text></name><questiontext format="{form}"><text>{stem}</text>'
    '</questiontext><single>{single}</single><answer fraction="{first}"><text>a</text></answer>'
    '<answer fraction="{second}"><text>b</text></answer></question></quiz>'
)


def moodle(
    stem: str = "Which?", form: str = "html", single: str = "true", first: str = "100", second: str = "0"
) -> str:
    return MOODLE.format(stem=stem, form=form, single=single, first=first, second=second)


@pytest.mark.parametrize(
    ("text", "stem", "options", "correct"),
    [
        (r"What is \{x\} \= 1 \~ \# \: y? {=a ~b}", "What is {x} = 1 ~ # : y?", ["a", "b"], [0]),
        (r"[markdown]Keep **this** {=a ~b}", "Keep **this**", ["a", "b"], [0]),
        ("[html]<p>An <i>x</i></p> {=a ~b}", "An *x*", ["a", "b"], [0]),
        ("[plain]*stars* <b> {=a ~b}", r"\*stars\* &lt;b>", ["a", "b"], [0]),
        ("Q {~%50%a ~%50%b ~%-100%c}", "Q", ["a", "b", "c"], [0, 1]),
        ("Q {~%100%a ~%50%b}", "Q", ["a", "b"], [0, 1]),
        ("Q {=a\n~b\n\n~c\n}", "Q", ["a", "b", "c"], [0]),
        ("Q {T}", "Q", ["True", "False"], [0]),
        ("Q {FALSE#no#yes}", "Q", ["True", "False"], [1]),
        ("It is {=big ~small} here.", "It is _____ here.", ["big", "small"], [0]),
        ("// a note\nQ\r\nmore {=a ~b} // end", "Q\nmore _____ // end", ["a", "b"], [0]),
    ],
)
def test_a_gift_question_is_read_in_every_notation(
    text: str, stem: str, options: list[str], correct: list[int]
) -> None:
    item = one("gift", text)
    assert (item.stem, [option.text for option in item.options], item.correct) == (stem, options, correct)


def test_the_feedback_of_a_true_false_question_is_read_from_gift() -> None:
    assert [o.feedback for o in one("gift", "Q {TRUE#wrong#well}").options] == ["well", "wrong"]


def test_a_gift_question_without_a_right_option_is_skipped_and_the_next_is_read() -> None:
    first, second = found("gift", "Q {~a ~b}\n\nR {=a ~b}")
    assert isinstance(first, Skipped)
    assert (first.line, first.kind) == (1, "multichoice")
    assert "right" in first.reason
    assert isinstance(second, Item)


@pytest.mark.parametrize(
    "text",
    [
        "Q\nA. x\nB. y\nANSWER: B",
        "Q\r\nA) x\r\nB) y\r\nanswer: b\r\n",
        "Q\rA.\xa0x\rB.\xa0y\rAnswer: B.\r",
        "\ufeffQ\nA. x\nB. y\nANSWER:B",
    ],
)
def test_an_aiken_question_is_read_in_every_notation(text: str) -> None:
    item = one("aiken", text)
    assert (item.stem, [option.text for option in item.options], item.correct) == ("Q", ["x", "y"], [1])


def test_an_aiken_question_without_an_answer_does_not_lose_the_next_one() -> None:
    results = found("aiken", "Q\nA. x\nB. y\n\nR\nA. x\nB. y\nANSWER: A\nS\nA. x\nB. y\nT\nA. v\nB. w\nANSWER: B\n")
    assert [type(each) for each in results] == [Skipped, Item, Skipped, Item]
    assert [each.line for each in results] == [1, 5, 9, 12]


@pytest.mark.parametrize(
    ("changes", "correct"),
    [
        ({}, [0]),
        ({"single": "false", "first": "50", "second": "50"}, [0, 1]),
        ({"single": "false", "first": "33.33333", "second": "-100"}, [0]),
        ({"first": "0", "second": "100.00000"}, [1]),
    ],
)
def test_moodles_fractions_say_which_options_are_right(changes: dict[str, str], correct: list[int]) -> None:
    assert one("moodle-xml", moodle(**changes)).correct == correct


@pytest.mark.parametrize(
    ("stem", "form", "expected"),
    [
        ("<![CDATA[<p>a&nbsp;<b>c</b></p>]]>", "html", "a **c**"),
        ("&lt;p&gt;a &amp;lt; b&lt;/p&gt;", "html", "a < b"),
        ("**a**", "markdown", "**a**"),
        ("**a**", "plain_text", r"\*\*a\*\*"),
        ("<![CDATA[<script>x()</script><p>a</p>]]>", "html", "a"),
        ("<![CDATA[H<sub>2</sub>O <a href='javascript:x()'>b</a>]]>", "html", "H₂O b"),
    ],
)
def test_moodles_texts_are_read_in_each_of_their_formats(stem: str, form: str, expected: str) -> None:
    assert one("moodle-xml", moodle(stem, form)).stem == expected


def test_a_question_that_needs_a_picture_is_skipped_with_that_reason() -> None:
    for name, content in [
        ("moodle-xml", moodle("<![CDATA[<img src='@@PLUGINFILE@@/a.png'>]]>")),
        ("gift", "[markdown]See ![a](b.png) {\\=a}".replace("{\\=a}", "{=a ~b}")),
        ("markdown", "# See ![a](b.png)?\n- [x] a\n- [ ] b\n"),
        ("qti-2.1", QTI_21.replace("It is night.", "<img src='a.png' alt='a'/>")),
    ]:
        (skipped,) = found(name, content)
        assert isinstance(skipped, Skipped)
        assert "image" in skipped.reason


def test_no_document_type_or_entity_is_read() -> None:
    bomb = '<!DOCTYPE quiz [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>' + moodle("&b;")
    (skipped,) = found("moodle-xml", bomb)
    assert "document type" in skipped.reason  # type: ignore[union-attr]
    (skipped,) = found("moodle-xml", "<!DOCTYPE quiz [<!ELEMENT quiz ANY>]>" + moodle())
    assert isinstance(skipped, Skipped)


@pytest.mark.parametrize("named", ['SYSTEM "{}"', 'PUBLIC "-//IMS//DTD//EN" "{}"'])
def test_a_file_named_by_a_document_type_is_not_read(named: str, tmp_path: Path) -> None:
    outside = tmp_path / "outside.dtd"
    outside.write_text('<!ENTITY secret "taken from outside">')
    item = one("moodle-xml", f"<!DOCTYPE quiz {named.format(outside.as_uri())}>" + moodle("Caf&eacute;&nbsp;&secret;?"))
    assert item.stem == "Café &secret;?"


def test_a_broken_element_does_not_lose_the_next() -> None:
    text = moodle().replace("</quiz>", "") + moodle("<b>never closed").removeprefix("<quiz>")[:-7] + moodle()[6:]
    assert [type(each) for each in found("moodle-xml", text)] == [Item, Skipped, Item]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "windows-1252"])
def test_a_file_in_utf_8_or_windows_1252_is_read(encoding: str) -> None:
    assert one("gift", "Süß € gut? {=a ~b}".encode(encoding)).stem == "Süß € gut?"


@pytest.mark.parametrize(
    ("cell", "options", "correct"),
    [("B", "x,y", [1]), ("a;b", "x,y", [0, 1]), ("2", "x,y", [1]), ("y", "x,y", [1]), ("Option B", "x,y", [1]),
     ("AB", "x,y", [0, 1]), ("A and B", "x,y", [0, 1])],
)  # fmt: skip
def test_a_csv_row_may_name_the_right_options_in_several_ways(cell: str, options: str, correct: list[int]) -> None:
    assert one("csv", f"question,option a,option b,correct\nWhich?,{options},{cell}\n").correct == correct


def test_an_ambiguous_csv_row_is_skipped() -> None:
    (skipped,) = found("csv", "question,option 1,option 2,correct\nHow many?,2,1,1\n")
    assert "“1”" in skipped.reason  # type: ignore[union-attr]


@pytest.mark.parametrize("unseen", ["", " ", "\ufeff", "\xa0", "\t", "\u200b", "'"])
@pytest.mark.parametrize("start", ["=", "+", "-", "@", "＝"])  # noqa: RUF001
def test_csv_hides_no_formula_behind_invisible_characters_and_survives_a_round_trip(unseen: str, start: str) -> None:
    words = f"{unseen}{start}1+1"
    item = dataclasses.replace(one("csv", "question,option a,option b,correct\nWhich?,x,y,A\n"), title=words)
    write = BY_NAME["csv"].write
    assert write is not None
    written = write([item])
    header, row = csv.reader(io.StringIO(written.decode("utf-8-sig"), newline=""))
    assert row[header.index("title")] == f"'{words}"
    assert one("csv", written).title == words.strip()


def test_an_unclosed_quotation_mark_loses_one_row_only() -> None:
    rows = found("csv", 'question,option a,option b,correct\n"Never,x,y,A\nWhich?,x,y,A\nAnd?,x,y,B\n')
    assert [type(each) for each in rows] == [Skipped, Item, Item]


def test_a_sheet_with_an_impossible_size_is_read_up_to_the_limits() -> None:
    rows = [["question", "option a", "option b", "correct"], ["Which?", "x", "y", "A"]]
    content = sheet(rows)  # type: ignore[arg-type]
    changed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as before, zipfile.ZipFile(changed, "w") as after:
        for name in before.namelist():
            text = (
                before.read(name)
                .replace(b'<row r="2"', b'<row r="999999999999"')
                .replace(b'ref="A1:D2"', b'ref="A1:XFD999999"')
            )
            after.writestr(name, text)
    with pytest.raises(BadFile):
        found("xlsx", changed.getvalue())


def test_archives_within_their_limits_are_read() -> None:
    for harm, said in [
        (zipped({"../../a.xml": QTI_21}), "archive"),
        (zipped({"a.xml": b"<assessmentItem>" + b" " * 3_000_000}), "size"),
    ]:
        (skipped,) = found("qti-2.1", harm)
        assert said in skipped.reason  # type: ignore[union-attr]
    (skipped,) = found("olx", tarred({"../a.xml": "<problem/>"}))
    assert "leads out" in skipped.reason  # type: ignore[union-attr]


def test_an_archive_of_too_many_files_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("questions.formats.rules.reading.archives.ARCHIVE_ENTRIES", 2)
    with pytest.raises(BadFile, match=r"\b2\b"):
        found("qti-2.1", zipped({f"{n}.xml": QTI_21 for n in range(3)}))
    rest = found("olx", tarred({f"{n}.xml": "<problem/>" for n in range(3)}))[-1]
    assert isinstance(rest, Skipped)
    assert "2" in rest.reason


def test_an_archive_with_a_false_size_is_read_up_to_the_limit() -> None:
    content = bytearray(zipped({"a.xml": QTI_21}))
    place = content.index(b"PK\x01\x02") + 24
    content[place : place + 4] = struct.pack("<I", 10)
    (skipped,) = found("qti-2.1", bytes(content))
    assert isinstance(skipped, Skipped)


def test_yaml_with_aliases_is_skipped() -> None:
    good = "- {stem: Which?, options: [{text: a, right: true}, {text: b}]}\n"
    text = "questions:\n- {stem: &a x, options: [*a, *a]}\n" + good
    skipped, item = found("yaml", text)
    assert "anchor" in skipped.reason  # type: ignore[union-attr]
    assert isinstance(item, Item)


def test_a_file_over_the_cap_and_an_empty_one_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadFile, match="is empty"):
        found("gift", "")
    monkeypatch.setattr("questions.formats.rules.registry.FILE_BYTES", 10)
    with pytest.raises(BadFile, match="larger"):
        found("gift", "Q {=a ~b} and more")
    assert limits.FILE_BYTES > 10


@pytest.mark.parametrize("name", sorted(samples()))
def test_a_format_is_recognised_by_its_content(name: str) -> None:
    form, content = samples()[name]
    assert detect(io.BytesIO(content), "upload.bin").name == form


def test_a_format_is_recognised_by_its_name_if_the_content_is_ambiguous() -> None:
    assert detect(io.BytesIO(b"Nothing much."), "a.GIFT").name == "gift"
    with pytest.raises(BadFile, match="yaml, json, gift"):
        detect(io.BytesIO(b"Nothing much."), "a.txt")
    with pytest.raises(BadFile, match="archive"):
        detect(io.BytesIO(zipped({"a.txt": "x"})), "a.zip")


def test_formats_are_recognised_in_any_usual_spelling() -> None:
    spellings = {
        "moodle": "moodle-xml",
        "QTI12": "qti-1.2",
        "qti_2.1": "qti-2.1",
        "QTI 3.0": "qti-3.0",
        "md": "markdown",
    }
    assert {given: format_named(given).name for given in spellings} == spellings
    assert len({form.name for form in FORMATS}) == len(FORMATS)


def test_the_same_content_has_the_same_name() -> None:
    first, second = found("gift", "Q {=a ~b}\n\nQ {=a ~b}")
    assert isinstance(first, Item)
    assert isinstance(second, Item)
    assert content_id(first) == content_id(second) == first.report()["id"]


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from("ab 1.)*_`[](){}<>&;#|\\~-+=:!\n"), max_size=14))
def test_plain_text_is_read_as_written(text: str) -> None:
    assert reads_as(literal(text), text)


def test_html_that_markdown_cannot_express_is_kept_as_text_with_a_warning() -> None:
    texts = Texts()
    assert texts.html("<p>x<sup>ab</sup> <u>under</u></p>") == "x^(ab) under"
    assert ["brackets" in texts.warnings[0], "<u>" in texts.warnings[1], len(texts.warnings)] == [True, True, 2]
    with pytest.raises(CannotTake):
        texts.html("<p><object data='a'></object></p>")
    assert texts.html("<p>See <img src='//e.example/a' alt='a lamp'></p>", needed=False) == "See a lamp"
    assert texts.html("<p>See <img src='a' alt='a lamp'></p>") == "See ![a lamp](file:a)"
