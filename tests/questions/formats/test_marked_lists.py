"""Questions as text2qti, Respondus and quizdown write them are read, and so are similar lists."""

from __future__ import annotations

import pytest

from questions.formats.rules.items import Item, Skipped
from tests.questions.formats.finding import detected, found, keys, one

TEXT2QTI = """Quiz title: Lamps and tools
Quiz description: What keeps insects away,
and what drives nails.
shuffle answers: true

% nobody sees this
Title: Lamp at night
Points: 2
1.  Which lamp keeps *insects* away?

    It burns all night.
... Short waves draw them.
+   Well done.
a)  The blue one
... Blue draws them.
*b) The amber one,
    with a shade
c)  The green one

Title: Tools
2.  Which are tools?
[ ] moss
[*] hammer
[*] saw

COMMENT
3.  Not asked
*a) x
b) y
END_COMMENT

Text title: Next
Text: Only words.

GROUP
pick: 1
points per question: 2

3.  What does it print?
    ```python
    a) = 1
    print("b) 2")
    ```
*a) nothing
b)  `2`
END_GROUP

4.  How many?
=   4 +- 1

5.  Name it.
*   lamp
*   lantern

6.  Write about it.
____
"""


def test_a_text2qti_file_is_read() -> None:
    assert detected(TEXT2QTI, "quiz.txt") == "text2qti"
    lamp, tools, code, *others = found("text2qti", TEXT2QTI)
    assert isinstance(lamp, Item)
    assert (lamp.line, lamp.title, lamp.kind, lamp.correct) == (9, "Lamp at night", "single", [1])
    assert lamp.stem == "Which lamp keeps *insects* away?\n\nIt burns all night."
    assert [option.text for option in lamp.options] == ["The blue one", "The amber one,\nwith a shade", "The green one"]
    assert lamp.options[0].feedback == "Blue draws them."
    assert lamp.explanation.splitlines() == ["Short waves draw them.", "Well done."]
    assert isinstance(tools, Item)
    assert (tools.kind, tools.correct) == ("multiple", [1, 2])
    assert isinstance(code, Item)
    assert code.stem == 'What does it print?\n```python\na) = 1\nprint("b) 2")\n```'
    assert keys(others) == ["numerical", "fill-in", "essay"]


@pytest.mark.parametrize(
    "text",
    [
        "1. Which?\na) x\n*b) y\n",
        "1) Which?\na. x\n!b. y\n",
        "Which?\n(a) x\n+(b) y\n",
        "Which?\n\na) x\n* b) y\n",
        "Which?\n( ) x\n(x) y\n",
        "Which?\n- x\n! y\n",
        "Which?\n- x\n+ y\n",
        "1. Which?\na) x\nb) y\nAnswer: b\n",
        "1. Which?\nA) x\nB) y\n**Correct answer:** B\n",
    ],
)
def test_every_usual_mark_of_the_right_answer_is_read(text: str) -> None:
    assert detected(text, "quiz.txt") == "text2qti"
    item = one("text2qti", text)
    assert (item.stem, [option.text for option in item.options], item.correct) == ("Which?", ["x", "y"], [1])


def test_a_respondus_file_is_read() -> None:
    text = (
        "Type: MC\nTitle: Lamp\n1) Which lamp?\n~ Short waves.\na. blue\n@ Blue draws them.\n*b. amber\n\n"
        "Type: MA\nTitle: Tools\n2) Which?\na. moss\n*b. saw\n*c. file\n"
    )
    lamp, tools = found("text2qti", text)
    assert isinstance(lamp, Item)
    assert isinstance(tools, Item)
    assert (lamp.title, lamp.explanation, lamp.options[0].feedback) == ("Lamp", "Short waves.", "Blue draws them.")
    assert (tools.title, tools.kind, tools.correct) == ("Tools", "multiple", [1, 2])


