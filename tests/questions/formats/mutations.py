"""Damages files in the ways they get damaged: cut off, bytes changed, parts doubled, lost or from another file."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.questions.formats.samples import samples

PIECES = [
    b"<",
    b">",
    b"{",
    b"}",
    b"&",
    b'"',
    b"]]>",
    b"<![CDATA[",
    b"\x00",
    b"\xff",
    b"\xa0",
    b"\n",
    b"\r",
    b"=",
    b"~",
    b"#",
]
PIECES += [
    b"```\n",
    b"- [x] ",
    b"ANSWER: Z",
    b"<!DOCTYPE x>",
    b"&x;",
    b"PK\x03\x04",
    b": ",
    b"[[[[[[",
    b"\\",
    b"%",
    b"::",
]


@st.composite
def damaged(draw, content: bytes) -> bytes:
    """Return the bytes with one to three kinds of damage."""
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(content)))
        end = min(len(content), start + draw(st.integers(0, 60)))
        other = draw(st.sampled_from(sorted(samples())))
        content = draw(
            st.sampled_from([
                content[:start],
                content[start:],
                content[:start] + content[end:],
                content[:start] + content[start:end] * 2 + content[end:],
                content[:start] + draw(st.sampled_from(PIECES)) + content[end:],
                content[:start] + bytes([draw(st.integers(0, 255))]) + content[start + 1 :],
                content[:start] + samples()[other][1][:300] + content[start:],
            ])
        )  # fmt: skip
    return content
