"""Measures how much of other people's files our importers read, by comparison with a plain second reader.

The second reader knows of each format only where the question, its options and the marks of the right ones are. It
shares no code with ours, reads nothing unusual, and compares words without markup. The files are fetched by hand from
public repositories and never kept here: ``python -m tests.bench.recall FOLDER`` prints the table of docs/benchmarks.md
and the reasons for what wasn't read, ``--each`` also every file in which something differs.
"""

from __future__ import annotations

import argparse
import csv
import html
import io
import itertools
import json
import re
import unicodedata
import warnings
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import openpyxl
import yaml

from questions.formats.rules.detection import detect
from questions.formats.rules.items import BadFile, Item, Skipped
from questions.formats.rules.registry import read_items
from tests.bench import recall_shapes as shapes
from tests.bench.table import markdown

LEAST, MOST = 2, 14
ALIKE = 0.3


@dataclass(frozen=True)
class Known:
    """A choice question as the second reader sees it; texts are bare words."""

    stem: str
    options: tuple[str, ...]
    right: frozenset[str]


@dataclass
class Tally:
    """The counts of a format's questions."""

    files: int = 0
    known: int = 0
    read: int = 0
    wrong: int = 0
    silent: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    folders: dict[str, tuple[int, int]] = field(default_factory=dict)  # by folder, questions known and read

    def add(self, folder: str, known: int, read: int) -> None:
        before = self.folders.get(folder, (0, 0))
        self.folders[folder] = (before[0] + known, before[1] + read)


def bare(text: str) -> str:
    """Return a text's words without markup, punctuation and case."""
    text = re.sub(r'<img\b[^<>]*?\bdata-equation-content="([^"]*)"[^<>]*>', r" \1 ", html.unescape(text))  # a formula
    text = html.unescape(re.sub(r"<img\b[^<>]*>|<[^<>]{1,400}>", " ", text))
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)|-{3,}", r"\1", text)  # drops links, and rules of tables
    plain = unicodedata.normalize("NFKC", text).replace("\u2212", "-").casefold()
    return "".join(c for c in plain if c.isalnum() or c in "+-<>=%/")


def unlabelled(options: list[tuple[str, bool]]) -> list[tuple[str, bool]]:
    """Return options without their letters, if these are those of a list."""
    labels = [re.match(r"\(?([A-H])[.):\u3001]\s*(?=\S)", text.strip()) for text, _ in options]
    if "".join(label[1] for label in labels if label) != "ABCDEFGH"[: len(options)]:
        return options
    return [(text.strip()[label.end() :], right) for (text, right), label in zip(options, labels, strict=True) if label]


def known(stem: str, options: list[tuple[str, bool]]) -> Iterator[Known]:
    """Yield the question if it is a choice question: it has options, at least one of them right and one wrong."""
    options = unlabelled(options)
    texts = [(bare(text), right) for text, right in options if text.strip()]
    right = frozenset(text for text, is_right in texts if is_right)
    if LEAST <= len(texts) <= MOST and bare(stem) and right and len(right) < len(texts):
        yield Known(bare(stem), tuple(text for text, _ in texts), right)


def tree_of(content: bytes) -> ET.Element | None:
    """Parse an XML text and drop the namespaces."""
    try:
        root = ET.fromstring(content)
    except (ET.ParseError, ValueError, LookupError):
        return None
    for node in root.iter():
        if isinstance(node.tag, str):
            node.tag = node.tag.rsplit("}", 1)[-1]
    return root


def words(node: ET.Element | None) -> str:
    """Return the text of an element, also if it is HTML in a string."""
    return "" if node is None else " ".join(node.itertext())


def moodle(root: ET.Element) -> Iterator[Known]:
    for question in root.iter("question"):
        if question.get("type") in ("multichoice", "truefalse"):
            answers = question.findall("answer")
            points = [float(answer.get("fraction") or 0) for answer in answers]
            one = words(question.find("single")).strip() in ("true", "1", "") or question.get("type") == "truefalse"
            least = max(points, default=0) if one else 1e-9
            texts = [words(answer.find("text")) for answer in answers]
            yield from known(
                words(question.find("questiontext")),
                [(text, p > 0 and p >= least) for text, p in zip(texts, points, strict=True)],
            )