def test_a_question_begins_at_its_own_paragraph_but_not_in_prose() -> None:
    text = "These are questions.\n\nWhich?\n*a) x\nb) y\n\nAnd which\nof these?\na) x\n*b) y\nExplanation: because.\n"
    text += "\nThe end.\n"
    first, second = found("text2qti", text)
    assert isinstance(first, Item)
    assert isinstance(second, Item)
    assert (first.stem, second.stem, second.explanation) == ("Which?", "And which\nof these?", "because.")


@pytest.mark.parametrize(
    "text", ["1. Which?\na) x\nb) y\nAnswer: c\n", "1. Which?\na) x\na) y\nAnswer: a\n", "1. Which?\na) x\nb) y\n"]
)
def test_a_list_without_a_right_option_is_skipped(text: str) -> None:
    (skipped,) = found("text2qti", text)
    assert isinstance(skipped, Skipped)


QUIZDOWN = """---
title: A page
---

# Lamps

{begin}
---
shuffle_questions: false
---

## Which lamp?

> Think of waves.

~~~python
# not a heading
~~~

- [ ] blue
    > Blue draws them.
- [x] amber

## Put them in order!

1. first
2. second

### And which is a tool?

1. [x] saw
1. [ ] moss
{end}

The end of the page.
"""
WRAPPERS = [
    ("```quizdown", "```"),
    ("````{quizdown}", "````"),
    ('<div class="quizdown">', "</div>"),
    ("{{< quizdown >}}", "{{< /quizdown >}}"),
]


@pytest.mark.parametrize(("begin", "end"), WRAPPERS)
def test_a_quizdown_page_is_read(begin: str, end: str) -> None:
    text = QUIZDOWN.format(begin=begin, end=end)
    assert detected(text, "page.qmd") == "markdown"
    lamp, tool, order = found("markdown", text)
    assert isinstance(lamp, Item)
    assert isinstance(tool, Item)
    assert lamp.stem.splitlines() == ["Which lamp?", "", "~~~python", "# not a heading", "~~~"]
    assert lamp.correct == [1]
    assert (lamp.explanation, lamp.options[0].feedback) == ("Think of waves.", "Blue draws them.")
    assert (tool.stem, tool.correct, tool.explanation) == ("And which is a tool?", [0], "")
    assert isinstance(order, Skipped)
    assert order.kind == "sequence"


def test_a_quizdown_block_in_an_indented_page_is_read() -> None:
    quiz = QUIZDOWN.partition("{begin}\n")[2].partition("{end}")[0]
    inner = "".join(f"      {line}" for line in quiz.splitlines(True))
    text = f'<body>\n    <div class="quizdown">\n{inner}    </div>\n</body>\n'
    assert keys(found("markdown", text)) == [(["blue", "amber"], [1]), (["saw", "moss"], [0]), "sequence"]


def test_a_code_fence_left_open_by_mistake_does_not_swallow_questions() -> None:
    text = "## One?\n\n```css\na {}\n```md\n\n- [x] a\n- [ ] b\n\n## Two?\n\n- [x] a\n- [ ] b\n\n# End\n\n```\nx\n```\n"
    assert keys(found("markdown", text)) == [(["a", "b"], [0])] * 2


def test_a_comment_between_options_does_not_begin_a_question() -> None:
    text = "## Which?\n\n- [x] A\n\n<!---->\n\n    run it\n\n- [ ] B\n\n<!---->\n\n    stop it\n"
    item = one("markdown", text)
    assert [option.text.split() for option in item.options] == [["A", "run", "it"], ["B", "stop", "it"]]


INDENTED = """1. Which service keeps objects?
    A. A queue
    B. A bucket
    Correct Answer: B
    Explanation: It is one.

2. Which two are regional?
    A. A subnet
    B. A project
    C. An address
    Correct Answers: A, C
"""
PARENTHESES = "Q1. What does it do?\n(a) It resolves names\n(b) It counts\nAns: (a)\n"
HEADINGS = "### Question 1: What is it?\n\n- A) A lamp\n- B) Moss\n\n**Correct Answer:** A\n\n---\n"
BOLD = (
    "**Question 1:** What is it?\n\nA) A lamp\nB) Moss\n\n**Answer:** A\n\n"
    "**2. And this?**\na) A\nb) B\n**Answer: B**\n"
)
TICKED = "1. What is it?\nA. Moss\nB. A lamp \u2705\n"


