"""Options counted by numbers, with a line below that names the right one; and answers that a page folds away."""

from __future__ import annotations

import pytest

from questions.formats.rules.items import Item, Skipped
from tests.questions.formats.finding import detected, found

NUMBERED = """Q1. Which tool records where a parcel is?
     1.  A label
     2.  A scanner that is
         held in the hand
     3.  A shelf
     Correct Answer : 2

Q2. Which of these lines opens the gate?
1. open(gate);
2. close(gate);
     1.  Line 1
     2.  Line 2
Correct answer: 1
"""
FOLDED = """## Question 1:
Which key opens the shed?

{first} The brass key
{second} The iron key

Choose the correct answer.

<details>
<summary>Response:</summary>

{answer}

**Explanation:**

1. **Incorrect**. The brass key opens the gate.
2. **Correct**. The shed has an iron lock.

</details>

## Question 2:
Which key opens the gate?

{first} The brass key
{second} The iron key

<details>
<summary>Response:</summary>

{other}

</details>
"""


def taken(text: str, name: str = "list.txt") -> list[Item]:
    assert detected(text, name) == "text2qti"
    items = found("text2qti", text)
    assert not [each for each in items if isinstance(each, Skipped)]
    return [each for each in items if isinstance(each, Item)]


def test_numbered_options_with_a_numbered_answer() -> None:
    first, second = taken(NUMBERED)
    assert first.stem == "Which tool records where a parcel is?"
    assert [option.text for option in first.options] == ["A label", "A scanner that is\nheld in the hand", "A shelf"]
    assert "open(gate)" in second.stem
    assert [first.correct, second.correct] == [[1], [0]]


@pytest.mark.parametrize(
    ("first", "second", "answer", "other"),
    [
        ("1.", "2.", "The correct answer is **2. The iron key**", "The correct answer is **1. The brass key**"),
        ("- A.", "- B.", "**Answer:** B", "**Answer:** A"),
        ("A.", "B.", "Solution : b", "Solution : a"),
    ],
)
def test_answers_that_a_page_folds_away(first: str, second: str, answer: str, other: str) -> None:
    items = taken(FOLDED.format(first=first, second=second, answer=answer, other=other), "list.md")
    assert [item.stem for item in items] == ["Which key opens the shed?", "Which key opens the gate?"]
    assert [[option.text for option in item.options] for item in items] == [["The brass key", "The iron key"]] * 2
    assert [item.correct for item in items] == [[1], [0]]


@pytest.mark.parametrize(
    "answer",
    ["Correct answer: 4", "The correct answer is 2. A label", "Answer: 2 and 3", "Correct answer: B"],
)
def test_an_answer_that_names_no_numbered_option_marks_none(answer: str) -> None:
    text = NUMBERED.replace("Correct Answer : 2", answer)
    items = [each for each in found("text2qti", text) if isinstance(each, Item)]
    assert [item.correct for item in items] == [[0]]
    assert [each for each in found("text2qti", text) if isinstance(each, Skipped)]


@pytest.mark.parametrize(
    "line", [" " * 200_000 + "x", "Answer: 1) " + "* " * 100_000 + "x", "Answer: 1" + " " * 200_000 + "x"]
)
def test_a_hostile_line_takes_no_longer_than_another(line: str) -> None:
    text = f"Q1. Which key?\n1. Iron\n2. Brass\n{line}\nAnswer: 2\n"
    assert len(found("text2qti", text)) < 4


def test_numbered_questions_are_not_taken_for_options() -> None:
    text = "1. Which ferry is late?\n1. The red one\n2. The blue one\nCorrect Answer: 1\n" + (
        "2. Which ferry is early?\n1. The red one\n2. The blue one\n3. Neither\nCorrect Answer: 3\n"
    )
    items = taken(text)
    assert [item.stem for item in items] == ["Which ferry is late?", "Which ferry is early?"]
    assert [item.correct for item in items] == [[0], [2]]


def test_an_answer_may_be_below_its_explanation_in_a_fold() -> None:
    told = "**Explanation:**\n\n1. Brass is soft.\n\n"
    text = FOLDED.format(first="- A.", second="- B.", answer=f"{told}**Answer:** B", other="**Answer:** A")
    first, second = taken(text, "list.md")
    assert [first.correct, second.correct] == [[1], [0]]
    assert "Brass is soft" in first.explanation
    assert [option.text for option in first.options] == ["The brass key", "The iron key"]


def test_an_answer_behind_a_closed_fold_is_not_of_the_options_above_it() -> None:
    text = FOLDED.format(
        first="1.", second="2.", answer="Ask the porter.\n\n</details>\n\nAnswer: 2", other="Answer: 1"
    )
    items = [each for each in found("text2qti", text) if isinstance(each, Item)]
    assert [item.correct for item in items] == [[0]]
