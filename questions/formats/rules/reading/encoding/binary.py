"""Files that are neither text nor a supported archive or spreadsheet: refused before a parser looks for questions in
them."""

from __future__ import annotations

from typing import BinaryIO

from questions.formats.rules.items import BadFile
from questions.formats.rules.reading.archives import is_archive
from questions.formats.rules.reading.encoding.guessing import marked_encoding

SIGNS = (
    (b"%PDF-", "a PDF"),
    (b"\xd0\xcf\x11\xe0", "an Office file in the format of before 2007"),
    (b"{\\rtf", "an RTF document"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"Rar!", "a RAR archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
)
# A file inside an archive that shows what the archive is.
INSIDE = {
    "ppt/presentation.xml": "a PowerPoint presentation",
    "content.xml": "an OpenDocument file",
    "h5p.json": "an H5P package",
}
START = 1 << 16
CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\f\x1b"))
SHARE = 0.02  # the share of control characters above which it isn't text
WHAT_TO_DO = "save its questions as text, XLSX or in a format of a learning platform"


def refuse_binary(stream: BinaryIO) -> None:
    """Raises BadFile for what is neither text nor an archive, in one line that names the type if known."""
    if is_archive(stream):
        return
    stream.seek(0)
    start = stream.read(START)
    for sign, what in SIGNS:
        if start.startswith(sign):
            raise BadFile(f"is {what}; {WHAT_TO_DO}")
    controls = len(start) - len(start.translate(None, CONTROLS))
    if controls > SHARE * len(start) and not marked_encoding(start[:1024]):
        raise BadFile(f"is not a text file; {WHAT_TO_DO}")


def refuse_document(names: list[str]) -> None:
    """Raises BadFile if an archive with these files is an office document."""
    for name, what in INSIDE.items():
        if name in names:
            raise BadFile(f"is {what}; {WHAT_TO_DO}")
