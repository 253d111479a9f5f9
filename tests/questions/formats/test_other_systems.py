"""Brightspace's CSV, Blackboard's upload text, and quizzes in JSON or YAML are read or refused correctly."""

from __future__ import annotations

import json
from typing import Any

import pytest

from questions.formats.rules.items import BadFile, Item, Skipped
from tests.questions.formats.finding import detected, found, keys, one

BRIGHTSPACE = """//MULTIPLE CHOICE,,,,
NewQuestion,MC,,,
ID,LAMP-1,,,
Title,Lamp at night,,,
QuestionText,"Which lamp, if any?",HTML,,
Points,1,,,
Option,0,<i>blue</i>,HTML,Draws them.
Option,100,amber,,
Option,50,green,,
Hint,Look up,,,
Feedback,Short waves draw insects.,,,
,,,,
NewQuestion,MS,,,
QuestionText,Which are tools?,,,
Scoring,RightAnswers,,,
Option,1,saw,,
Option,0,moss,,
Option,1,file,,
NewQuestion,TF,,,
QuestionText,Moss is a tool.,,,
TRUE,0,,,
FALSE,100,It grows.,,
NewQuestion,SA,,,
QuestionText,Name a tool.,,,
"""


def test_a_brightspace_file_is_read() -> None:
    assert detected(BRIGHTSPACE, "quiz.csv") == "brightspace"
    lamp, tools, moss, short = found("brightspace", BRIGHTSPACE)
    assert isinstance(lamp, Item)
    assert (lamp.line, lamp.id, lamp.title, lamp.stem) == (2, "LAMP-1", "Lamp at night", "Which lamp, if any?")
    assert (lamp.kind, lamp.correct, lamp.options[0].text) == ("single", [1], "*blue*")
    assert (lamp.options[0].feedback, lamp.explanation) == ("Draws them.", "Short waves draw insects.")
    assert keys([tools, moss, short]) == [(["saw", "moss", "file"], [0, 2]), (["True", "False"], [1]), "SA"]


@pytest.mark.parametrize(
    "row",
    [
        "QuestionText,Which lamp, if any?,HTML,,",
        "Option,100,amber, as sold,,",
        "Option,a lot,amber,,",
        "Option,90,amber,,",
        "Image,lamp.png,,,",
    ],
)
def test_an_ambiguous_brightspace_item_is_refused(row: str) -> None:
    text = f"NewQuestion,MC,,,\nQuestionText,Which?,,,\n{row}\nOption,0,blue,,\nOption,0,green,,\n"
    if row.startswith("QuestionText"):
        text = f"NewQuestion,MC,,,\n{row}\nOption,100,blue,,\nOption,0,green,,\n"
    (result,) = found("brightspace", text)
    assert isinstance(result, Skipped)


def test_a_blackboard_file_is_read() -> None:
    text = (
        "MC\tWhich lamp?\tblue\tincorrect\tamber\tCorrect\n"
        "MA\tWhich are tools?\tsaw\tcorrect\tmoss\tincorrect\tfile\tcorrect\t\t\n"
        "TF\tMoss is a tool.\tfalse\nESS\tWrite about it.\tA page\n"
        "MC\tWhich?\tone\tcorrect\ttwo\n"
        "MC\tWhich?\tone\tcorrect\ttwo\tperhaps\n"
    )
    assert detected(text, "quiz.txt") == "blackboard"
    lamp, *others = found("blackboard", text)
    assert isinstance(lamp, Item)
    assert (lamp.line, lamp.stem, lamp.kind, lamp.correct) == (1, "Which lamp?", "single", [1])
    assert keys(others) == [(["saw", "moss", "file"], [0, 2]), (["True", "False"], [1]), "ESS", "MC", "MC"]


def record(**facts: Any) -> dict[str, Any]:
    return {"question": "Which lamp?", "options": ["blue", "amber", "green"]} | facts


def read(*records: dict[str, Any]) -> list[Item | Skipped]:
    return found("records", json.dumps({"quiz": {"items": list(records)}}))


@pytest.mark.parametrize(
    "facts",
    [
        {"answer": "amber"},
        {"answer": "B"},
        {"answer": "Option B"},
        {"correctAnswer": ["amber"]},
        {"answer": "B) amber"},
        {"options": {"A": "blue", "B": "amber", "C": "green"}, "correct": "b"},
        {"options": ["A. blue", "B. amber", "C. green"], "answer": "B"},
        {"options": [{"text": "blue"}, {"text": "amber", "isCorrect": True}, {"text": "green"}]},
        {
            "options": [{"id": "x", "text": "blue"}, {"id": "y", "text": "amber"}, {"id": "z", "text": "green"}],
            "answer": "y",
        },
    ],
)
def test_a_record_may_name_the_right_option_in_several_ways(facts: dict[str, Any]) -> None:
    assert keys(read(record(**facts))) == [(["blue", "amber", "green"], [1])]