def qti1(root: ET.Element) -> Iterator[Known]:
    for item in root.iter("item"):
        responses = list(item.iter("response_lid"))
        if len(responses) != 1 or not list(responses[0].iter("response_label")):
            continue
        right: set[str] = set()
        for condition in item.iter("respcondition"):
            points = [words(p).strip() for p in condition.iter("setvar")]
            if any(re.fullmatch(r"0*[1-9]\d*(\.\d+)?|0?\.\d*[1-9]\d*|SCORE\.max", p) for p in points):
                denied = {words(v).strip() for n in condition.iter("not") for v in n.iter("varequal")}
                right |= {words(v).strip() for v in condition.iter("varequal")} - denied
        asked = next(item.iter("presentation"))
        shown = [
            part for part in asked.iter("material") if not any(part in r.iter() for r in asked.iter("response_lid"))
        ]
        yield from known(
            " ".join(map(words, shown)),
            [(words(label), label.get("ident", "") in right) for label in item.iter("response_label")],
        )


def qti2(root: ET.Element) -> Iterator[Known]:
    for node in root.iter():
        node.tag = plain_tag(str(node.tag))
    for item in root.iter("assessmentItem"):
        without_feedback(item)
        asked = [
            node
            for node in item.iter()
            if str(node.tag).endswith("Interaction") and node.tag != "endAttemptInteraction"
        ]
        if [node.tag for node in asked] != ["choiceInteraction"] or item.find("templateDeclaration") is not None:
            continue
        name = asked[0].get("responseIdentifier") or asked[0].get("response-identifier")
        right: set[str] = set()
        for declared in item.iter("responseDeclaration"):
            if declared.get("identifier") == name and (correct := declared.find("correctResponse")) is not None:
                right = {words(value).strip() for value in correct.iter("value")}
        choices = [(words(c), c.get("identifier", "") in right) for c in asked[0].iter("simpleChoice")]
        body = item.find("itemBody")
        yield from known(words(body), choices)


def without_feedback(item: ET.Element) -> None:
    for node in item.iter():
        for told in [part for part in node if str(part.tag) in ("feedbackInline", "feedbackBlock")]:
            told.clear()


def plain_tag(name: str) -> str:
    """Return ``simpleChoice`` for ``qti-simple-choice``, and so on."""
    return re.sub(r"-(\w)", lambda m: m.group(1).upper(), name[4:]) if name.startswith("qti-") else name


def xml_of(content: bytes) -> tuple[str, list[Known]]:
    """Return the format of an XML text and its questions."""
    root = tree_of(content)
    if root is None:
        return "", []
    if root.tag == "quiz" and root.find("question") is not None:
        return "Moodle XML", list(moodle(root))
    if root.tag == "questestinterop":
        return "QTI 1.2", list(qti1(root))
    if root.tag in ("assessmentItem", "qti-assessment-item"):
        return "QTI 3" if str(root.tag).startswith("qti") else "QTI 2", list(qti2(root))
    return "", []


def braces(text: str) -> Iterator[tuple[str, str]]:
    """Yield the text before and inside the braces of each question with one pair; more pairs mean gaps in a text."""
    for unit in re.split(r"\n[ \t]*\n|\n(?=::)", text):
        parts = re.split(r"(?<!\\)([{}])", unit)
        if [*parts[1::2]] == ["{", "}"]:
            yield parts[0], parts[2]


FORM = re.compile(r"\[(?:html|markdown|plain|moodle)\]")
ESCAPED = re.compile(r"\\([~=#{}:])|\\n")


def unescaped(found: re.Match[str]) -> str:
    return found[1] or " "


def gift(text: str) -> list[Known]:
    found: list[Known] = []
    for before, answers in braces(re.sub(r"(?m)^\s*//.*$", "", text)):
        stem = ESCAPED.sub(unescaped, FORM.sub("", re.sub(r"(?m)^\$CATEGORY.*$|::.*?::", "", before)))
        judged = re.fullmatch(r"\s*(T|TRUE|F|FALSE)\s*(?:#.*)?", answers, re.DOTALL)
        parts = re.findall(r"(?<!\\)([=~])((?:\\.|[^=~\\])*)", answers)
        if judged:
            found += known(stem, [("True", judged[1][0] == "T"), ("False", judged[1][0] == "F")])
        elif any(sign == "~" for sign, _ in parts) and "->" not in answers:
            has_equal = any(sign == "=" for sign, _ in parts)
            found += known(stem, [gift_option(sign, body, has_equal=has_equal) for sign, body in parts])
    return found


