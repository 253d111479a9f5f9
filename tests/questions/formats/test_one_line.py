"""Options that share a line are told apart where that can be done in one way only."""

from __future__ import annotations

from time import process_time

import pytest

from questions.formats.rules.items import Item, Skipped
from questions.formats.rules.plain.lists.one_line import TAKEN_APART
from tests.questions.formats.finding import detected, found, keys

TREES = ["oak", "ash", "elm", "yew"]


@pytest.mark.parametrize(
    "options",
    [
        "A. oak B. ash C. elm D. yew\n",
        "a) oak b) ash   c) elm\td) yew\n",
        "(a) oak (b) ash (c) elm (d) yew\n",
        "A. oak B. ash\nC. elm D. yew\n",
        "A. oak B. ash C. elm\n\nD. yew\n",
        "A. oak\n\nB. ash\n\nC. elm  D. yew\n",
        "A. oak\nB. ash C. elm\nD. yew\n",
    ],
)
def test_options_that_share_a_line_are_read(options: str) -> None:
    (result,) = found("text2qti", f"1. Which tree is soft?\n\n{options}\nAnswer: C\n")
    assert keys([result]) == [(TREES, [2])]
    assert isinstance(result, Item)
    assert result.warnings == (TAKEN_APART,)
    assert result.stem == "Which tree is soft?"


@pytest.mark.parametrize("asked", ["1. Which tree is soft? A. oak", "1. The soft tree is ____ A. oak"])
def test_the_first_option_may_stand_in_the_questions_line(asked: str) -> None:
    (result,) = found("text2qti", f"{asked}\nB. ash\nC. elm\nD. yew\nAnswer: C\n")
    assert keys([result]) == [(TREES, [2])]


@pytest.mark.parametrize("signs", ["a) {} b) {} c) {} d) {}", "(A) {} (B) {} (C) {} (D) {}"])
def test_all_options_may_stand_in_the_questions_line(signs: str) -> None:
    text = (
        f"1. Which tree is soft? {signs.format(*TREES)}\nAnswer: c\n\n2. And hard? {signs.format(*TREES)}\nAnswer: a\n"
    )
    assert detected(text, "quiz.txt") == "text2qti"
    first, second = found("text2qti", text)
    assert keys([first, second]) == [(TREES, [2]), (TREES, [0])]
    assert isinstance(second, Item)
    assert second.stem == "And hard?"


@pytest.mark.parametrize(
    ("options", "read"),
    [
        ("A. J. Ash\nB. C. Elm\nC. Henry D. Oak\n", ["J. Ash", "C. Elm", "Henry D. Oak"]),
        ("A. see (b) there\nB. not (c) here\nC. neither\n", ["see (b) there", "not (c) here", "neither"]),
        ("A. of A. and D. trees\nB. ash\nC. elm\n", ["of A. and D. trees", "ash", "elm"]),
    ],
)
def test_letters_in_an_option_begin_no_other(options: str, read: list[str]) -> None:
    (result,) = found("text2qti", f"1. Which tree is soft?\n{options}Answer: C\n")
    assert keys([result]) == [(read, [2])]
    assert isinstance(result, Item)
    assert not result.warnings


@pytest.mark.parametrize(
    "options",
    [
        "A. oak B. ash C. elm, as in C. campestris D. yew\n",  # C twice
        "A. oak C. ash B. elm D. yew\n",
        "A. oak\nB. ash\nC. elm trees. D. yew\n",  # another option, or a name
    ],
)
def test_options_that_could_be_told_apart_in_two_ways_are_refused(options: str) -> None:
    (result,) = found("text2qti", f"1. Which tree is soft?\n{options}Answer: C\n")
    assert isinstance(result, Skipped)


def test_an_option_that_the_answer_names_is_told_apart() -> None:
    (result,) = found("text2qti", "1. Which tree is soft?\nA. oak\nB. ash\nC. elm trees. D. yew\nAnswer: D\n")
    assert keys([result]) == [(["oak", "ash", "elm trees.", "yew"], [3])]


def test_a_list_in_a_question_is_no_options_if_those_stand_below() -> None:
    asked = "1. Of (a) oak, (b) ash and (c) elm, which are soft?\nA. (a) only\nB. (c) only\nAnswer: B\n"
    (result,) = found("text2qti", asked)
    assert isinstance(result, Item)
    assert result.stem == "Of (a) oak, (b) ash and (c) elm, which are soft?"


@pytest.mark.parametrize(
    "text",
    [
        "1. Which? a) x b) y c) z\nAnswer: a\n\n2. " + "a) x b) y c) z " * 7000 + "\nAnswer: a\n",
        "1. Which?\n" + "A. x B. y C. z\n" * 7000 + "Answer: A\n",
        "A. x B. y\nAnswer: A\n" * 7000,
        "1. Which?\nA) x\nB) y\nCorrect Answers: A) x" + " " * 20_000 + "y and B) y\n",
        "1. Which?\nA." + " " * 20_000 + "x" + " " * 20_000 + "B. y\nAnswer: A\n",
    ],
)
def test_long_lines_take_time_in_proportion(text: str) -> None:
    began = process_time()
    detected(text, "quiz.txt")
    found("text2qti", text)
    assert process_time() - began < 5
