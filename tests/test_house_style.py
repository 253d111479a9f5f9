"""Whatever people read has one spelling (72% without a space, email without a hyphen), and lines stay short."""

import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.test_architecture import BASE, modules

SPACED_PERCENT = re.compile(r"[0-9}](?: |&nbsp;|\u00a0|\u202f)%(?![}(\w])")
HYPHENATED = re.compile(r"\be-mail", re.IGNORECASE)
STYLE = {"a percent sign stands close to its number": SPACED_PERCENT, "email has no hyphen": HYPHENATED}

MAY_HIT = re.compile(r"(?: |&nbsp;|\u00a0|\u202f)%|e-mail", re.IGNORECASE)
"""What a file must contain for a rule to find anything; parsing is slow, and most files needn't be parsed."""


def pages() -> Iterator[Path]:
    yield from (path for path in (BASE / "templates").rglob("*") if path.suffix in {".html", ".txt", ".js"})
    yield from (BASE / "static" / "js").rglob("*.js")
    yield from (path for path in (BASE / "docs").rglob("*.md") if path.name != "native-edit.md")
    yield from (BASE / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md"))


@cache
def texts() -> tuple[tuple[Path, str], ...]:
    """Return whole pages, but of our code only strings and comments, because a modulo isn't a percentage."""
    code = [(path, path.read_text()) for path in modules().values()]
    said = [(path, "\n".join(said_in(source))) for path, source in code if MAY_HIT.search(source)]
    return (*((page, page.read_text()) for page in pages()), *said)


def said_in(source: str) -> Iterator[str]:
    """Yield strings and comments; what an f-string fills in ends in a brace, as in a template."""
    said = {tokenize.STRING, tokenize.COMMENT, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in said:
            yield ("}" if token.line[: token.start[1]].endswith("}") else "") + token.string


@pytest.mark.parametrize("rule", STYLE)
def test_visible_text_has_one_spelling_for_each_word(rule):
    found = [f"{path.relative_to(BASE)}: {hit.group()}" for path, text in texts() for hit in STYLE[rule].finditer(text)]
    assert found == []


@pytest.mark.parametrize(
    ("text", "is_hit"),
    [("72 %", True), ("{{ share }} %", True), ("95&nbsp;% interval", True), ("72%", False), ("{% cycle 1 2 %}", False)],
)
def test_a_percentage_is_told_from_a_tag(text, is_hit):
    assert bool(SPACED_PERCENT.search(text)) == is_hit


@pytest.mark.parametrize("source", ['f"{share} %"', '"at most 5 % of them"', "x = 1  # 5 % of them"])
def test_strings_in_code_are_checked_for_spelling(source):
    assert MAY_HIT.search(source)
    assert SPACED_PERCENT.search("\n".join(said_in(source)))
    assert not SPACED_PERCENT.search("\n".join(said_in("rest = 17 % count")))


LINE = 160  # the width that still fits in a diff or in two editors side by side


def long_lines(text: str) -> list[int]:
    """Return the numbers of lines over ``LINE`` characters; none is excused, because a tag can be broken."""
    return [number for number, line in enumerate(text.splitlines(), start=1) if len(line) > LINE]


def test_no_line_of_a_template_is_long():
    templates = {path: path.read_text() for path in (BASE / "templates").rglob("*.*") if path.is_file()}
    assert [f"{path.relative_to(BASE)}: {n}" for path, text in templates.items() for n in long_lines(text)] == []


def test_a_lines_length_is_counted_in_characters():
    assert long_lines(f"{'é' * LINE}\n{'a' * (LINE + 1)}\n") == [2]