def gift_option(sign: str, body: str, *, has_equal: bool) -> tuple[str, bool]:
    """Return the words of an answer, and whether it is right."""
    weight = re.match(r"\s*%(-?[\d.]+)%", body)
    words_ = re.split(r"(?<!\\)#", body[weight.end() :] if weight else body)[0]
    positive = weight is not None and float(weight[1]) > 0
    return ESCAPED.sub(unescaped, FORM.sub("", words_)), sign == "=" if has_equal else positive


OPTION = r"[ \t]*(?:[-*]\s+)?(?:\*\*)?\(?([A-Ha-h])[.)]\)?(?:\*\*)?[ \t]+(\S.*)"


def lettered(text: str) -> list[Known]:
    """Read options with letters and a line that names the right ones, as in Aiken and similar lists."""
    found: list[Known] = []
    stem: list[str] = []
    options: list[tuple[str, str]] = []
    for line in (part for whole in text.splitlines() for part in shapes.parted(whole)):
        option = re.fullmatch(OPTION, line)
        answer = re.fullmatch(
            r"\W*(?:correct\s+)?(?:answer|ans)\W*[:=]\W*([A-Ha-h](?:\s*(?:,|and|&)\s*[A-Ha-h])*)\b[).]?(?:\W.*)?",
            line,
            re.I,
        )
        if option:
            options.append((option[1].upper(), option[2]))
        elif answer and options:
            named = set(re.findall(r"\b[A-H]\b", answer[1].upper()))
            if named <= {letter for letter, _ in options} and len({letter for letter, _ in options}) == len(options):
                found += known(stem[-1] if stem else "", [(words_, letter in named) for letter, words_ in options])
            stem, options = [], []
        elif line.strip():
            stem = [line] if options else [*stem, line]
            options = []
    return found


def starred(text: str) -> list[Known]:
    """Read options with letters, the right ones marked by a star before the letter (text2qti)."""
    found: list[Known] = []
    stem, options = "", list[tuple[str, bool]]()
    for line in [*text.splitlines(), "", "the end"]:
        option = re.fullmatch(r"(\*?)[ ]?\(?[A-Ha-h][.)][ \t]+(\S.*)", line)
        if option:
            options.append((option[2], option[1] == "*"))
        elif line.strip() and not line.startswith("..."):  # this is feedback, which may stand between two options
            if options:
                found += known(stem, options) if sum(r for _, r in options) < len(options) else []
            stem, options = (re.sub(r"^\d+[.)]\s+", "", line) if not options else line), []
    return found


def tasks(text: str) -> list[Known]:
    found: list[Known] = []
    stem, options = "", list[tuple[str, bool]]()
    for line in [*text.splitlines(), "# end"]:
        option = re.fullmatch(r"\s*[-*+]\s+\[([ xX])\]\s*(.+)", line)
        if option:
            options.append((option[2], option[1] != " "))
        elif line.strip():
            if options and stem.rstrip(" *").endswith(("?", ":")):
                found += known(stem, options)
            stem, options = line, []
    return found


def keyed_at_the_end(text: str) -> list[Known]:
    """Read numbered questions whose answers are listed together at the end."""
    head = list(
        re.finditer(
            r"(?im)^[ \t#*_]*(?:answer\s*key|answers?|key|solutions?)[ \t#*_:]*$\n|^answers?:(?=[ \t]*\d)", text
        )
    )
    if not head:
        return []
    key = dict(re.findall(r"(?m)(?:^|[\s,;|])(\d{1,3})\s*[.):=-]+\s*\(?([A-Ha-h])\b", text[head[-1].end() :]))
    found: list[Known] = []
    for block in re.split(
        r"(?m)^(?=[ \t#*]*(?:q(?:uestion)?\s*)?\d{1,3}\s*[.):]\s)", text[: head[-1].start()], flags=re.I
    ):
        number = re.match(r"(?i)\W*(?:q(?:uestion)?\s*)?(\d{1,3})\s*[.):]\s+(.*)", block)
        options = re.findall(rf"(?m)^{OPTION}$", block)
        letters = [letter.upper() for letter, _ in options]
        if number and number[1] in key and key[number[1]].upper() in letters and len(set(letters)) == len(letters):
            found += known(number[2], [(body, letter.upper() == key[number[1]].upper()) for letter, body in options])
    return found if len(found) > 1 else []


