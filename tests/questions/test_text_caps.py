"""Text that would be slow to render is refused unparsed, all of the bank's text is accepted and other text is quick."""

from __future__ import annotations

import random
import time
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from courseiva.common.rich_text import render
from questions.modules.rules.text import blocks_of
from questions.versions.rules.text_caps import EDITORS, WHOLE, pathology, refused_text

FIXTURES = Path(__file__).parents[2] / "fixtures"
MOST_SECONDS, MOST_SECONDS_WHOLE = 0.2, 1.0
SIGNS = EDITORS.signs
SIZE = EDITORS.characters


def strings(tree: Any) -> list[str]:
    if isinstance(tree, dict | list):
        return [text for inner in (tree.values() if isinstance(tree, dict) else tree) for text in strings(inner)]
    return [tree] if isinstance(tree, str) else []


@cache
def seconds(text: str) -> float:
    """Return the smaller of two CPU times, so that other work on the machine doesn't count."""
    took = []
    for _ in range(2):
        began = time.thread_time()
        render(text)
        took.append(time.thread_time() - began)
    return min(took)


def filled(text: str) -> str:
    """Return the text padded to the maximum length with plain words."""
    return (text + "a " * SIZE)[:SIZE]


def by_hand() -> list[str]:
    each = [filled((sign + "x") * (most if sign != "|" else 12)) for sign, most in SIGNS.items()]
    each += [filled((sign * 11 + "x") * (most // 11)) for sign, most in SIGNS.items() if sign != "|"]
    each += [filled((sign + "x" * (SIZE // most - 1)) * most) for sign, most in SIGNS.items() if sign != "|"]
    return [
        *each,
        filled("![" * 80), filled("[a](b " * 80), filled("[a](" * 80 + ")" * 80), filled("*a _b " * 240),
        filled("***a**b*" * 40), filled("__a _b " * 100), filled("".join("`" * k + "a " for k in [*range(1, 12)] * 4)),
        "```python\n" + ("(a+1)" * SIZE)[: SIZE - 20] + "\n```", ("|" * 12 + "\n" + "|-" * 11 + "|\n" + "a\n" * 240),
        "\n".join("    " * (n % 6) + "- x*y_" for n in range(240)),
        "\n".join("> " * (n % 6 + 1) + "a" for n in range(249)),
        "\n".join("```py\na=1\n```" for _ in range(49)), filled("&#9;" * 240), filled("<http://a> " * 100), "(" * SIZE,
        filled("\n".join(f"[{n}]: http://a/{n}" for n in range(80))), filled("\n".join("a\n===" for _ in range(120))),
    ]  # fmt: skip


def by_chance(seed: int) -> str:
    """Return a random text of maximum length made of a few characters, each as often as allowed."""
    rnd = random.Random(seed)
    left = {sign: most for sign, most in SIGNS.items() if sign != "|"}
    chosen = rnd.sample([*left, "](", ")", "]", " ", "a", "> ", "- ", "("], rnd.randint(2, 6))
    text = ""
    while len(text) < SIZE:
        part = rnd.choice(chosen)
        if left.get(part, 1) and sum(part in sign for sign in left) <= 1:
            text += part
            left[part] = left.get(part, SIZE) - 1
        else:
            text += "a"
    return text[:SIZE]


@pytest.mark.soak
def test_the_longest_accepted_texts_render_in_a_fifth_of_a_second() -> None:
    taken = [text for text in [*by_hand(), *map(by_chance, range(12))] if not pathology(text, EDITORS)]
    assert len(taken) > 40
    slow = {text[:40]: took for text in taken if (took := seconds(text)) > MOST_SECONDS}
    assert slow == {}


@pytest.mark.soak
def test_a_question_of_the_slowest_texts_renders_in_a_second() -> None:
    slowest = sorted((text for text in by_hand() if not pathology(text, EDITORS)), key=seconds)[-12:]
    taken: list[str] = []
    for text in reversed(slowest):
        if not refused_text([("stem", each) for each in [*taken, text]])[1]:
            taken.append(text)
    assert taken
    assert sum(len(text) for text in taken) > WHOLE.characters / 2
    assert sum(seconds(text) for text in taken) < MOST_SECONDS_WHOLE


@pytest.mark.parametrize(
    "text",
    [
        "[" * 4000,
        "[a" * 4000,
        "*" * 12,
        "- " * 500 + "x",
        "> " * 500 + "x",
        "`a" * 1000,
        "a\n" * 1000,
        "a" * (SIZE + 1),
        "|" * 1500 + "\n" + "|-" * 1500 + "\n" + "a\n" * 200,
        " " * 41 + "x",
    ],
)
def test_slow_text_is_refused_before_it_is_parsed(text: str) -> None:
    began = time.thread_time()
    assert pathology(text, EDITORS)
    assert refused_text([("title", "A title"), ("options[2].why", text)])[0] == "options[2].why"
    assert time.thread_time() - began < MOST_SECONDS


def test_texts_that_are_slow_only_in_combination_are_refused_as_a_whole() -> None:
    text = "a " * (SIZE // 2)
    assert refused_text([("stem", text)] * 4) == ("", "")
    where, why = refused_text([("stem", text)] * 5)
    assert (where, "together" in why) == ("stem", True)


@pytest.mark.long("whole bank")
def test_every_text_of_the_bank_is_accepted() -> None:
    texts = [
        text for path in FIXTURES.rglob("*.yaml") for text in strings(yaml.load(path.read_text(), yaml.CSafeLoader))
    ]
    texts += [block.text for path in FIXTURES.rglob("modules/*.md") for block in blocks_of(path.read_text())[0]]
    assert len(texts) > 10_000
    assert [text[:60] for text in texts if pathology(text, EDITORS)] == []
