"""Answers listed together at the end of a document are matched with the questions above."""

from __future__ import annotations

from time import process_time

import pytest

from questions.formats.rules.items import Item, Skipped
from questions.formats.rules.plain.below.answer_keys import has_list, pairs_in
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
        "ANSWER KEY\n\nSaws and lamps (1-2):\n1.B 2.A\n",
        "Workshop Test 3 Answer Key\n\nLamps (1\u20131)\n\n 1 B\n\nSaws (2\u20132)\n\n 2 A\n",
        "Answer Key \u2013 Test 3\n\n---\n1. B\n\n---\n2. A\n",
        "## Answers\n\n### Lamps\n1. b\n\n### Tools\n2. a\n",
        "Answers\n\n1. B\n\nAmber burns longer than blue, as everybody in the workshop knows.\n\n2. A\n",
    ],
)
def test_a_list_of_answers_may_name_sections_and_explain(answers: str) -> None:
    assert detected(ASKED + answers, "quiz.txt") == "text2qti"
    assert keys(found("text2qti", ASKED + answers)) == [(["blue", "amber"], [1]), (["saw", "moss", "file"], [0])]


def test_what_follows_an_answer_in_the_list_is_its_explanation() -> None:
    first, second = found(
        "text2qti", ASKED + "Answers\n\n1. B\n\nIt burns longer, they say.\n\n2. A\nIt cuts,\nbut not moss.\n"
    )
    assert isinstance(first, Item)
    assert isinstance(second, Item)
    assert (first.explanation, second.explanation) == ("It burns longer, they say.", "It cuts,\nbut not moss.")


SECTIONS = (
    "Part A\n\n1. Which lamp?\na) blue\nb) amber\n\n2. Which tool?\na) saw\nb) moss\n\n"
    "Part B\n\n1. Which nail?\na) long\nb) short\n\n2. Which glue?\na) thick\nb) thin\n\n"
)


def test_sections_that_count_from_1_again_have_the_answers_of_their_name() -> None:
    results = found("text2qti", SECTIONS + "Answers\n\nPart A\n1. B\n2. A\n\nPart B:\n1. A\n2. B\n")
    assert [each[1] for each in keys(results)] == [[1], [0], [0], [1]]


@pytest.mark.parametrize(
    "names", [("Part B", "Part A"), ("Part A", "Part C"), ("First", "Second"), ("Part A", "Part A")]
)
def test_sections_that_count_from_1_again_under_other_names_are_refused(names: tuple[str, str]) -> None:
    results = found("text2qti", SECTIONS + f"Answers\n\n{names[0]}\n1. B\n2. A\n\n{names[1]}\n1. A\n2. B\n")
    assert len(results) == 4
    assert all(isinstance(each, Skipped) and "twice" in each.reason for each in results)


def test_an_answer_that_is_no_letter_ends_no_list() -> None:
    asked = ASKED + "3. How many screws?\na) two\nb) ten\n\n4. Which rope?\na) hemp\nb) wire\n\n"
    results = found("text2qti", asked + "Answers\n1 B\n2 A\n\n3 17.5\n\n4 B\n\nThe end.\n")
    assert [isinstance(each, Item) for each in results] == [True, True, False, True]
    assert isinstance(results[2], Skipped)
    assert "number 3" in results[2].reason


def test_questions_after_a_list_are_no_part_of_it() -> None:
    more = (
        "Chapter 2\n\n3. Which nail?\na) long\nb) short\n\n4. Which glue?\na) thick\nb) thin\n\nAnswers\n3. B\n4. A\n"
    )
    results = found("text2qti", ASKED + "Answers\n1. B\n2. A\n\n" + more)
    assert [each[1] for each in keys(results)] == [[1], [0], [1], [0]]
    assert [each.explanation for each in results if isinstance(each, Item)] == [""] * 4


def test_a_question_without_a_number_has_no_answer_in_a_list() -> None:
    results = found("text2qti", ASKED + "Which nail?\n\na) long\nb) short\n\nAnswers\n1. B\n2. A\n3. B\n")
    assert [isinstance(each, Item) for each in results] == [True, True, False]
    assert isinstance(results[2], Skipped)
    assert "no number" in results[2].reason


@pytest.mark.parametrize(
    "text",
    [
        "Answers\n1. B\nor not\n" * 7000,
        "Answers\n\n1. B\n" + "\n" * 20_000 + "2 x\n" + "\n" * 20_000,
        "Answers\n1. B\n\n" + "it may be so.\n\n" * 20_000,
        "Answers\n1. B\n2. C\n\n" + "Part\n3. C\n\n" * 7000,
        "Answers\n" + "".join(f"{n}. {'C' if n % 2 else 'so'}\n\n" for n in range(1, 10_000)),
    ],
)
def test_long_lists_take_time_in_proportion(text: str) -> None:
    began = process_time()
    has_list(text)
    assert process_time() - began < 2


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
