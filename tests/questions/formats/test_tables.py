"""Spreadsheets from other quiz makers are recognised by the names of their columns."""

from __future__ import annotations

import csv
import datetime as dt
import io
from collections.abc import Callable

import pytest

from questions.catalogue.rules.sources import Source
from questions.formats.rules.items import BadFile, Item, Skipped
from tests.questions.formats.finding import detected, found, keys, one
from tests.questions.formats.samples import sheet

KAHOOT: list[list[object]] = [
    ["Quiz template"],
    ["Add questions, at least two answer alternatives, time limit and choose correct answers (at least one)."],
    ["Remember: questions have a limit of 120 characters and answers can have 75 characters max."],
    [],
    ["", "Question - max 120 characters", "Answer 1 - max 75 characters", "Answer 2 - max 75 characters",
     "Answer 3 - max 75 characters", "Answer 4 - max 75 characters",
     "Time limit (sec) – 5, 10, 20, 30, 60, 90, 120, or 240 secs",  # noqa: RUF001
     "Correct answer(s) - choose at least one"],
    [1, "Which lamp?", "blue", "amber", "", "", 20, 2],
    [2, "Which are tools?", "hammer", "moss", "saw", "", 30, "1,3"],
    [3, "", "", "", "", "", "", ""],
]  # fmt: skip
QUIZIZZ: list[list[object]] = [
    ["Question Text", "Question Type", "Option 1", "Option 2", "Option 3", "Option 4", "Option 5", "Correct Answer",
     "Time in seconds", "Image Link", "Answer explanation"],
    ["Which lamp?", "Multiple Choice", "blue", "amber", "", "", "", 2, 30, "", "Short waves."],
    ["Which are tools?", "Checkbox", "hammer", "moss", "saw", "", "", "1,3", 30, "", ""],
    ["Name it.", "Fill-in-the-Blank", "lamp", "", "", "", "", "", 30, "", ""],
]  # fmt: skip
BLOOKET: list[list[object]] = [
    ["Blooket Import Template"],
    ["Question #", "Question Text", "Answer 1", "Answer 2", "Answer 3\n(Optional)", "Answer 4\n(Optional)",
     "Time Limit (sec)\n(Max: 300 seconds)", "Correct Answer(s)\n(Only include Answer #)"],
    [1, "Which lamp?", "blue", "amber", "", "", 20, 2],
    [2, "Which are tools?", "hammer", "moss", "saw", "", 20, "1,3"],
]  # fmt: skip
GIMKIT: list[list[object]] = [
    ["Gimkit Spreadsheet Import Template"],
    [
        "Question",
        "Correct Answer",
        "Incorrect Answer 1",
        "Incorrect Answer 2 (Optional)",
        "Incorrect Answer 3 (Optional)",
    ],
    ["Which lamp?", "amber", "blue", "green", ""],
]
LAMP, TOOLS = (["blue", "amber"], [1]), (["hammer", "moss", "saw"], [0, 2])


def as_csv(rows: list[list[object]], delimiter: str = ",") -> bytes:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerows(rows)
    return out.getvalue().encode()


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_kahoots_columns_are_read_from_csv(delimiter: str) -> None:
    content = as_csv(KAHOOT, delimiter)
    assert detected(content) == "csv"
    assert keys(found("csv", content)) == [LAMP, TOOLS]


def test_kahoots_spreadsheet_is_read_as_downloaded() -> None:
    assert detected(sheet(KAHOOT)) == "xlsx"
    results = found("xlsx", sheet(KAHOOT))
    assert keys(results) == [LAMP, TOOLS]
    assert [each.line for each in results] == [6, 7]


def test_quizizzs_columns_are_read() -> None:
    assert keys(found("xlsx", sheet(QUIZIZZ))) == [LAMP, TOOLS, "Fill-in-the-Blank"]
    first = found("csv", as_csv(QUIZIZZ))[0]
    assert isinstance(first, Item)
    assert (first.kind, first.explanation) == ("single", "Short waves.")


def test_blookets_columns_are_read() -> None:
    assert keys(found("xlsx", sheet(BLOOKET))) == [LAMP, TOOLS]


def test_gimkits_columns_of_right_and_wrong_answers_are_read() -> None:
    assert keys(found("csv", as_csv(GIMKIT))) == [(["amber", "blue", "green"], [0])]


@pytest.mark.parametrize(
    "options",
    [
        "a) blue\nb) amber",
        "A. blue | B. amber",
        "a: blue || b: amber",
        "blue;amber",
        "blue, amber",
        "1. blue\n2. amber",
    ],
)
def test_all_options_may_be_in_one_cell(options: str) -> None:
    rows: list[list[object]] = [["MCQ", "Choices", "Correct"], ["Which lamp?", options, "b"]]
    assert keys(found("csv", as_csv(rows))) == [LAMP]