@pytest.mark.parametrize(
    ("text", "stems", "right"),
    [
        (INDENTED, ["Which service keeps objects?", "Which two are regional?"], [[1], [0, 2]]),
        (PARENTHESES, ["What does it do?"], [[0]]),
        (HEADINGS, ["What is it?"], [[0]]),
        (BOLD, ["What is it?", "**And this?**"], [[0], [1]]),
        ("* a) Moss\n".join(["1. What is it?\n", "* b) A lamp\nAnswer: b\n"]), ["What is it?"], [[1]]),
    ],
)
def test_lists_as_found_in_documents_are_read(text: str, stems: list[str], right: list[list[int]]) -> None:
    assert detected(text) == "text2qti"
    items = found("text2qti", text)
    assert [item.stem for item in items if isinstance(item, Item)] == stems
    assert [item.correct for item in items if isinstance(item, Item)] == right


def test_a_tick_after_an_option_marks_it_as_right() -> None:
    item = one("text2qti", TICKED)
    assert ([option.text for option in item.options], item.correct) == (["Moss", "A lamp"], [1])


@pytest.mark.parametrize("text", ["1. What?\n* a) Moss\n* b) A lamp\n", "1. What?\n*a) Moss\nb) A lamp\nAnswer: b\n"])
def test_marks_that_do_not_show_which_option_is_right_are_refused(text: str) -> None:
    (skipped,) = found("text2qti", text)
    assert isinstance(skipped, Skipped)


def test_no_text_is_mistaken_for_a_question_number() -> None:
    assert one("text2qti", "Which is item 1: a lamp?\n*a) A\nb) B\n").stem == "Which is item 1: a lamp?"


MIXED = """## Question 1
Which is a lamp?

- [ ] moss
- [x] amber

## Question 2
Pick:

A. one
B. two

**Answer: B**

1. Which is lettered?
   - A. this
   - B. that

2. Which is boxed?
   - [ ] this
   - [x] that
"""


def test_lettered_questions_are_read_beside_those_with_checkboxes() -> None:
    boxed, lettered, unmarked, last = found("markdown", MIXED)
    assert isinstance(lettered, Item)
    assert (lettered.stem, lettered.correct) == ("Pick:", [1])
    assert isinstance(unmarked, Skipped)
    assert isinstance(boxed, Item)
    assert isinstance(last, Item)
    assert (boxed.stem, last.stem, last.correct) == ("Which is a lamp?", "Which is boxed?", [1])


def test_a_bold_answer_may_be_followed_by_its_explanation() -> None:
    text = "**Question 1**\nWhich?\n\n- A) red\n- B) blue\n\n**Answer: B** — blue, for its *short* waves.\n"
    item = one("text2qti", text)
    assert ([option.right for option in item.options], item.stem) == ([False, True], "Which?")
    assert item.explanation == "blue, for its *short* waves."


def test_a_bold_answer_with_another_options_words_is_refused() -> None:
    (skip,) = found("text2qti", "**Question 1**\nWhich?\n\n- A) red\n- B) blue\n\n**Answer: B** — red\n")
    assert isinstance(skip, Skipped)


FEEDBACK_BELOW = """1. Lamp
Which are lamps?

a) blue
*b) amber
c) moss

Feedback:
\ta) Draws moths,
\tand bats.
\t*b) Draws none.

General Feedback:
\tMoss is a plant.

2. Which tool?
*a) saw
b) moss
"""


