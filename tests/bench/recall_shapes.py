"""Further plain shapes of questions for the second reader of ``recall``: pairs of a question and its judged options.

Like the rest of the second reader, nothing here shares code with the importers.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as ET

import yaml

Asked = tuple[str, list[tuple[str, bool]]]

KEY = re.compile(
    r"\W*(?:(?:the\s+)?correct\s+answers?(?:\s+is)?|answers?|solution|ans)[\s*_]*(?:[:=.\-]|\bis\b|(?<=is))[\s*_:]*"
    r"\(?([1-9]|[A-Ha-h])\b(?:[.):]|\W*$|\*|\s)",
    re.IGNORECASE,
)
OPTION = re.compile(r"[ \t]*(?:[-*]\s+)?\(?([1-9]|[A-Ha-h])[.)]\)?[ \t]*(\S.*)")
ASIDE = re.compile(r"\W*(?:</?details|</?summary|choose the|select the)", re.IGNORECASE)
HEAD = re.compile(r"\W*(?:Q\.?|Question)\s*\d+\b[).:]*\s*", re.IGNORECASE)


def place(label: str) -> int:
    """Return 0 for 1, a and A."""
    return int(label) - 1 if label.isdigit() else ord(label.lower()) - ord("a")


def parted(line: str) -> list[str]:
    """Return the options of a line, each on its own, as far as their letters count on."""
    option = OPTION.fullmatch(line)
    if not option or option[1].isdigit():
        return [line]
    after = re.search(rf"\s{chr(ord(option[1]) + 1)}[.)]\s+\S", line)
    return [line[: after.start()], *parted(line[after.start() + 1 :])] if after else [line]


def keyed_below(text: str) -> Iterator[Asked]:
    """Read numbered or lettered options, each on its own lines, with a line below that names the right one."""
    since: list[str] = []
    for line in (part for whole in text.splitlines() for part in parted(whole)):
        if HEAD.match(line):
            since = []
        key = KEY.match(line)
        if not key or not (found := last_options(since)):
            since.append(line)
            continue
        asked, options = found
        if key[1].isdigit() == options[0][0].isdigit() and place(key[1]) < len(options):
            yield asked, [(words, at == place(key[1])) for at, (_, words) in enumerate(options)]
        since = []


def last_options(lines: list[str]) -> tuple[str, list[tuple[str, str]]] | None:
    """Return the text before the last complete list of options, and the options with their labels."""
    marks = [OPTION.fullmatch(line) for line in lines]
    for first in reversed(range(len(lines))):
        mark = marks[first]
        if not mark or place(mark[1]) or (first and re.fullmatch(HEAD.pattern + ".*", lines[first], re.IGNORECASE)):
            continue
        options: list[tuple[str, str]] = []
        for line, other in zip(lines[first:], marks[first:], strict=True):
            if re.match(r"\s*<details|#{1,6}\s", line):
                break
            if other and place(other[1]) == len(options) and other[1].isdigit() == mark[1].isdigit():
                options.append((other[1], other[2]))
            elif line.strip() and not re.match(
                r"\W*(?:</?details|</?summary|choose the|select the)", line, re.IGNORECASE
            ):
                options[-1] = (options[-1][0], f"{options[-1][1]} {line.strip()}")
        if len(options) > 1:
            return HEAD.sub("", "\n".join(lines[:first]), count=1), options
    return None


BOX = re.compile(r"\s*(?:[-*+]|\d+\.)\s+\[([ xX])\]\s*(.+)")


def boxes(text: str) -> Iterator[Asked]:
    """Read boxes below headings, as in quizdown, or below a question in the front matter of a page."""
    front = re.match(r"---\n(.*?)\n---\n", text, re.DOTALL)
    said = settings(front[1]) if front else {}
    first = str(said.get("question") or "")
    body = text[front.end() :] if front and first else text
    for section in re.split(r"(?m)^#{1,6}\s+", body):
        lines = section.splitlines()
        at = next((i for i, line in enumerate(lines) if BOX.fullmatch(line)), None)
        if at is not None:
            asked = [line for line in lines[:at] if not re.match(r"\s*(?:>|---|\w+_\w+:)", line)]
            options = [found for line in lines[at:] if (found := BOX.fullmatch(line))]
            yield " ".join([first, *asked]), [(found[2], found[1] != " ") for found in options]


def settings(text: str) -> dict[str, Any]:
    try:
        found = yaml.safe_load(text)
    except yaml.YAMLError:
        return {}
    return found if isinstance(found, dict) else {}


ASKED = (
    r"(?:full )?questions?(?: wording| text)?|perguntas?|preguntas?|вопрос|noi dung cau hoi|題目內容|text|enunciado"
    r"|frage"
)
KEYED = (
    r"answers?|cor?rect (?:answer|choice|option)s?|respostas?(?: correta)?|respuestas?(?: correcta)?"
    r"|правильныи ответ|dap an dung|正確答案"
)
OFFERED = r"(?:choice|option|opcao|opcion|вариант|選項|answer) ?([a-h]|[0-9])|[a-h]"
WRONG = r"dap an sai ?\d|(?:wrong|incorrect) (?:answer|choice|option) ?\d"


def folded(name: str) -> str:
    """Return a column's name without case, accents and signs."""
    plain = unicodedata.normalize("NFKD", name.replace("đ", "d").replace("Đ", "D"))
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    return re.sub(r"[\W_]+", " ", plain).strip().lower()