def test_column_names_may_lack_spaces() -> None:
    assert keys(found("csv", b"Question,OptionA,OptionB,CorrectOption\nWhich lamp?,blue,amber,B\n")) == [LAMP]


def test_a_true_false_question_needs_no_options() -> None:
    rows: list[list[object]] = [["Question", "Question type", "Option 1", "Option 2", "Correct answer"]]
    rows += [["It is on.", "True/False", "", "", "FALSE"], ["Which lamp?", "MCQ", "blue", "amber", "2"]]
    assert keys(found("csv", as_csv(rows))) == [(["True", "False"], [1]), LAMP]


def test_every_sheet_that_names_its_columns_is_read() -> None:
    import openpyxl

    book = openpyxl.load_workbook(io.BytesIO(sheet(KAHOOT)))
    second = book.create_sheet("More")
    for row in GIMKIT:
        second.append(row)
    out = io.BytesIO()
    book.save(out)
    assert keys(found("xlsx", out.getvalue())) == [LAMP, TOOLS, (["amber", "blue", "green"], [0])]


def test_a_table_of_other_data_is_refused() -> None:
    with pytest.raises(BadFile):
        found("xlsx", sheet([["date", "product", "price"], ["1", "lamp", "2"]]))
    with pytest.raises(BadFile):
        detected(b"date,product,price\n1,lamp,2\n", "sales.txt")


def test_a_brace_in_a_table_without_a_header_does_not_make_it_another_format() -> None:
    content = b"What does {=a ~b} mean?,set,list,dict,1\n- [x] y,b,c,d,2\n"
    assert detected(content, "quiz.csv") == "csv"
    with pytest.raises(BadFile):
        found("csv", content)


def test_our_own_columns_are_still_read_as_before() -> None:
    item = one("csv", 'question,option a,option b,correct,tags\n"Which\nlamp?",blue,amber,B,"x, y"\n')
    assert (item.stem, item.correct, item.tags) == ("Which\nlamp?", [1], ("x", "y"))


@pytest.mark.parametrize("name", ["correct_index", "correct"])
@pytest.mark.parametrize("write", [as_csv, sheet])
def test_a_zero_shows_that_a_table_counts_from_zero(name: str, write: Callable[[list[list[object]]], bytes]) -> None:
    rows: list[list[object]] = [["question", "option1", "option2", name]]
    rows += [["Which lamp?", "blue", "amber", 1], ["Which tool?", "saw", "moss", 0]]
    content = write(rows)
    results = found(detected(content), content)
    assert keys(results) == [LAMP, (["saw", "moss"], [0])]
    assert all(isinstance(each, Item) and each.warnings for each in results)


def test_an_index_that_could_begin_at_zero_or_one_is_refused() -> None:
    rows: list[list[object]] = [
        ["question", "option1", "option2", "correct_index"],
        ["Which lamp?", "blue", "amber", 1],
    ]
    for form, content in (("csv", as_csv(rows)), ("xlsx", sheet(rows))):
        with pytest.raises(BadFile):
            found(form, content)


def test_an_option_may_be_a_zero() -> None:
    rows: list[list[object]] = [
        ["question", "option1", "option2", "correct"],
        ["How many?", 0, 5, 0],
        ["Which?", "a", "b", 2],
    ]
    assert keys(found("csv", as_csv(rows))) == [(["0", "5"], [0]), (["a", "b"], [1])]


def test_an_answer_may_be_an_option_with_its_letter() -> None:
    rows: list[list[object]] = [
        ["question", "option a", "option b", "correct"],
        ["Which lamp?", "blue", "amber", "B) amber"],
    ]
    assert keys(found("csv", as_csv(rows))) == [LAMP]
    rows[1][3] = "A) amber"
    assert keys(found("csv", as_csv(rows))) == ["question"]


CITED = "question,option a,option b,correct,source,source title,source says,source checked,source 2 url\n"


def test_a_source_is_read_from_its_own_columns() -> None:
    row = "Which?,blue,amber,B,https://a.example/x,A page,It glows.,2026-11-28,https://b.example\n"
    first, second = one("csv", CITED + row).cited
    assert first == Source("A page", "https://a.example/x", dt.date(2026, 11, 28), "It glows.")
    assert second == Source("https://b.example", "https://b.example", None)


@pytest.mark.parametrize(
    ("cells", "cited", "warnings"),
    [
        (",,,", (), 0),
        (",own,,", (Source("own", "", None),), 0),
        (",https://a.example,,", (Source("https://a.example", "https://a.example", None),), 0),
        (",A book,,", (), 1),
        ("javascript:x,A page,,", (), 1),
        ("https://a.example,A,,28.11.26", (Source("A", "https://a.example", None),), 1),
        ("https://a.example,A,,2026-11-28 00:00:00", (Source("A", "https://a.example", dt.date(2026, 11, 28)),), 0),
    ],
)
def test_a_source_needs_an_address_or_must_be_own_work(cells: str, cited: tuple[Source, ...], warnings: int) -> None:
    item = one("csv", CITED + f"Which?,blue,amber,B,{cells},\n")
    assert (item.cited, len(item.warnings)) == (cited, warnings)