def test_feedback_listed_by_letter_below_the_options_adds_no_options() -> None:
    lamp, tool = found("text2qti", FEEDBACK_BELOW)
    assert isinstance(lamp, Item)
    assert ([option.text for option in lamp.options], lamp.correct) == (["blue", "amber", "moss"], [1])
    assert [" ".join(option.feedback.split()) for option in lamp.options] == [
        "Draws moths, and bats.",
        "Draws none.",
        "",
    ]
    assert lamp.explanation == "Moss is a plant."
    assert keys([tool]) == [(["saw", "moss"], [0])]


@pytest.mark.parametrize(
    "text",
    [
        "1. Which lamp?\n*a) amber\nb) blue\n\nGeneral feedback:\nJ. Watt made none.\n",
        "Which lamp?\n*a) amber\nb) blue\nWhich tool?\na) moss\n*b) saw\n",
    ],
)
def test_letters_that_may_be_options_of_another_question_are_refused(text: str) -> None:
    (skipped,) = found("text2qti", text)
    assert isinstance(skipped, Skipped)


def test_a_question_of_gaps_to_match_is_skipped_as_a_gap_match() -> None:
    (skipped,) = found("text2qti", "1. A {G1} lamp.\n\n@gap A) amber\n@gap B) blue\n\n@match A G1\n")
    assert isinstance(skipped, Skipped)
    assert skipped.kind == "gap match"


NESTED = """## Lamps

- {first}
{gap}  - A) moss
  - B) amber
{gap}{answer}
{between}- {second}
{gap}  - A) red
  - B) a note:
{gap}{answer}
"""


@pytest.mark.parametrize(
    ("first", "second"), [("Which?", "Which one?"), ("**1. Which?**", "**Question 2**: Which one?")]
)
@pytest.mark.parametrize("answer", ["- Correct answer: B", "  - **Answer: B**", "Correct answer: B", "  **Answer: B**"])
@pytest.mark.parametrize("gap", ["", "\n"])
@pytest.mark.parametrize("between", ["", "\n"])
def test_questions_that_are_entries_of_a_list_are_read(
    first: str, second: str, answer: str, gap: str, between: str
) -> None:
    text = NESTED.format(first=first, second=second, answer=answer, gap=gap, between=between)
    assert keys(found("text2qti", text)) == [(["moss", "amber"], [1]), (["red", "a note:"], [1])]
    stems = [item.stem.strip("*") for item in found("text2qti", text) if isinstance(item, Item)]
    assert [stem.split(": ")[-1] for stem in stems] == ["Which?", "Which one?"]


def test_a_list_entry_in_an_explanation_begins_no_question() -> None:
    first_question = "1. Which?\n   A) moss\n   B) amber\nAnswer: B\n\nExplanation:\n- it shines\n"
    first, second = found("text2qti", f"{first_question}\n2. Why?\n   A) so\n   B) no\nAnswer: A\n")
    assert isinstance(first, Item)
    assert isinstance(second, Item)
    assert ("it shines" in first.explanation, second.stem) == (True, "Why?")


def test_a_list_in_code_is_an_example_and_said_to_be_left_out() -> None:
    text = "Quiz title: Keys\n\n1. Which key?\n*a) iron\nb) brass\n\nThis is how it looks:\n\n"
    text += "```\n1. Which door?\na) one\n*b) two\n```\n"
    item, skipped = found("text2qti", text)
    assert isinstance(item, Item)
    assert isinstance(skipped, Skipped)
    assert (item.stem, skipped.line) == ("Which key?", 7)


NAMED = """# ID: 7a3f

A lamp was lit at dusk. It drew no moths.

Which colour had the lamp?

A. blue

B. amber

# ID: 7a3f Answer

Correct Answer: B {}

Amber draws few insects.

Difficulty: easy

# ID: 81c0

Which lamp burns longest?

A. the small one

B. the large one

Correct Answer: A
"""