ASKED = ("question", "questions", "question text", "questiontext", "prompt", "stem", "pregunta", "pergunta", "frage")
KEYED = (
    r"(?:correct|right) ?(?:answer|option|choice|index)?s?|(?:answer|ans|key)s?(?: key| index)?"
    r"|respuesta(?: correcta)?|resposta(?: correta)?"
)
OFFERED = r"(?:option|choice|answer|opt|opcion|alternativa)s? ?([a-h]|[0-8])|[a-h]"


def counted_from(stated: list[str], most: int) -> int | None:
    """Return where the numbers of options start, if the file shows it."""
    numbers = {int(each) for each in stated if re.fullmatch(r"\d", each)}
    return 0 if 0 in numbers else 1 if most in numbers else None


def means_another(stated: str, right: set[int], first: int | None) -> bool:
    """Return whether an answer that is an option's text is also the letter or number of another option."""
    if re.fullmatch(r"[A-Ha-h]", stated):
        return right != {ord(stated.lower()) - ord("a")}
    return bool(re.fullmatch(r"\d", stated)) and first is not None and right != {int(stated) - first}


def rows(table: list[list[str]]) -> list[Known]:
    """Read a table by the names of its columns, as most of its rows can be read."""
    wide = [each for asked, options in shapes.wide_rows(table) for each in known(asked, options)]
    return max(plain_rows(table), wide, key=len)


def plain_rows(table: list[list[str]]) -> list[Known]:
    """Read a table whose first row names the columns in plain words."""
    if not table:
        return []
    head = [re.sub(r"[\W_]+", " ", cell).strip().lower() for cell in table[0]]
    asked = next((i for i, name in enumerate(head) if name in ASKED), None)
    key = next((i for i, name in enumerate(head) if re.fullmatch(KEYED, name)), None)
    options = [i for i, name in enumerate(head) if re.fullmatch(OFFERED, name)]
    found: list[Known] = []
    if asked is None or key is None or len(options) < LEAST:
        return []
    first = counted_from([row[key].strip() for row in table[1:] if key < len(row)], len(options))
    for row in table[1:]:
        cells = [(place, row[i].strip()) for place, i in enumerate(options) if i < len(row) and row[i].strip()]
        stated = row[key].strip() if key < len(row) else ""
        right = {place for place, text in cells if text == stated}
        if right and means_another(stated, right, first):
            continue
        if not right and (match := re.fullmatch(r"(?i)(?:option|choice|answer)?[ _]?([A-H])[.)]?", stated)):
            right = {ord(match[1].lower()) - ord("a")}
        elif not right and first is not None and re.fullmatch(r"\d", stated):
            right = {int(stated) - first}
        if right and asked < len(row):
            found += known(row[asked], [(text, place in right) for place, text in cells])
    return found


def table_of(text: str) -> list[list[str]]:
    sign = max(",;\t", key=text.split("\n", 1)[0].count)
    try:
        return list(csv.reader(io.StringIO(text), delimiter=sign))
    except csv.Error:
        return []


def brightspace(text: str) -> list[Known]:
    found: list[Known] = []
    kind, stem, options = "", "", list[tuple[str, bool]]()
    for row in [*table_of(text), ["NewQuestion", "END"]]:
        cells = [cell.strip() for cell in [*row, "", "", ""]]
        name = cells[0].lower()
        if name == "newquestion":
            found += known(stem, options) if kind in ("MC", "MS", "TF") else []
            kind, stem, options = cells[1].upper(), "", []
        elif name == "questiontext":
            stem = cells[1]
        elif name == "option" and kind == "MC":
            options.append((cells[2], cells[1] == "100"))
        elif name == "option":
            options.append((cells[2], cells[1] not in ("0", "")))
        elif name in ("true", "false"):
            options.append((cells[0], cells[1] == "100"))
    return found


def blackboard(text: str) -> list[Known]:
    found: list[Known] = []
    for line in text.splitlines():
        cells = line.split("\t")
        if cells[0] in ("MC", "MA") and len(cells) > 5:
            pairs = zip(cells[2::2], cells[3::2], strict=False)
            found += known(cells[1], [(body, mark.strip().lower() == "correct") for body, mark in pairs])
        elif cells[0] == "TF" and len(cells) == 3:
            is_true = cells[2].strip().lower() == "true"
            found += known(cells[1], [("True", is_true), ("False", not is_true)])
    return found


