"""Task lists in Markdown: whose a line between two questions is."""

from __future__ import annotations

from questions.formats.rules.items import Item
from tests.questions.formats.finding import found

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


def test_an_explanation_indented_as_the_options_is_not_part_of_the_last() -> None:
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


def test_a_number_left_to_pandoc_is_not_part_of_the_question() -> None:
    text = "#. Which lamp?\n\n    - [ ] blue\n    - [x] amber\n\n#. Which C#.\n\n    - [x] saw\n    - [ ] moss\n"
    assert [each.stem for each in found("markdown", text) if isinstance(each, Item)] == ["Which lamp?", "Which C#."]