@pytest.mark.parametrize("word", ["Rationale", "\n\nRationale", "\n\nExplanation:"])
def test_a_heading_with_an_id_holds_all_up_to_the_next_one(word: str) -> None:
    first, second = found("text2qti", NAMED.format(word))
    assert keys([first, second]) == [(["blue", "amber"], [1]), (["the small one", "the large one"], [0])]
    assert isinstance(first, Item)
    assert isinstance(second, Item)
    assert first.stem == "A lamp was lit at dusk. It drew no moths.\n\nWhich colour had the lamp?"
    assert (first.id, first.explanation) == ("7a3f", "Amber draws few insects.\n\nDifficulty: easy")
    assert (second.id, second.stem) == ("81c0", "Which lamp burns longest?")


def test_a_question_under_an_id_with_two_answers_is_refused() -> None:
    first, second = found("text2qti", NAMED.format("\n\nCorrect Answer: A"))
    assert isinstance(first, Skipped)
    assert isinstance(second, Item)


LAMPS = "1. Which are lamps?\n\nA) the amber one\nB) the saw\nC) the blue one\n\n"


@pytest.mark.parametrize(
    "answer",
    [
        "Correct Answers: A) the amber one and C) the blue one",
        "**Answers:** A. the amber one, C. the blue one",
        "Answer: A) the amber one; C) the blue one",
        "<details>\n<summary>Show</summary>\nCorrect Answers: A) the amber one and C) the blue one\n\n</details>",
    ],
)
def test_several_answers_may_each_repeat_their_words(answer: str) -> None:
    (result,) = found("text2qti", f"{LAMPS}{answer}\n")
    assert keys([result]) == [(["the amber one", "the saw", "the blue one"], [0, 2])]


@pytest.mark.parametrize(
    "answer",
    [
        "Correct Answers: A) the amber one and C) the blue lamp",
        "Answers: A) amber and C) blue",
        "Answer: A) the amber one, C) the saw",
    ],
)
def test_several_answers_in_other_words_are_refused(answer: str) -> None:
    (result,) = found("text2qti", f"{LAMPS}{answer}\n")
    assert isinstance(result, Skipped)


def test_an_explanation_after_an_answer_may_name_other_options() -> None:
    (result,) = found("text2qti", f"{LAMPS}Answer: A. It shines, unlike B) and C) there.\n")
    assert keys([result]) == [(["the amber one", "the saw", "the blue one"], [0])]


def test_what_folds_an_answer_away_is_left_out_and_its_explanation_kept() -> None:
    fold = "<details>\n<summary>Show</summary>\nAnswer: A, C\n\n**Explanation:**\nA saw cuts.\n</details>\n"
    (result,) = found("text2qti", LAMPS + fold)
    assert isinstance(result, Item)
    assert (result.correct, result.explanation) == ([0, 2], "A saw cuts.")


def test_a_star_may_stand_after_the_letter() -> None:
    (result,) = found("text2qti", "1. Which is a lamp?\n    a. a saw\n    b. *amber\n    c. *a nail* or two\n")
    assert keys([result]) == [(["a saw", "amber", "*a nail* or two"], [1])]


def test_letters_may_have_a_parenthesis_and_a_dot() -> None:
    (result,) = found("text2qti", "1. Which is a lamp?\na). a saw\nb). amber\nAnswer: b\n")
    assert keys([result]) == [(["a saw", "amber"], [1])]


def test_an_answer_above_the_options_is_that_of_another_question() -> None:
    asked = "1. Which is a tool?\n1). a saw\n2). a moth\nSolution :\noption [1] is right\n"
    (result,) = found("text2qti", f"{asked}Which is a lamp?\na) amber\nb) a nail\nAnswer: a\n")
    assert isinstance(result, Skipped)


def test_a_question_in_a_page_that_is_indented_as_code_is_an_example() -> None:
    page = "## How to write one\n\n{0}1. Which is a lamp?\n{0}    a. a saw\n{0}    b. *amber\n\nThat is all.\n"
    (shown,) = found("text2qti", page.format(" " * 8))
    assert isinstance(shown, Skipped)
    (result,) = found("text2qti", page.format(""))
    assert keys([result]) == [(["a saw", "amber"], [1])]