def test_right_and_wrong_answers_may_be_in_separate_fields() -> None:
    row = {
        "type": "multiple",
        "question": "Which lamp?",
        "correct_answer": "amber",
        "incorrect_answers": ["blue", "red"],
    }
    assert detected(json.dumps({"results": [row]}), "quiz.json") == "records"
    (item,) = read(row)
    assert isinstance(item, Item)
    assert (item.kind, keys([item])) == ("single", [(["amber", "blue", "red"], [0])])


def test_options_may_have_their_own_fields() -> None:
    (item,) = read({"Question": "Which?", "OptionA": "x", "OptionB": "y", "Answer": "B", "Explanation": "Because."})
    assert isinstance(item, Item)
    assert (item.correct, item.explanation) == ([1], "Because.")


def test_the_whole_file_decides_whether_numbers_start_at_zero() -> None:
    assert [each.correct for each in read(record(answer=0), record(answer=1)) if isinstance(each, Item)] == [[0], [1]]
    assert [each.correct for each in read(record(answer=3), record(answer=1)) if isinstance(each, Item)] == [[2], [0]]
    assert all(isinstance(each, Skipped) for each in read(record(answer=1), record(answer=2)))


@pytest.mark.parametrize(
    "facts",
    [
        {},
        {"answer": "red"},
        {"answer": "D"},
        {"options": ["B", "A"], "answer": "B"},
        {"options": [2, 1, 0], "answer": 0},
        {"options": [{"text": "blue", "correct": True}, {"text": "amber"}], "answer": "amber"},
        {"answer": ["blue", "amber", "green"]},
        {"type": "ordering", "answer": "amber"},
        {"image": "lamp.png", "answer": "amber"},
    ],
)
def test_an_ambiguous_record_is_refused(facts: dict[str, Any]) -> None:
    (result,) = read(record(**facts))
    assert isinstance(result, Skipped)


def test_a_record_may_be_a_true_or_false_statement() -> None:
    (item,) = read({"question": "Moss is a tool.", "answer": False})
    assert keys([item]) == [(["True", "False"], [1])]


def test_yaml_is_read_with_its_line_numbers() -> None:
    text = "title: Lamps\nquestions:\n- question: Which lamp?\n  options: [blue, amber]\n  answer: amber\n"
    text += "- question: Which tool?\n  options:\n  - saw\n  - moss\n  answer: A\n"
    assert detected(text, "quiz.yaml") == "records"
    first, second = found("records", text)
    assert (first.line, second.line) == (3, 6)
    assert keys([first, second]) == [(["blue", "amber"], [1]), (["saw", "moss"], [0])]


def test_plain_text_lists_with_question_and_answer_are_not_yaml() -> None:
    text = "Question: Which lamp?\nA. blue\nB. amber\nAnswer: B\n"
    assert detected(text, "quiz.txt") != "records"


@pytest.mark.parametrize("text", ['{"question": "Which?", "options": ["a"', "[" * 100_000, "- question: {a: [\n"])
def test_broken_data_is_reported_as_one_error(text: str) -> None:
    with pytest.raises(BadFile):
        found("records", text)


def test_a_question_after_an_explanation_is_not_read_as_part_of_it() -> None:
    text = "1. Which?\nA) x\nB) y\nANSWER: A\nEXPLANATION: It is.\n2. And which?\nA) x\nB) y\nANSWER: B\n"
    assert keys(found("aiken", text)) == [(["x", "y"], [0]), (["x", "y"], [1])]


def test_in_a_table_counting_from_zero_a_number_that_is_an_option_is_refused() -> None:
    text = "question,option a,option b,option c,correct\nWhich?,x,y,z,0\nHow many?,1,2,3,1\nHow few?,7,8,9,2\n"
    assert [isinstance(each, Item) for each in found("csv", text)] == [True, False, True]


def test_an_unknown_type_in_a_row_with_options_is_ignored() -> None:
    text = "type,question,option a,option b,correct\nNational,Which?,x,y,B\nEssay,Why?,x,y,B\n"
    assert keys(found("csv", text)) == [(["x", "y"], [1]), "Essay"]
    assert one("csv", "type,question,option a,option b,correct\nNational,Which?,x,y,B\n").kind == "single"


def numbered(name: str, *answers: object) -> str:
    offered = ["0", "2", "3", "1"]
    return json.dumps([{"question": f"How many {n}?", "options": offered, name: a} for n, a in enumerate(answers)])


def test_a_number_is_a_position_if_its_name_says_so() -> None:
    assert keys(found("records", numbered("correctIndex", 0, 2, 3))) == [(["0", "2", "3", "1"], [n]) for n in (0, 2, 3)]
    first = found("records", numbered("correct_index", 1, 4))
    assert keys(first) == [(["0", "2", "3", "1"], [n]) for n in (0, 3)]


@pytest.mark.parametrize(("name", "answers"), [("correct", (0, 2)), ("answer", (0, 2)), ("correctIndex", (1, 2))])
def test_a_number_that_could_be_a_position_or_a_text_is_refused(name: str, answers: tuple[int, ...]) -> None:
    assert all(isinstance(each, Skipped) for each in found("records", numbered(name, *answers)))


def test_a_position_outside_the_options_is_refused() -> None:
    results = found("records", numbered("correctIndex", 0, 7))
    assert [isinstance(each, Skipped) for each in results] == [False, True]