QUESTION = ("question", "prompt", "stem", "question_text", "questionText", "text")
CHOICES = ("options", "choices", "answers")
ANSWER = (
    "answer",
    "correct",
    "correct_answer",
    "correctAnswer",
    "correctIndex",
    "correct_option",
    "answerIndex",
    "correct_index",
    "answer_index",
)


def names_of(data: dict[str, Any]) -> str:
    """Return the name under which a record says what is right."""
    return next((name for name in ANSWER if name in data), "")


def marked(option: dict[str, Any]) -> tuple[str, bool]:
    """Return the text of an option that says itself whether it is right."""
    text = next((option[name] for name in ("text", "answer", "option", "content", "label") if name in option), "")
    return str(text), any(option.get(name) is True for name in ("correct", "isCorrect", "is_correct", "right"))


def records(data: Any) -> Iterator[Known]:
    """Read questions from lists of records: options as texts, as letters with texts, or each with its own mark."""
    if isinstance(data, list):
        for each in data:
            yield from records(each)
    elif isinstance(data, dict):
        found = list(record(data))
        yield from found
        for each in [] if found else data.values():
            if isinstance(each, list | dict):
                yield from records(each)


def record(data: dict[str, Any]) -> Iterator[Known]:
    """Return a question with its options as texts, as letters with texts, or with a mark of their own."""
    stem = next((data[name] for name in QUESTION if isinstance(data.get(name), str)), "")
    choices = next((data[name] for name in CHOICES if isinstance(data.get(name), list | dict)), None)
    key = next((data[name] for name in ANSWER if name in data and name not in ("answers",)), None)
    if stem and isinstance(choices, dict) and isinstance(key, str):
        yield from known(stem, [(str(text), name.lower() == key.lower()) for name, text in choices.items()])
    elif stem and isinstance(choices, list) and all(isinstance(each, dict) for each in choices):
        yield from known(stem, [marked(each) for each in choices])
    elif stem and isinstance(choices, list) and all(isinstance(text, str) for text in choices):
        yield from known(stem, [(text, at in right_of(data, key, choices)) for at, text in enumerate(choices)])
    elif "incorrect_answers" in data and stem:
        wrong = [(str(text), False) for text in data["incorrect_answers"]]
        yield from known(stem, [(str(data.get("correct_answer", "")), True), *wrong])


def right_of(data: dict[str, Any], key: Any, choices: list[str]) -> set[int]:
    """Return the places that a text, a letter or an index names."""
    if isinstance(key, str) and key not in choices and re.fullmatch(r"[A-Ha-h]", key):
        return {ord(key.lower()) - ord("a")}
    if isinstance(key, int) and not isinstance(key, bool) and "ndex" in names_of(data):
        return {key}
    return {at for at, text in enumerate(choices) if text == key}


def shaped(read: Callable[[str], Iterator[shapes.Asked]]) -> Callable[[str], list[Known]]:
    """Return a reader of known questions for a reader of pairs."""
    return lambda text: [each for asked, options in read(text) for each in known(asked, options)]


TEXTS: dict[str, Callable[[str], list[Known]]] = {
    "Brightspace CSV": brightspace,
    "Blackboard text": blackboard,
    "GIFT": gift,
    "task lists": tasks,
    "text2qti": starred,
    "answer lines, Aiken": lettered,
    "answers at the end": keyed_at_the_end,
    "answers below": shaped(shapes.keyed_below),
    "quizdown and pages": shaped(shapes.boxes),
}


def reference(path: Path, content: bytes) -> tuple[str, list[Known]]:
    """Return the format a file is counted under, and its questions by the second reader."""
    suffix = path.suffix.lower()
    if content[:2] == b"PK":
        return of_archive(content)
    if content.lstrip()[:1] == b"<" or content[:4].lstrip(b"\xef\xbb\xbf")[:1] == b"<":
        return xml_of(content)
    text = decoded(content)
    if suffix in (".json", ".yaml", ".yml"):
        return of_data(suffix, text)
    found = {name: read(text) for name, read in TEXTS.items()}
    if suffix in (".csv", ".tsv"):
        found = {"CSV, XLSX": rows(table_of(text)), "Brightspace CSV": found["Brightspace CSV"]}
    return max(found.items(), key=lambda each: len(each[1]))


