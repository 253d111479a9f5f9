"""Which column of a table means what, by name: ours, and those of Kahoot, Quizizz, Blooket and Gimkit.

A column can have any of several names. Options are in separate columns (``option a`` or ``option 1``), all in one
(``options``), or the right one under ``correct answer`` and the others under ``incorrect answer 1``.
"""

from __future__ import annotations

import dataclasses
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from questions.formats.rules.limits import CELLS, OPTIONS

LETTERS = "abcdefghijklmnopqrstuvwxyz"[:OPTIONS]
PREFACE = 20  # rows searched for a header; templates have instructions above it
NAMES = {
    "id": ("id", "identifier", "key", "question id", "external id"),
    "kind": ("kind", "type", "question type", "type of question"),
    "title": ("title", "name", "question name", "question title"),
    "stem": ("stem", "question", "questions", "question text", "question wording", "question stem", "prompt", "text",
             "mcq", "pregunta", "preguntas", "pergunta", "perguntas", "frage", "domanda", "enonce", "题目", "題目",
             "题目内容", "題目內容", "问题", "問題", "вопрос", "soru", "cau hoi", "noi dung cau hoi"),
    "correct": ("correct", "answer", "correct answer", "correct answers", "right", "right answer", "correct option",
                "correct options", "answer key", "solution", "correct choice", "ans", "correct ans", "correct opt",
                "respuesta correcta", "correcta", "respuesta", "resposta correta", "correta", "resposta",
                "richtige antwort", "richtig", "bonne reponse", "reponse correcte", "reponse", "risposta corretta",
                "risposta", "正确答案", "正確答案", "答案", "правильныи ответ", "ответ", "dogru cevap", "cevap",
                "corect answer", "dap an dung"),
    "explanation": ("explanation", "rationale", "general feedback", "overall explanation", "feedback",
                    "answer explanation", "explicacion", "explicacao", "erklarung", "explication", "spiegazione",
                    "解析", "解释", "объяснение", "aciklama"),
    "tags": ("tags", "tag", "keywords", "labels"),
    "category": ("category", "domain", "topic", "section", "subject"),
    "image": ("image", "image link", "image url", "picture", "imagen", "imagem", "bild", "изображение",
              "ссылка на изображение", "картинка", "图片", "圖片", "图片网址", "圖片網址", "hinh anh"),
    "options": ("options", "choices", "answers", "answer options", "answer choices", "question answers",
                "possible answers", "alternatives"),
}  # fmt: skip
INDEX = ("correct index", "answer index", "correct answer index", "correct option index", "index of correct answer")
SOURCE = {
    "title": ("title", "name"),
    "url": ("url", "link", "address"),
    "says": ("says", "quote", "what it says"),
    "as of": ("as of", "checked", "date", "checked on", "opened"),
}
"""A source's columns are ``source url`` or, for several, ``source 2 url``; ``source`` alone is its URL."""
FIELDS = {name: field for field, names in NAMES.items() for name in names}
FIELDS |= dict.fromkeys(INDEX, "correct")
SOURCE_COLUMN = re.compile(r"(?:source|reference) ?(\d{1,2})?(?: (.+))?$")
OPTION_COLUMN = re.compile(
    r"(?:answer )?(?:option|choice|answer|opt|opcion|opcao|alternativa|respuesta|resposta|antwort|reponse|proposition"
    r"|opzione|risposta|选项|選項|вариант|secenek|dap an)? ?([a-n]|\d{1,2})$"
)
WRONG_COLUMN = re.compile(
    r"(?:(?:incorrect|wrong|false)(?: (?:answer|option|choice))?|distractor|dap an sai) ?([a-n]|\d{1,2})?$"
)
FEEDBACK_COLUMN = re.compile(r"(?:feedback|explanation|rationale) ?([a-n]|\d{1,2})$")
FEEDBACK_AFTER = re.compile(
    r"(?:answer )?(?:option|choice|answer) ?([a-n]|\d{1,2}) (?:feedback|explanation|rationale)$"
)
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
# Instructions in a template.
ADVICE = re.compile(r"\(.*?\)|\bmax \d+ characters.*|\bchoose at least .*|[-–—] .*\bsecs?\b.*")  # noqa: RUF001
CERTAIN = 2  # rows that show how a table names its right options
SHORTEST = {"options": 2, "wrong": 1}


@dataclass(frozen=True)
class Columns:
    """Each field's column; options and feedback by their column's label, in order.

    ``right`` is the label of the option that is always right; without it, the field ``correct`` names it. ``from_zero``
    says that numbers in it count from 0.
    """

    fields: dict[str, int]
    options: dict[str, int]
    feedback: dict[str, int]
    right: str = ""
    from_zero: bool = False
    sources: dict[str, dict[str, int]] = dataclasses.field(default_factory=dict)  # by number, then by part of SOURCE
    named_by: str = ""  # "label" or "text", if the whole table names its right options so
    numbers_name: str = ""  # the same for answers that are a number
    by_index: bool = False  # whether the name of ``correct`` leaves open where numbers start

    def are_filled(self, row: Sequence[str]) -> bool:
        """Whether a row has a question, an option or an answer; templates number rows that nobody filled in."""
        places = [self.fields["stem"], self.fields["correct"], self.fields.get("options", -1), *self.options.values()]
        return any(row[place].strip() for place in places if 0 <= place < len(row))


