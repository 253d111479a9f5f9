"""Lists in Word documents are read as Word shows them, and a hostile or broken document is refused."""

from __future__ import annotations

import pytest

from questions.formats.rules.items import BadFile, Item, Skipped
from questions.formats.rules.reading.html_text import reads_as
from tests.questions.formats.finding import detected, found, keys, one
from tests.questions.formats.samples import zipped

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:m="urn:m" xmlns:mc="urn:mc"'
BOLD, RED, YELLOW = "<w:b/>", '<w:color w:val="FF0000"/>', '<w:highlight w:val="yellow"/>'
NUMBERING = f"""<w:numbering {W}>
<w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl>
<w:lvl w:ilvl="1"><w:numFmt w:val="upperLetter"/></w:lvl></w:abstractNum>
<w:num w:numId="3"><w:abstractNumId w:val="7"/></w:num>
</w:numbering>"""


def run(text: str, facts: str = "") -> str:
    return f'<w:r><w:rPr>{facts}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(text: str, facts: str = "", level: int | None = None) -> str:
    counted = "" if level is None else f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="3"/></w:numPr>'
    inner = text if text.startswith("<") else run(text, facts)
    return f"<w:p><w:pPr>{counted}</w:pPr>{inner}</w:p>"


def document(*paragraphs: str, start: str = "") -> bytes:
    whole = f"{start}<w:document {W}><w:body>{''.join(paragraphs)}</w:body></w:document>"
    return zipped({"word/document.xml": whole.encode(), "word/numbering.xml": NUMBERING.encode()})


TYPED = [paragraph("1. Which is a lamp?"), paragraph("A) moss"), paragraph("B) amber")]


@pytest.mark.parametrize("facts", [BOLD, RED, YELLOW])
def test_the_marked_option_is_right(facts: str) -> None:
    content = document(TYPED[0], TYPED[1], paragraph("B) amber", facts))
    assert detected(content) == "docx"
    item = one("docx", content)
    assert (item.stem, keys([item])) == ("Which is a lamp?", [(["moss", "amber"], [1])])


@pytest.mark.parametrize("line", ["Answer: B", "ANSWER: B"])
def test_a_line_may_name_the_right_option(line: str) -> None:
    assert one("docx", document(*TYPED, paragraph(line))).correct == [1]


def test_numbers_and_letters_that_word_generates_are_read() -> None:
    one_, two = found(
        "docx",
        document(
            *(paragraph("Which is a lamp?", level=0), paragraph("moss", level=1), paragraph("amber", BOLD, level=1)),
            *(paragraph("Which is red?", level=0), paragraph("a poppy", BOLD, level=1), paragraph("moss", level=1)),
        ),
    )
    assert keys([one_, two]) == [(["moss", "amber"], [1]), (["a poppy", "moss"], [0])]


def test_options_separated_by_tabs_are_read() -> None:
    tabs = "".join(run(each) if each != "-" else "<w:r><w:tab/></w:r>" for each in ("A. moss", "-", "B. amber"))
    assert one("docx", document(TYPED[0], paragraph(tabs), paragraph("Answer: B"))).correct == [1]


def test_gift_inside_a_document_is_read_as_gift() -> None:
    assert one("docx", document(paragraph("Which is a lamp?"), paragraph("{~moss"), paragraph("=amber}"))).correct == [
        1
    ]


def test_markdown_syntax_in_a_document_is_plain_text() -> None:
    item = one("docx", document(paragraph("1. What is *a*, and &lt;b&gt;?"), *TYPED[1:], paragraph("Answer: B")))
    assert reads_as(item.stem, "What is *a*, and <b>?")


@pytest.mark.parametrize("more", ["<w:r><w:drawing/></w:r>", "<m:oMath><m:r><m:t>x</m:t></m:r></m:oMath>"])
def test_a_question_with_a_picture_or_a_formula_is_skipped(more: str) -> None:
    shown = paragraph(run("1. Which is this?") + more)
    skipped, other = found("docx", document(shown, *TYPED[1:], paragraph("Answer: B"), *TYPED, paragraph("Answer: B")))
    assert isinstance(skipped, Skipped)
    assert isinstance(other, Item)


def test_marks_that_do_not_agree_leave_the_right_option_unknown() -> None:
    (skipped,) = found("docx", document(TYPED[0], paragraph("A) moss", RED), paragraph("B) amber", BOLD)))
    assert isinstance(skipped, Skipped)


@pytest.mark.parametrize(
    "content",
    [
        document(*TYPED, start='<!DOCTYPE w [<!ENTITY x SYSTEM "file:///etc/passwd">]>'),
        zipped({"word/document.xml": b"<w:document>"}),
        zipped({"word/document.xml": b" " * 40_000_000}),
    ],
)
def test_a_hostile_or_broken_document_is_refused(content: bytes) -> None:
    with pytest.raises(BadFile):
        found("docx", content)