def decoded(content: bytes) -> str:
    """Return the text read as UTF-8, else as Western or, if most letters aren't ASCII, Russian Windows wrote it."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        western, cyrillic = (content.decode(name, errors="replace") for name in ("cp1252", "cp1251"))
        foreign = sum(c.isalpha() and not c.isascii() for c in western)
        return cyrillic if foreign > sum(c.isalpha() and c.isascii() for c in western) else western


def of_data(suffix: str, text: str) -> tuple[str, list[Known]]:
    try:
        data = json.loads(text) if suffix == ".json" else yaml.load(text, Loader=yaml.CSafeLoader)
    except (ValueError, yaml.YAMLError, RecursionError):
        return "", []
    plain = list(records(data))
    wide = list(shaped_records(data, 0 if any_zero(data) else 1))
    return "JSON, YAML", max(plain, wide, key=len)


def shaped_records(data: Any, least: int) -> Iterator[Known]:
    """Read the records of other shapes, wherever they are in the data."""
    if isinstance(data, dict):
        for asked, options in shapes.shaped_record(data, least):
            yield from known(asked, options)
    for each in data.values() if isinstance(data, dict) else data if isinstance(data, list) else []:
        yield from shaped_records(each, least)


def any_zero(data: Any) -> bool:
    """Whether some record names a right option by the number 0, so that all count from it."""
    if not isinstance(data, dict):
        return isinstance(data, list) and any(map(any_zero, data))
    stated = [data.get(name) for name in ("correct", "answer", "correctAnswer")]
    listed = [number for each in stated for number in (each if isinstance(each, list) else [each])]
    return any(number == 0 and number is not False for number in listed) or any(map(any_zero, data.values()))


def of_archive(content: bytes) -> tuple[str, list[Known]]:
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
        names = archive.namelist()
        if "xl/workbook.xml" in names:
            book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
            sheets = [
                [["" if v is None else str(v) for v in row] for row in s.iter_rows(values_only=True)] for s in book
            ]
            return "CSV, XLSX", [each for sheet in sheets for each in rows(sheet)]
        if "word/document.xml" in names:
            root = tree_of(archive.read("word/document.xml"))
            text = "" if root is None else "\n".join(shapes.word_lines(root))
            strong = [] if root is None else [k for asked in shapes.emphasised(root) for k in known(*asked)]
            return "Word", max([strong, *(read(text) for read in TEXTS.values())], key=len)
        parts = [xml_of(archive.read(name)) for name in names if name.lower().endswith((".xml", ".qti", ".dat"))]
    except Exception:  # noqa: BLE001, whatever a damaged archive raises: it isn't counted
        return "", []
    unique = {(each.stem, each.options): each for _, found in parts for each in found}
    return "packages", list(unique.values())


def ours(path: Path, content: bytes) -> tuple[list[Item], list[Skipped]]:
    """Return what our importer reads from a file, and its reasons for what it doesn't."""
    stream = io.BytesIO(content)
    taken: list[Item] = []
    left: list[Skipped] = []
    try:
        for found in read_items(detect(stream, path.name), stream):
            if isinstance(found, Skipped):
                left.append(found)
            else:
                taken.append(found)
    except BadFile as error:
        left.append(Skipped(1, "file", f"file {error}"))
    return taken, left


def silent(content: bytes, missing: list[Known], taken: list[Item], left: list[Skipped]) -> list[Known]:
    """Return the missing questions no reason accounts for: the question's words are in no skipped part of the file.

    An archive has no lines to look at; there, the number of missing questions beyond the number of reasons counts as
    silent.
    """
    if any(each.reason.startswith("file ") for each in left):
        return []
    if content[:2] == b"PK":
        return missing[len(left) :]
    lines = decoded(content).splitlines()
    starts = [*sorted({item.line for item in taken} | {skip.line for skip in left}), len(lines) + 1]
    until = dict(itertools.pairwise(starts))
    named = [bare("\n".join(lines[each.line - 1 : until[each.line] - 1])) for each in left]
    return [
        each
        for each in missing
        if not any(each.stem in text or all(option and option in text for option in each.options) for text in named)
    ]


def alike(one: str, other: str) -> bool:
    """Return whether two questions with the same options are the same, written differently."""
    return SequenceMatcher(None, one, other, autojunk=False).ratio() > ALIKE


