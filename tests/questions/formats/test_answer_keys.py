"""Answers listed together at the end of a document are matched with the questions above."""

from __future__ import annotations

import pytest

from questions.formats.rules.items import Item, Skipped
from questions.formats.rules.plain.below.answer_keys import pairs_in
from tests.questions.formats.finding import detected, found, keys

ASKED = "1. Which lamp?\na) blue\nb) amber\n\n2. Which tool?\na) saw\nb) moss\nc) file\n\n"


@pytest.mark.parametrize(
    "answers",
    [
        "Answers: 1. B 2. A\n",
        "Answer key\n\n1. B\n2. A\n",
        "## Answers\n1) b\n2) a\n",
        "**Answer Key:**\n\n| Question | Answer |\n|---|---|\n| 1 | B |\n| 2 | A |\n",
        "Answers\n1-B, 2-A\n",
        "<details><summary>Answers</summary>\n\n- 1: **B**\n- 2: **A**\n</details>\n",
        "Solutions\nQ1. (b)\nQ2. (a)\n",
    ],
)
def test_a_list_of_answers_marks_the_options_above_it(answers: str) -> None:
    assert detected(ASKED + answers, "quiz.txt") == "text2qti"
    assert keys(found("text2qti", ASKED + answers)) == [(["blue", "amber"], [1]), (["saw", "moss", "file"], [0])]


def test_the_text_after_an_answer_is_its_explanation() -> None:
    first, second = found("text2qti", ASKED + "Answers\n1. B - it burns longer\n2. A, C\n")
    assert isinstance(first, Item)
    assert isinstance(second, Item)
    assert (first.correct, first.explanation) == ([1], "it burns longer")
    assert (second.kind, second.correct) == ("multiple", [0, 2])


def test_each_chapter_may_have_its_own_list_of_answers() -> None:
    other = (
        "Chapter 2\n\n1. Which nail?\na) long\nb) short\n\n2. Which glue?\na) thick\nb) thin\n\nAnswers: 1. A 2. B\n"
    )
    results = found("text2qti", ASKED + "Answers: 1. B 2. A\n\n" + other)
    assert keys(results) == [
        (["blue", "amber"], [1]),
        (["saw", "moss", "file"], [0]),
        (["long", "short"], [0]),
        (["thick", "thin"], [1]),
    ]


@pytest.mark.parametrize(
    "answers",
    [
        "Answers\n1. A lamp\n2. A saw\n",  # these are words, the first of which is not a letter
        "Answers\n1. D\n2. A\n",
        "Answers: 1. A 1. B 2. A\n",
    ],
)
def test_an_uncertain_list_of_answers_marks_nothing(answers: str) -> None:
    assert isinstance(found("text2qti", ASKED + answers)[0], Skipped)


def test_a_number_shared_by_two_questions_is_refused() -> None:
    twice = "1. Which nail?\na) long\nb) short\n\n"
    results = found("text2qti", twice + ASKED + "Answers: 1. B 2. A\n")
    assert [isinstance(each, Item) for each in results] == [False, False, True]


def test_a_list_of_answers_that_contradicts_the_question_is_refused() -> None:
    text = ASKED.replace("b) amber\n", "b) amber\nAnswer: a\n") + "Answers: 1. B 2. A\n"
    assert [isinstance(each, Item) for each in found("text2qti", text)] == [False, True]


@pytest.mark.parametrize(
    ("line", "pairs"),
    [
        ("1. B 2. C", [("1", "B"), ("2", "C")]),
        ("10:AC", [("10", "AC")]),
        ("3) a, b", [("3", "A, B")]),
        ("1. Because it burns", None),
        ("1. A cat", None),
        ("", None),
    ],
)
def test_a_line_is_read_as_numbers_and_answers_or_not_at_all(line: str, pairs: list[tuple[str, str]] | None) -> None:
    read = pairs_in(line)
    assert (read and read[0]) == pairs


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("Answer: b) amber", [1]),
        ("**Correct Answer:** B. amber", [1]),
        ("Answer: amber", [1]),
        ("Answer: B - because it burns longer", [1]),
        ("Ans: b) it burns longer", [1]),
    ],
)
def test_an_answer_may_have_words_after_its_letter(answer: str, right: list[int]) -> None:
    text = f"1. Which lamp?\na) blue\nb) amber\n{answer}\n"
    assert keys(found("text2qti", text)) == [(["blue", "amber"], right)]


def test_a_letter_with_another_options_words_is_refused() -> None:
    (result,) = found("text2qti", "1. Which lamp?\na) blue\nb) amber\nAnswer: a) amber\n")
    assert isinstance(result, Skipped)


@pytest.mark.parametrize("answer", ["Answer: bad", "Answer: B"])
def test_an_answer_readable_as_letters_or_words_is_refused_or_read_as_words(answer: str) -> None:
    (result,) = found("text2qti", f"1. Which?\na) bad\nb) cad\nc) b\nd) other\n{answer}\n")
    if answer == "Answer: bad":
        assert keys([result]) == [(["bad", "cad", "b", "other"], [0])]
    else:
        assert isinstance(result, Skipped)


def test_two_answers_that_differ_are_refused() -> None:
    text = "1. Which?\na) x\nb) y\nAnswer: a\nWait, that was wrong.\nAnswer: b\n"
    (result,) = found("text2qti", text)
    assert isinstance(result, Skipped)
    (same,) = found("text2qti", text.replace("Answer: a", "Answer: b"))
    assert keys([same]) == [(["x", "y"], [1])]