def columns_of(header: Sequence[str]) -> Columns | None:
    """The columns from a header row; None if it doesn't name a question, its options and the answer."""
    fields: dict[str, int] = {}
    options: dict[str, int] = {}
    feedback: dict[str, int] = {}
    wrong: list[int] = []
    sources: dict[str, dict[str, int]] = {}
    for place, cell in enumerate(header[:CELLS]):
        name = plain_name(cell)
        told = FEEDBACK_COLUMN.match(name) or FEEDBACK_AFTER.match(name)
        option = OPTION_COLUMN.match(name)
        if name in FIELDS:
            fields.setdefault(FIELDS[name], place)
        elif told:
            feedback.setdefault(told.group(1), place)
        elif part := source_part(name):
            sources.setdefault(part[0], {}).setdefault(part[1], place)
        elif WRONG_COLUMN.match(name):
            wrong.append(place)
        elif option:
            options.setdefault(option.group(1), place)
    found = arranged(fields, options, feedback, wrong)
    if found is None:
        return None
    by_index = plain_name(header[found.fields["correct"]]) in INDEX
    return dataclasses.replace(found, sources=sources, by_index=by_index)


def source_part(name: str) -> tuple[str, str] | None:
    """Which source a column is about, and which of its parts it holds."""
    match = SOURCE_COLUMN.match(name)
    if match is None:
        return None
    said = match.group(2) or "url"
    part = next((part for part, names in SOURCE.items() if said in names), None)
    return (match.group(1) or "1", part) if part else None


def arranged(
    fields: dict[str, int], options: dict[str, int], feedback: dict[str, int], wrong: Sequence[int]
) -> Columns | None:
    """Columns that make questions; None if the question, its options or the answer is missing."""
    if "stem" not in fields or "correct" not in fields:
        return None
    if len(options) >= SHORTEST["options"] or "options" in fields:
        return Columns(fields, options, feedback)
    if len(wrong) < SHORTEST["wrong"]:
        return None
    places = [fields["correct"], *wrong]
    return Columns(fields, dict(zip(LETTERS, places, strict=False)), feedback, right=LETTERS[0])


@dataclass
class Answers:
    """How a table's rows show that it names its right options."""

    zero: bool = False  # whether one is 0 and that is no option's text
    only_labels: Counter[bool] = dataclasses.field(default_factory=Counter)
    """Answers that are an option's letter or number and no option's text, by whether they are a number."""
    only_texts: Counter[bool] = dataclasses.field(default_factory=Counter)
    """Answers that are an option's text and no option's letter or number, counted in the same way."""

    def add(self, columns: Columns, row: Sequence[str]) -> None:
        """Count a row; an incomplete row shows nothing."""
        places = columns.options.values()
        if columns.right or max([columns.fields["correct"], *places]) >= len(row):
            return
        stated, texts = row[columns.fields["correct"]].strip(), {row[place].strip() for place in places}
        counts = [str(number) for number in range(1, len(places) + 1)]
        is_label = stated.lower() in {*columns.options, *counts, *LETTERS[: len(places)]}
        self.zero = self.zero or (stated == "0" and "0" not in texts)
        self.only_labels[stated.isdecimal()] += is_label and stated not in texts
        self.only_texts[stated.isdecimal()] += stated in texts and not is_label

    def shown(self, *, numbers: bool) -> str:
        """What the answers, or only those that are numbers, must be: "label", "text", or "" if they differ or are too
        few."""
        kinds = (True,) if numbers else (True, False)
        labels, texts = (sum(count[kind] for kind in kinds) for count in (self.only_labels, self.only_texts))
        return "label" if labels >= CERTAIN and not texts else "text" if texts >= CERTAIN and not labels else ""


def counted(columns: Columns, answers: Answers) -> Columns | None:
    """The columns, with how the whole table names its right options: counting from 0 if any row says 0.

    None if numbers could start at either. If some rows can only mean labels, and none only a text, an answer that could
    be either is a label, and vice versa. If letters and numbers differ in this, only the
    rows with numbers decide what numbers mean.
    """
    if columns.by_index and not answers.zero:
        return None
    by = answers.shown(numbers=False)
    numbers = by or answers.shown(numbers=True)
    return dataclasses.replace(columns, from_zero=columns.from_zero or answers.zero, named_by=by, numbers_name=numbers)


def plain_name(cell: str) -> str:
    """A column's name in lower case, without hints, punctuation and accents."""
    text = CAMEL.sub(" ", cell.strip()).lower().replace("#", " number")
    bare = "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))
    return " ".join(re.findall(r"[^\W\d_]+|\d+", ADVICE.sub(" ", bare).replace("\u0131", "i").replace("\u0111", "d")))