def held_against(reference_items: list[Known], taken: list[Item]) -> tuple[list[Known], list[tuple[Known, Item]]]:
    """Return the questions that were not read, and those whose right options differ."""
    by_options: dict[frozenset[str], list[Item]] = defaultdict(list)
    by_stem: dict[str, list[Item]] = defaultdict(list)
    for item in taken:
        by_options[frozenset(bare(option.text) for option in item.options)].append(item)
        by_stem[bare(item.stem)].append(item)
    missing, wrong = [], []
    for each in reference_items:
        same = by_options.get(frozenset(each.options), [])
        asked = [item for item in same if bare(item.stem) in each.stem or each.stem in bare(item.stem)]
        among = asked or by_stem.get(each.stem, []) or [item for item in same if alike(bare(item.stem), each.stem)]
        rights = [frozenset(bare(o.text) for o in item.options if o.right) for item in among]
        if not among:
            missing.append(each)
        elif each.right not in rights:
            wrong.append((each, among[0]))
    return missing, wrong


def general(reason: str) -> str:
    """Return a reason without its file name, quoted words and numbers."""
    reason = re.sub(r"^\S+\.(?:xml|qti|dat): ", "", reason)
    return re.sub(r"\d+", "N", re.sub(r"“[^”]*”", "“…”", reason))[:90]


def main() -> None:
    warnings.simplefilter("ignore")
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--each", action="store_true", help="name the files in which something differs")
    options = arguments.parse_args()
    tallies: dict[str, Tally] = defaultdict(Tally)
    for path in sorted(p for p in options.folder.rglob("*") if p.is_file()):
        counted(path, tallies, each=options.each)
    report(tallies)


def counted(path: Path, tallies: dict[str, Tally], *, each: bool) -> None:
    """Count one file; a file without a choice question that the second reader knows counts nothing."""
    content = path.read_bytes()
    name, items = reference(path, content)
    if not items:
        return
    taken, left = ours(path, content)
    reasons = [found.reason for found in left]
    missing, wrong = held_against(items, taken)
    unnamed = silent(content, missing, taken, left)
    tally = tallies[name]
    tally.files += 1
    tally.known += len(items)
    tally.read += len(items) - len(missing)
    tally.add(path.parent.name, len(items), len(items) - len(missing))
    tally.wrong += len(wrong)
    tally.silent += len(unnamed)
    if missing:
        tally.reasons.update(Counter(map(general, reasons)) if reasons else {"nothing said": len(missing)})
    if each and (missing or wrong):
        why = "; ".join(f"{n} {reason}" for reason, n in Counter(map(general, reasons)).most_common(3))
        facts = f"{len(items)} known, {len(missing)} missing, {len(unnamed)} silent, {len(wrong)} wrong"
        print(f"{name}: {path.parent.name}/{path.name}: {facts}. {why}")
        for one, item in wrong[:2]:
            print("   KEY", one.stem[:50], sorted(one.right), "|", [o.text[:40] for o in item.options if o.right])
        for one in missing[:1]:
            print("   MISSING", one.stem[:60], one.options[:2])


def report(tallies: dict[str, Tally]) -> None:
    head = ["Format", "files", "questions", "read", "share", "different key", "silent"]
    total = Tally()
    lines = []
    for name, tally in sorted(tallies.items()):
        lines.append(line_of(name, tally))
        for fact in ("files", "known", "read", "wrong", "silent"):
            setattr(total, fact, getattr(total, fact) + getattr(tally, fact))
        total.reasons.update(tally.reasons)
        for folder, (number, read) in tally.folders.items():
            total.add(folder, number, read)
    print(markdown(head, [*lines, line_of("**all**", total)]))
    shares = [read / number for number, read in total.folders.values()]
    print(f"{len(shares)} folders; each counted alike {100 * sum(shares) / max(1, len(shares)):.1f}% are read")
    for reason, number in total.reasons.most_common(25):
        print(f"{number:6} {reason}")


def line_of(name: str, tally: Tally) -> list[str]:
    share = f"{100 * tally.read / tally.known:.1f}%" if tally.known else ""
    return [
        name,
        *(f"{n:,}" for n in (tally.files, tally.known, tally.read)),
        share,
        str(tally.wrong),
        str(tally.silent),
    ]


if __name__ == "__main__":
    main()
