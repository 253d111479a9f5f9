"""Detecting a file's format: by its content, then by its name."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import BinaryIO

from questions.formats.rules.items import BadFile
from questions.formats.rules.reading.archives import entry_names, is_archive, is_zip
from questions.formats.rules.reading.encoding.binary import refuse_binary, refuse_document
from questions.formats.rules.reading.text_lines import encoding_of
from questions.formats.rules.registry import BY_NAME, FORMATS, XML_READERS, Format, check_size, parser

UNCERTAIN = {"markdown", "yaml", "aiken", "text2qti", "gift"}
HEAD_BYTES = 1 << 18
OWN = ("yaml", "json")
"""Our own formats, which can be packed with pictures."""
JSON = re.compile(r'\s*(?:\{[^\[\]{}]{0,5000}"(?:questions|families)"\s*:\s*\[|\[\s*\{)')
YAML = re.compile(r"^(?:questions|families)\s*:|^- id\s*:", re.MULTILINE)
# Fields of a record in somebody else's quiz; ours have a stem instead of a question.
ASKING = r"""["']?(?:question|question_?text|prompt|text|incorrect_?answers|q)["']?\s*:"""
CHOICES = re.compile(
    r"""["']?(?:options|choices|answers|incorrect_?answers|option_?[1a]|answer|correct\w*)["']?\s*:""", re.IGNORECASE
)
JSON_START = re.compile(r"\s*[\[{]")
YAML_ENTRY = re.compile(r"""^\s*-(?: |[ \t]*\n[ \t]+)["']?\w+["']?:(?:\s|$)""", re.MULTILINE)
YAML_ASKS = re.compile(rf"^\s*(?:- )?{ASKING}(?:\s|$)", re.MULTILINE)
OWN_FIELD = re.compile(r"""^[\s\[{,]*(?:- )?["']?stem["']?\s*:|[{,]\s*"stem"\s*:""", re.MULTILINE)
# What no file of ours has next to a stem.
NOT_OWN = re.compile(r"""^[\s\[{,]*(?:- )?["']?choices["']?\s*:|[{,]\s*"choices"\s*:""", re.MULTILINE)
LETTERED_LINE = re.compile(r"^\(?[A-Da-d][.)]\s", re.MULTILINE)
BRIGHTSPACE = re.compile(r"^\"?NewQuestion\"?\s*[,;\t]", re.MULTILINE | re.IGNORECASE)
AIKEN_ANSWER = re.compile(r"^[ \t]*ANSWER ?:[ \t]*[A-Z]\b", re.MULTILINE | re.IGNORECASE)
AIKEN_OPTION = re.compile(r"^[ \t]*[A-Z][.)]\s", re.MULTILINE)
SMALL_OPTION = re.compile(r"^[ \t]*[a-z][.)]\s", re.MULTILINE)
GIFT = re.compile(r"^\s*(?:::|\$CATEGORY:)", re.MULTILINE)
LETTERED = re.compile(r"^[ \t]*(?:- )?\(?[a-z][.)]\s", re.MULTILINE | re.IGNORECASE)
# A quiz's name, a letter or box with a mark, a dash with a mark before or after it, or letters with a named answer.
MARKED = re.compile(
    r"\A\s*quiz title\s*:|^[*!+] ?\(?[a-z][.)]\s|^\[[*x]\]\s|^ {0,3}\(x\)\s|^-\s.*\n[!+]\s|^[!+]\s.*\n-\s"
    r"|^[ \t]*(?:- )?\(?[a-z][.)]\s(?:.*\n){1,30}?\W*(?:correct )?(?:answers?|ans)\W*[:=]\W*"
    r"[a-z](?:[.)]\s.*|(?:[ ,;&]+(?:and +)?[a-z])*\W*)$",
    re.MULTILINE | re.IGNORECASE,
)


def detect(stream: BinaryIO, name: str) -> Format:
    """The format of a file. Raises BadFile, whose message lists the available formats."""
    check_size(stream)
    refuse_binary(stream)
    found = _archived(stream) if is_archive(stream) else _text(stream)
    if found in UNCERTAIN and name.lower().endswith(BY_NAME["csv"].suffixes):
        return BY_NAME["csv"]  # which reports what its first row lacks; a table can contain any character
    if found:
        return BY_NAME[found]
    for form in FORMATS:
        if form.read and name.lower().endswith(form.suffixes):
            return form
    known = ", ".join(form.name for form in FORMATS if form.read)
    raise BadFile(f"has an unrecognised format; specify one of {known}")


def _archived(stream: BinaryIO) -> str:
    names = entry_names(stream) if is_zip(stream) else []
    if "xl/workbook.xml" in names:
        return "xlsx"
    if "word/document.xml" in names:
        return "docx"
    refuse_document(names)
    found = parser("xml.packages").package_format(stream)
    if not found and is_zip(stream):
        names = entry_names(stream)
        found = next((name for name in OWN if any(each.lower().endswith(BY_NAME[name].suffixes) for each in names)), "")
    if not found:
        raise BadFile("is an archive with no question file in a known format")
    return found


def _text(stream: BinaryIO) -> str:
    encoding = encoding_of(stream, xml=True)
    stream.seek(0)
    head = stream.read(HEAD_BYTES).decode(encoding, errors="replace").replace("\r\n", "\n").replace("\r", "\n")
    return format_of_text(head)


def format_of_text(head: str) -> str:
    """The format that the start of a text looks like; "" if none."""
    return next((name for name, fits in TESTS if fits(head)), "")


def _xml(head: str) -> str:
    return parser("xml.packages").xml_format(head) if head.lstrip().startswith("<") else ""


def _is_records(head: str) -> bool:
    """Whether it is JSON or YAML that contains questions. Plain text may have lines like ``Answer:`` too."""
    if not CHOICES.search(head) or (OWN_FIELD.search(head) and not NOT_OWN.search(head)):
        return False
    is_yaml = YAML_ENTRY.search(head) and YAML_ASKS.search(head) and not LETTERED_LINE.search(head)
    return bool(JSON_START.match(head) or is_yaml)


def _has_answers(head: str) -> bool:
    """Whether an answer in braces starts somewhere."""
    braces = (head[place + 1 : place + 200].lstrip() for place in parser("plain.gift").bare(head, "{"))
    return any(text.startswith(("=", "~", "#", "}", "T", "F")) for text in braces)


def _is_aiken(head: str) -> bool:
    """Whether its options have capital letters and its answers are Aiken's; otherwise it is read as a list."""
    answers = AIKEN_ANSWER.findall(head)
    in_capitals = sum(answer.lstrip().startswith("ANSWER") for answer in answers)
    capitals = len(AIKEN_OPTION.findall(head))
    return in_capitals > len(answers) / 2 and capitals > len(SMALL_OPTION.findall(head))


def _is_blackboard(head: str) -> bool:
    return bool(parser("plain.blackboard").JUDGED.search(head))


def _has_key(head: str) -> bool:
    """Whether it has lettered options, and a list of answers below them."""
    return bool(LETTERED.search(head)) and bool(parser("plain.below.answer_keys").has_list(head))


def _is_list(head: str) -> bool:
    """Whether it is a list with letters or numbers and the right answers marked or named."""
    named = (
        MARKED.search(head)
        or _has_key(head)
        or parser("plain.below.numbered_options").are_in(head)
        or parser("plain.lists.one_line").are_in(head)
    )
    return bool(named) and not GIFT.search(head)


def _has_options(head: str) -> bool:
    """Whether it contains a task-list item."""
    return bool(parser("plain.markdown_lists").OPTION_LINE.search(head))


# In this order: the more certain ones first.
TESTS: tuple[tuple[str, Callable[[str], object]], ...] = (
    *((name, lambda head, name=name: _xml(head) == name) for name in XML_READERS),
    ("records", _is_records),
    ("json", JSON.match),
    ("brightspace", BRIGHTSPACE.search),
    ("blackboard", _is_blackboard),
    ("csv", lambda head: parser("tables.csv_file").header_in(head)),
    ("markdown", _has_options),
    ("yaml", YAML.search),
    ("aiken", _is_aiken),
    ("text2qti", _is_list),
    ("gift", lambda head: GIFT.search(head) or _has_answers(head)),
)
