"""In task lists in Markdown, a line between two questions belongs to the right one."""

from __future__ import annotations

import pytest

from questions.formats.rules.items import Item, Skipped
from tests.questions.formats.finding import found, one

INDENTED_TASKS = """1.  Which lamp?

    - [ ] blue
    - [x] amber

    _It draws no moths._

    Nor bats.

2.  Which tool?

    - [x] saw,
    with teeth

      and a handle
    - [ ] moss
"""


def test_an_explanation_indented_like_the_options_is_not_part_of_the_last_one() -> None:
    lamp, tool = found("markdown", INDENTED_TASKS)
    assert isinstance(lamp, Item)
    assert ([option.text for option in lamp.options], lamp.correct) == (["blue", "amber"], [1])
    assert lamp.explanation == "_It draws no moths._\n\nNor bats."
    assert isinstance(tool, Item)
    assert (len(tool.options), tool.correct) == (2, [0])
    assert "handle" in tool.options[0].text


def test_an_indented_explanation_is_not_part_of_the_next_question() -> None:
    text = "Which lamp?\n\n  - [ ] blue\n  - [x] amber\n\n  No moths.\n\nWhich tool?\n\n  - [x] saw\n  - [ ] moss\n"
    lamp, tool = found("markdown", text)
    assert isinstance(lamp, Item)
    assert isinstance(tool, Item)
    assert (lamp.explanation, tool.stem) == ("No moths.", "Which tool?")


def test_pandocs_automatic_number_is_not_part_of_the_question() -> None:
    text = "#. Which lamp?\n\n    - [ ] blue\n    - [x] amber\n\n#. Which C#.\n\n    - [x] saw\n    - [ ] moss\n"
    assert [each.stem for each in found("markdown", text) if isinstance(each, Item)] == ["Which lamp?", "Which C#."]


BOXES = "\n\n- [ ] blue\n- [x] amber\n"
SETTINGS = "---\nprimary_color: orange\nshuffle_questions: false\n---\n\n"


@pytest.mark.parametrize(
    ("text", "warnings"),
    [
        (f"{SETTINGS}# Which lamp draws moths, by this line?\n\n> Think of waves.{BOXES}", 0),
        (f"# Lamps\n\nWhich?\n\n> **Hint**: Think of waves.{BOXES}", 0),
        (f"# Which lamp?\n\n> Think of waves.{BOXES}", 1),
    ],
)
def test_a_hint_before_the_options_is_not_part_of_the_question(text: str, warnings: int) -> None:
    item = one("markdown", text)
    assert "waves" not in item.stem
    assert "waves" in item.explanation
    assert (item.correct, len(item.warnings)) == ([1], warnings)


@pytest.mark.parametrize("heading", ["Who said this?", "What does the poem mean?", "Lamps", "Read, and choose:"])
def test_a_quotation_that_the_question_is_about_stays_in_the_question(heading: str) -> None:
    item = one("markdown", f"# {heading}\n\n> More light!{BOXES}")
    assert "> More light!" in item.stem


def test_an_ordering_question_in_quizdown_without_a_block_is_skipped_as_one() -> None:
    item, order = found("markdown", f"{SETTINGS}# Which lamp?{BOXES}\n# Put them in order!\n\n1. first\n2. second\n")
    assert isinstance(item, Item)
    assert isinstance(order, Skipped)
    assert order.kind == "sequence"


@pytest.mark.parametrize("asked", ['"Which key opens the: shed?"', "|\n  Which key\n  opens the: shed?"])
def test_the_question_may_be_in_the_settings_of_its_page(asked: str) -> None:
    text = f"---\nquestion: {asked}\nsource: https://example.org/keys\n---\n\n- [x] The iron key\n- [ ] The brass key\n"
    item = one("markdown", text)
    assert item.stem.split() == ["Which", "key", "opens", "the:", "shed?"]
    assert [option.text for option in item.options] == ["The iron key", "The brass key"]
    assert item.line == 2


@pytest.mark.parametrize("said", ["title: Doors", "question: ''", "question: [1, 2]", "question: *door"])
def test_settings_without_a_question_leave_it_where_it_is(said: str) -> None:
    text = f"---\n{said}\n---\n\n## Which door?\n\n- [x] One\n- [ ] Two\n"
    assert one("markdown", text).stem == "Which door?"


PAGE = """## How to write a question

This is how it looks:

```markdown
#### Which key opens the shed?

- [x] The iron key
- [ ] The brass key
```
"""


@pytest.mark.parametrize(
    "more", ["", "\n- [ ] Like this\n- [x] Or like this\n", "\n## Which door?\n\n- [x] One\n- [ ] Two\n"]
)
def test_a_question_in_code_is_an_example_and_said_to_be_left_out(more: str) -> None:
    first, *rest = found("markdown", PAGE + more)
    assert isinstance(first, Skipped)
    assert first.line == 1
    assert [each.stem for each in rest if isinstance(each, Item)] == (["Which door?"] if "door" in more else [])


def test_boxes_that_are_all_wrong_in_code_are_part_of_the_question() -> None:
    text = (
        "## What does this show?\n\n```\n- [ ] bread\n- [ ] salt\n```\n\n- [x] A list of things to buy\n- [ ] A table\n"
    )
    assert "bread" in one("markdown", text).stem
