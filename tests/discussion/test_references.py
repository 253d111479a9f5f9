"""A comment refers to options in a way that holds in every order, and its author is asked about bare letters."""

from __future__ import annotations

import pytest

from discussion.comments.rules.likeness import fingerprint, shingle_values
from discussion.comments.rules.references import bare_letters, name_options, option_slots, option_words


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("B is right", ["B"]),
        ("I think B.", ["B"]),
        ("Why not C?", ["C"]),
        ("Option A fails because of latency.", ["A"]),
        ("options A and C are both managed", ["A", "C"]),
        ("the answer D looks tempting", ["D"]),
        ("Between B and C I took B.", ["B", "C"]),
        ("A is wrong, it does not scale", ["A"]),
        ("A and B are out", ["A", "B"]),
        ("B: because it is managed", ["B"]),
        ("- C) too slow", ["C"]),
        ("answer (B) is it", ["B"]),
        ("B isn't managed", ["B"]),
        ("It's D", ["D"]),
        ("You can eliminate A, since it needs a cluster.", ["A"]),
        ("The answer is B.", ["B"]),
        ("Correct answer: B", ["B"]),
        ("It should be C.", ["C"]),
        ("My answer was D", ["D"]),
        ("I got B", ["B"]),
        ("Isn't it B?", ["B"]),
        ("**B** is right", ["B"]),
        ("_B_ is right", ["B"]),
        ("Option **C** is wrong", ["C"]),
        ('"B" is right', ["B"]),
        ("**A** is right", ["A"]),
        ("B scales", ["B"]),
        ("B uses Dataflow", ["B"]),
        ("B also works", ["B"]),
        ("B vs C", ["B", "C"]),
        ("the key says B", ["B"]),
        ("b is right", ["B"]),
        ("a is clearly wrong", ["A"]),
        ("the answer is c", ["C"]),
        ("I chose d", ["D"]),
        ("option a is cheaper", ["A"]),
        ("both (A) and (C)", ["A", "C"]),
        ("A, B and D all move data", ["A", "B", "D"]),
        ("I agree with B. So A.", ["A", "B"]),
        ("my argument against A falls", ["A"]),
        ("Option A retrains on a schedule", ["A"]),
        ("B’s latency is too high", ["B"]),
        ("C: yes\nA: no", ["A", "C"]),
        ("Ich würde B nehmen", ["B"]),
    ],
)
def test_a_bare_letter_is_found(text, letters):
    assert bare_letters(text) == letters


@pytest.mark.parametrize(
    "text",
    [
        "A cluster is not needed here.",
        "A simple rule helps.",
        "Plan B would cost more",
        "Vitamin C",
        "Use `B is right` in code",
        "```\nB is right\n```",
        "AB tests and GPUs",
        "I would take {option:2}",
        "C++ is fast, C# too",
        "The letter of the documentation",
        "Grade I is fine",
        "With a TPU it takes 2 hours",
        "A /29 gives 8 addresses",
        "A GPU is dear. A wrong choice, too.",
        "It scales. A “managed” one does not.",
        "An A/B test is needed, and A/B testing takes weeks",
        "The B-tree, the F1 score, C/C++",
        "The C API, written in C",
        "Classes A and B are unbalanced",
        "D'après la page, C'est bon",
        "where b is the bias and c is a constant",
        "I answer a question, and an option a team picks",
        "the U.S.A. and A.I.",
        "model_B and B_2",
        "See https://a.example/B/C for it",
    ],
)
def test_letters_that_name_no_option_are_left_alone(text):
    assert bare_letters(text) == []


def test_a_lower_case_letter_is_replaced_as_well():
    assert name_options("b is wrong, **B**!", {"B": 2}) == "{option:2} is wrong, **{option:2}**!"


def test_letters_that_name_options_are_replaced_and_others_stay():
    text = "B is right and A is wrong. A cluster helps. `B is`"
    assert name_options(text, {"B": 3, "A": None}) == "{option:3} is right and A is wrong. A cluster helps. `B is`"


def test_referenced_slots_are_listed_in_order_and_code_is_ignored():
    assert option_slots("{option:3} {option:1} {option:3} `{option:2}`") == [3, 1]


def test_options_are_quoted_as_plain_text():
    assert option_words({"1": "Use <code>a &lt; b</code>", "2": "<p>Two</p>\n<p>parts</p>"}) == {
        1: "Use a < b",
        2: "Two parts",
    }


def test_the_same_words_have_the_same_fingerprint_however_formatted():
    assert fingerprint("Buy  it, NOW!") == fingerprint("buy it now")
    assert fingerprint("buy it now") != fingerprint("buy it later")


def test_nearly_identical_texts_share_most_hashes_and_others_none():
    text = "the quick way to remember this is that recall belongs to the cost of missing something"
    near = set(shingle_values(text)) & set(shingle_values(text.replace("quick", "fast")))
    assert len(near) >= 4
    assert not set(shingle_values(text)) & set(shingle_values("feature stores keep training and serving alike"))
    assert len(shingle_values("one word")) == 1
    assert shingle_values("") == []
