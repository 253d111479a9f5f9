"""A table of the banks: what each domain contains, and what second readers found; pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from questions.bank_files.rules.folder import ExamFolder
from questions.catalogue.rules.exam_file import ExamFile
from questions.lint.rules.bank.figures import longest_right, percent, positions, stem_median
from questions.versions.rules.draft import DIFFICULTIES, DraftQuestion

HEADS = (
    "Domain",
    "Questions",
    "Public",
    "Reserved",
    "Multiple",
    "Easy / medium / hard",
    "Median words per stem",
    "Key positions",
    "Longest is right",
)
READ = re.compile(r"^\| *Questions read *\| *(\d+)", re.M)
DIFFERED = re.compile(r"^\| *(?:Disagreements with the key|Answers that differed from the key) *\| *(\d+)", re.M)


def bank_table(folders: Iterable[ExamFolder], readings: Path) -> str:
    texts = []
    for folder in folders:
        if exam := folder.exam:
            read = [file.read_text(encoding="utf-8") for file in readings.glob(f"{exam.slug}.md")]
            texts.append(exam_table(exam, folder.questions, read))
    return "\n\n".join(texts)


def exam_table(exam: ExamFile, questions: Sequence[DraftQuestion], readings: Iterable[str] = ()) -> str:
    """One exam: a row per domain, a row for all, and a line on the second readings."""
    names = {line.domain: line.name for blueprint in exam.blueprints if blueprint.current for line in blueprint.weights}
    rows = [
        _row(f"{domain.number} {names.get(domain.key, domain.key)}", [q for q in questions if q.domain == domain.key])
        for domain in exam.domains
    ]
    rows.append([f"**{cell}**" for cell in _row("All", questions)])
    table = [as_line(HEADS), as_line(["---"] * len(HEADS)), *map(as_line, rows)]
    return "\n".join([f"**{exam.name}**", "", *table, "", _readings(questions, readings)])


def _row(name: str, questions: Sequence[DraftQuestion]) -> list[str]:
    pool = Counter(question.pool for question in questions)
    difficulty = Counter(question.difficulty for question in questions)
    multiple = sum(question.kind == "multiple" for question in questions)
    longest = longest_right(_usual(questions))
    key = next((group.counts for group in positions(questions) if (group.kind, group.options) == ("single", 4)), ())
    return [
        name,
        str(len(questions)),
        str(pool["open"]),
        str(pool["reserved"]),
        f"{multiple} ({percent(multiple, len(questions))}%)",
        " / ".join(str(difficulty[each]) for each in DIFFICULTIES),
        f"{stem_median(questions):g}",
        " / ".join(map(str, key)),
        ", ".join(f"{each.found} of {each.questions} {each.name.split()[0]}" for each in longest),
    ]


def _usual(questions: Sequence[DraftQuestion]) -> list[DraftQuestion]:
    """Multiple questions, and single ones with the usual four options."""
    return [question for question in questions if question.kind == "multiple" or len(question.options) == 4]


def _readings(questions: Sequence[DraftQuestion], readings: Iterable[str]) -> str:
    texts = list(readings)
    read = sum(int(number) for text in texts for number in READ.findall(text))
    differed = sum(int(number) for text in texts for number in DIFFERED.findall(text))
    concepts = len({key for question in questions for key in question.concepts})
    said = [
        f"{concepts} concepts.",
        "Key positions count choose-one questions with four options, in file order (learners see options shuffled).",
    ]
    if lone := [question for question in questions if not question.family]:
        named = sum(bool(question.second_reader) for question in lone)
        said[1:1] = [
            f"{named} of {len(lone)} questions outside families have a second reader, who answered from the prompt"
            f" alone; in {read} recorded readings, {differed} answers differed from the key."
        ]
    return " ".join(said)


def as_line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def with_table(text: str, table: str, mark: str = "bank") -> str:
    """The text with the table between its markers; raises ValueError if there are none."""
    first, last = f"<!-- {mark} -->", f"<!-- /{mark} -->"
    before, opened, rest = text.partition(first)
    _, closed, after = rest.partition(last)
    if not opened or not closed:
        raise ValueError(f"needs {first} and {last}")
    return f"{before}{first}\n{table}\n{last}{after}"
