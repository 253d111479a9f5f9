"""Check that each rule finds the faults it is meant to find and reports nothing in a sound question."""

import dataclasses

import pytest

from questions.catalogue.rules.glossary import Term, UnknownTerm, expand
from questions.catalogue.rules.sources import Source
from questions.lint.rules import REFUSE, WARN, lint, repeated_sentences
from questions.versions.rules.draft import DraftClue
from tests.support.bank import changed, draft

LONG = "word " * 200


def found(question):
    return {(problem.rule, problem.severity, problem.field) for problem in lint(question)}


def with_option(question, i, **fields):
    options = list(question.options)
    options[i] = dataclasses.replace(options[i], **fields)
    return changed(question, options=tuple(options))


@pytest.mark.parametrize("kind", ["single", "multiple"])
def test_a_sound_question_has_no_findings(kind):
    assert not [problem for problem in lint(draft(1, kind=kind)) if problem.severity == REFUSE]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (with_option(draft(1), 1, right=True), ("key-count", REFUSE, "options")),
        (with_option(draft(1), 0, right=False), ("key-count", REFUSE, "options")),
        (changed(draft(1), options=draft(1).options[:3]), ("option-count", REFUSE, "options")),
        (changed(draft(1), stem="Lamps. Choose two."), ("choose-count", REFUSE, "stem")),
        (changed(draft(1, kind="multiple"), stem="Lamps. Choose three."), ("choose-count", REFUSE, "stem")),
        (with_option(draft(1), 1, slot=1), ("slots", REFUSE, "options")),
        (with_option(draft(1), 1, slot=15), ("slots", REFUSE, "options")),
        (with_option(draft(1), 1, text="Thing 1 of 1!"), ("option-twice", REFUSE, "options[1].text")),
        (with_option(draft(1), 2, why=""), ("missing", REFUSE, "options[2].why")),
        (with_option(draft(1), 2, tempts=" "), ("missing", REFUSE, "options[2].tempts")),
        (changed(draft(1), trap=""), ("missing", REFUSE, "trap")),
        (changed(draft(1), exam_tips=()), ("missing", REFUSE, "exam_tips")),
        (changed(draft(1), sources=()), ("source", REFUSE, "sources")),
        (changed(draft(1), sources=(Source("Page", "https://e.example", None),)), ("undated", WARN, "sources[0]")),
        (with_option(draft(1), 0, text="All of the above"), ("all-or-none", REFUSE, "options[0].text")),
        (changed(draft(1), clues=(DraftClue("not there", "Why.", (1,)),)), ("clue", REFUSE, "clues[0].phrase")),
        (changed(draft(1), clues=(DraftClue("deciding words", "Why.", (9,)),)),
         ("clue-confirms", REFUSE, "clues[0].confirms")),
        (changed(draft(1), explanation=LONG), ("length", WARN, "explanation")),
        (with_option(draft(1), 0, why=LONG), ("length", WARN, "options[0].why")),
        (changed(draft(1), stem="Which one?"), ("stem-short", WARN, "stem")),
        (changed(draft(1), stem=LONG), ("stem-length", WARN, "stem")),
    ],
)  # fmt: skip
def test_each_rule_finds_its_example(question, expected):
    assert expected in found(question)


@pytest.mark.parametrize(("count", "told"), [(44, "stem-short"), (45, ""), (130, ""), (131, "stem-length")])
def test_a_stem_has_45_to_130_words(count, told):
    stem = " ".join(["word"] * count)
    rules = {rule for rule, _, _ in found(changed(draft(1), stem=stem))}
    assert rules & {"stem-short", "stem-length"} == ({told} if told else set())


@pytest.mark.parametrize("text", ["Option B fails.", "See answer C", "As in (D)", "B is wrong here", "choices A and B"])
def test_references_to_option_letters_are_found(text):
    assert ("letter", REFUSE, "trap") in found(changed(draft(1), trap=text))


@pytest.mark.parametrize(
    "text",
    [
        "A model is trained.",
        "Option pricing is hard.",
        "Plan B of the team",
        "Use a C library",
        "Vitamin C is fine",
        "The answer A/B tests give",
        "One option A-level pupils take",
    ],
)
def test_words_that_only_look_like_letters_pass(text):
    assert "letter" not in {rule for rule, _, _ in found(changed(draft(1), trap=text))}


def test_a_repeated_sentence_is_reported_at_the_later_question_unless_short():
    same = "Nobody at the mill had seen this before."
    one, two, three = (changed(draft(n), trap=same if n < 3 else "What now?", detail="What now?") for n in (1, 2, 3))
    assert [(question.key, problem.field) for question, problem in repeated_sentences([one, two, three])] == [
        ("q2", "trap")
    ]


def test_a_sentence_may_occur_twice_in_one_question():
    same = "Nobody at the mill had seen this before."
    assert not list(repeated_sentences([changed(draft(1), trap=same, detail=same)]))


def test_a_renamed_products_first_mention_in_a_stem_gives_its_former_name():
    glossary = {"pipes": Term("New Pipes", "Old Pipes"), "plain": Term("Plain")}
    assert expand("{{pipes}} and {{ pipes }}, {{plain}}", glossary, introduce=True) == (
        "New Pipes (formerly Old Pipes) and New Pipes, Plain"
    )
    assert expand("{{pipes}}", glossary) == "New Pipes"
    with pytest.raises(UnknownTerm, match="nowhere"):
        expand("{{nowhere}}", glossary)


@pytest.mark.parametrize(
    ("kind", "stem"),
    [
        ("multiple", "Which lamps burn? Choose two."),
        ("multiple", "Teams choose three of ten lamps. Which lamps burn? Select two."),
        ("single", "They may pick two-lamp sets. Which lamp burns?"),
        ("single", "Which lamp burns?"),
    ],
)
def test_a_stem_may_state_the_right_number_of_options_or_no_number(kind, stem):
    assert "choose-count" not in {rule for rule, _, _ in found(changed(draft(1, kind=kind), stem=stem))}