@pytest.mark.parametrize(
    ("header", "row", "expected"),
    [
        ("option a,option b,option c", "blue,,amber,{}", {"C": 1, "3": 1, "A": 0, "B": None, "2": None, "4": None}),
        ("option a,option b,option c,option d", "blue,,amber,lamp,{}", {"C": 1, "3": 1, "D": 2, "4": 2, "2": None}),
        ("option a,option b,option c", "blue,amber,,{}", {"2": 1, "B": 1, "3": None}),
    ],
)
def test_a_blank_option_keeps_its_number_and_letter(header: str, row: str, expected: dict[str, int | None]) -> None:
    for correct, right in expected.items():
        items = found("csv", f"question,{header},correct\nWhich lamp?,{row.format(correct)}\n")
        rights = [list(item.correct) for item in items if isinstance(item, Item)]
        assert rights == ([] if right is None else [[right]]), correct


@pytest.mark.parametrize(("correct", "right"), [("3", 1), ("C", 1), ("2", None)])
def test_a_blank_option_within_one_cell_keeps_its_number(correct: str, right: int | None) -> None:
    items = found("csv", f"question,options,correct\nWhich lamp?,blue;;amber,{correct}\n")
    assert [list(item.correct) for item in items if isinstance(item, Item)] == ([] if right is None else [[right]])


@pytest.mark.parametrize(
    "header",
    [
        "Questions,A,B,Correct",
        "question,opt1,opt2,ans",
        "Pregunta,Opción A,Opción B,Respuesta correcta",
        "Pergunta,Alternativa A,Alternativa B,Resposta",
        "Frage,Antwort A,Antwort B,Richtig",
        "题目,选项A,选项B,答案",
        "Вопрос,Вариант 1,Вариант 2,Правильный ответ",
    ],
)
def test_columns_with_the_usual_names_in_other_languages_are_read(header: str) -> None:
    text = f"{header}\nWhich is a lamp?,moss,amber,amber\n"
    assert detected(text) == "csv"
    item = one("csv", text)
    assert ([option.text for option in item.options], item.correct) == (["moss", "amber"], [1])


@pytest.mark.parametrize("kind", ["code_output_mcq", "Ordinary choice"])
def test_an_unknown_kind_that_says_choice_is_read_as_a_choice_question(kind: str) -> None:
    item = one("csv", f"question,type,a,b,answer\nWhich is a lamp?,{kind},moss,amber,B\n")
    assert item.correct == [1]


HEADER = "question,option 1,option 2,option 3,answer\n"
BY_LABEL = "Which is a lamp?,moss,amber,red,2\nWhich is red?,a poppy,moss,amber,1\n"
BY_TEXT = "How many legs has a fly?,4,6,8,6\nAnd a spider?,4,6,8,8\n"


@pytest.mark.parametrize(("others", "right"), [(BY_LABEL, [1]), (BY_TEXT, [0])])
@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_other_rows_decide_whether_a_number_is_a_label_or_a_text(form: str, others: str, right: list[int]) -> None:
    text = f"{HEADER}Which?,2,3,5,2\n{others}"
    content = text if form == "csv" else sheet(list(csv.reader(io.StringIO(text))))
    first = found(form, content)[0]
    assert isinstance(first, Item)
    assert (first.correct, len(first.warnings)) == (right, 1)


@pytest.mark.parametrize("others", ["", BY_LABEL + BY_TEXT, BY_LABEL.split("\n", maxsplit=1)[0] + "\n"])
def test_a_number_that_could_be_either_is_refused_if_other_rows_do_not_show_it(others: str) -> None:
    first = found("csv", f"{HEADER}Which?,2,3,5,2\n{others}")[0]
    assert isinstance(first, Skipped)


def test_counting_from_zero_decides_on_a_number_that_is_also_an_options_text() -> None:
    others = "Which is a lamp?,moss,amber,red,1\nWhich is red?,a poppy,moss,amber,0\nWhich grows?,red,amber,moss,2\n"
    first = found("csv", f"{HEADER}Which?,2,3,5,2\n{others}")[0]
    assert isinstance(first, Item)
    assert first.correct == [2]


def test_rows_with_letters_do_not_show_what_a_number_means() -> None:
    by_letter = "Which is a lamp?,moss,amber,red,B\nWhich is red?,a poppy,moss,amber,A\n"
    first = found("csv", f"{HEADER}Which?,2,3,5,2\n{by_letter}{BY_TEXT}")[0]
    assert isinstance(first, Item)
    assert first.correct == [0]
    assert isinstance(found("csv", f"{HEADER}Which?,2,3,5,2\n{by_letter}And a spider?,4,6,8,8\n")[0], Skipped)