def wide_rows(table: list[list[str]]) -> Iterator[Asked]:
    """Read a table by column names in more languages, with several right letters, or right and wrong columns."""
    head = [folded(cell) for cell in table[0]] if table else []
    at = {kind: [i for i, name in enumerate(head) if re.fullmatch(pattern, name)] for kind, pattern in COLUMNS.items()}
    if not at["asked"] or not at["key"]:
        return
    rest = [[cell.strip() for cell in row] + [""] * (len(head) - len(row)) for row in table[1:]]
    for row in rest:
        asked, key = row[at["asked"][0]], row[at["key"][0]]
        if at["wrong"]:
            yield asked, [(key, True), *((row[i], False) for i in at["wrong"])]
        elif len(at["offered"]) > 1 and (judged := by_key([row[i] for i in at["offered"]], key)):
            yield asked, judged
        elif "options" in head and key:
            split = re.split(r"\s*[,|;\n]\s*", row[head.index("options")])
            yield asked, [(each, each == key) for each in split]


COLUMNS = {"asked": ASKED, "key": KEYED, "offered": OFFERED, "wrong": WRONG}


def by_key(offered: list[str], key: str) -> list[tuple[str, bool]]:
    """Judge options by their text, a letter, ``option3`` or a number from 1; nothing if it could be two of them."""
    filled = [(i, text) for i, text in enumerate(offered) if text]
    named = re.fullmatch(r"(?:option|choice|answer)?[ _]?([A-H]|[1-8])[.)]?(?:\.0)?", key, re.IGNORECASE)
    if any(text == key for _, text in filled):
        return [] if named else [(text, text == key) for _, text in filled]
    if named and place(named[1]) < len(offered):
        return [(text, i == place(named[1])) for i, text in filled]
    return []


STEM = ("question", "Question", "questionText", "content", "q", "text")


def shaped_record(data: dict[str, Any], least: int) -> Iterator[Asked]:
    """Read a record whose options are named A to H, stand apart as right and wrong, or are numbered from ``least``."""
    asked = next((data[name] for name in STEM if isinstance(data.get(name), str)), "")
    offered = next((data[n] for n in ("options", "choices", "answerOptions", "a") if isinstance(data.get(n), list)), [])
    key = next((data[n] for n in ("Answer", "answer", "correctAnswer", "correct") if n in data), None)
    letters = [(name, str(data[name])) for name in "ABCDEFGH" if data.get(name) not in (None, "")]
    if isinstance(key, str) and isinstance(data.get("wrong"), list):
        yield asked, [(key, True), *((str(text), False) for text in data["wrong"])]
    elif isinstance(key, str) and len(letters) > 1:
        yield asked, [(text, name == key.strip().upper()) for name, text in letters]
    elif isinstance(key, dict) and len(key) == 1 and all(isinstance(each, dict) for each in offered):
        yield asked, [(str(o.get("text", "")), o.get("label") == next(iter(key.values()))) for o in offered]
    elif offered:
        yield asked, judged_list(offered, key, least)


def judged_list(offered: list[Any], key: Any, least: int) -> list[tuple[str, bool]]:
    """Judge a list by marks on its entries, or by a text, a letter or a number."""
    if any(isinstance(each, dict) for each in offered):
        pairs = [(each, each.get("correct")) if isinstance(each, dict) else (each, None) for each in offered]
        return [marked_entry(each, mark) for each, mark in pairs]
    texts = [str(each) for each in offered]
    if isinstance(key, list) and key and all(isinstance(each, int) for each in key):
        return [(text, at + least in key) for at, text in enumerate(texts)]
    if isinstance(key, int) and not isinstance(key, bool):
        return [(text, at == key - least) for at, text in enumerate(texts)]
    if isinstance(key, str) and key not in texts and re.fullmatch(r"[A-Ha-h]", key):
        return [(text, at == place(key)) for at, text in enumerate(texts)]
    return [(text, text == key) for text in texts]


def marked_entry(each: Any, mark: Any) -> tuple[str, bool]:
    if isinstance(mark, str):
        return mark, True
    words = next((each[n] for n in ("txt", "text", "answer") if n in each), "") if isinstance(each, dict) else each
    return str(words), mark is True


def word_lines(root: ET.Element) -> list[str]:
    """Return the lines of a Word document, with its line breaks."""
    lines: list[str] = []
    for paragraph in root.iter("p"):
        parts = {"t": lambda node: node.text or "", "br": lambda _: "\n", "tab": lambda _: " "}
        lines += "".join(parts[n.tag](n) for n in paragraph.iter() if n.tag in parts).split("\n")
    return lines


def emphasised(root: ET.Element) -> Iterator[Asked]:
    """Read entries of Word's lists below a paragraph, the right ones highlighted or in bold."""
    asked, options = "", list[tuple[str, bool]]()
    for paragraph in [*root.iter("p"), ET.Element("p")]:
        text = "".join(node.text or "" for node in paragraph.iter("t")).strip()
        style = next((node for node in paragraph.iter("pStyle")), None)
        listed = paragraph.find(".//numPr") is not None or "Bullet" in str(style.attrib if style is not None else "")
        level = next((next(iter(n.attrib.values()), "0") for n in paragraph.iter("ilvl")), "0")
        if listed and asked and (level != "0" or "Bullet" in str(style.attrib if style is not None else "")):
            runs = [run for run in paragraph.iter("r") if "".join(t.text or "" for t in run.iter("t")).strip()]
            strong = bool(runs) and all(
                r.find(".//highlight") is not None or r.find("./rPr/b") is not None for r in runs
            )
            options.append((text, strong))
        elif text or paragraph.find(".//numPr") is None:
            if options:
                yield asked, options
            asked, options = (text or asked) if not options else text, []
