"""Check the rules for options that give the key away, overlap or are too long."""

import pytest

from tests.questions.lint.finding import KNOWN, an_exam, found, with_options
from tests.support.bank import changed, draft

FOUR = ("Read the table", "Copy the bucket", "Train a model", "Stop the job")


def rules(question, known=None):
    return {rule for rule, _ in (found(question, known) if known else found(question))}


@pytest.mark.parametrize(
    "asked",
    [
        "Which step is not needed?",
        "Which of these doesn't help?",
        "All of these hold except which?",
        "Which one is least likely to help?",
        "What should the team not do?",
    ],
)
def test_a_hidden_negation_gets_a_warning(asked):
    assert "negative-stem" in rules(changed(draft(1), stem=f"The team waits. {asked}"))


@pytest.mark.parametrize(
    "asked",
    [
        "Which step is **NOT** needed?",
        "Which step is NOT needed?",
        "Which step costs at least a day?",
        "Which change handles the exception?",
        "Which step explains why the job has not started?",
        "The job does not start. Which step helps?",
        "Which store fits data that does not change?",
        "Which change lets the team reuse what is not new?",
    ],
)
def test_a_positive_or_emphasised_question_passes(asked):
    assert "negative-stem" not in rules(changed(draft(1), stem=f"The team waits. {asked}"))


@pytest.mark.parametrize("word", ["always", "never", "only", "completely", "guarantees"])
def test_an_absolute_word_in_wrong_options_alone_gets_a_warning(word):
    wrong = (f"It {word} reads", *FOUR[1:])
    assert ("absolute", "options[0].text") in found(with_options(*wrong, right=(2,)))
    assert "absolute" not in rules(with_options(*wrong, right=(1,)))
    assert "absolute" not in rules(with_options(f"It `{word}` reads", *FOUR[1:], right=(2,)))
    assert "absolute" not in rules(with_options(f"It is append-{word}", *FOUR[1:], right=(2,)))


@pytest.mark.parametrize(
    ("stem", "options", "where"),
    [
        ("The tool is an", ("index", "bucket", "table", "queue"), "options[1].text"),
        ("The tool is a …", ("bucket", "index", "table", "queue"), "options[1].text"),
        ("The tools are:", ("two buckets", "table", "queues", "topics"), "options[1].text"),
        ("Which one?", ("Read it.", "Copy it", "Train it", "Stop it"), "options"),
        ("Which one?", ("Reading it", "Copy it", "Train it", "Stop it"), "options"),
        ("Which one?", ("`READ` it", "Copy it", "Train it", "Stop it"), "options"),
        ("Which one?", ("read it", "Copy it", "Train it", "Stop it"), "options"),
    ],
)
def test_grammar_that_gives_the_key_away_gets_a_warning(stem, options, where):
    assert ("grammar-cue", where) in found(with_options(*options, stem=stem))


@pytest.mark.parametrize(
    ("stem", "options"),
    [
        ("The tool is a", ("bucket", "table", "queue", "topic")),
        ("Which one?", ("Read it.", "Copy it.", "Train it.", "Stop it.")),
        ("Which one?", ("Read it.", "Copy it.", "Train it", "Stop it")),
        ("Which one?", ("Reading it", "Copying it", "Train it", "Stop it")),
    ],
)
def test_options_of_the_same_form_pass(stem, options):
    assert "grammar-cue" not in rules(with_options(*options, stem=stem))


def test_a_key_that_shares_words_with_every_other_option_gets_a_warning():
    key = "Cache features in Redis near the endpoint"
    others = ("Cache features in Bigtable", "Keep images in Redis", "Move the endpoint near the users")
    assert ("convergence", "options[0].text") in found(with_options(key, *others))
    assert "convergence" not in rules(with_options(key, *others, right=(2,)))


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Export the model", "Export the model to a bucket"),
        ("Export the model to a bucket", "Export the model"),
        ("Export a model", "Export the models"),
    ],
)
def test_overlapping_options_get_a_warning(one, two):
    assert "overlap" in rules(with_options(one, two, "Stop the job", "Read it"))


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("In-order match of the calls", "Any-order match of the calls"),
        ("Set the limit to 5", "Set the limit to 50"),
        ("Export", "Export the model"),
        ("Keep both limits", "Keep one limit"),
    ],
)
def test_options_that_differ_in_substance_pass(one, two):
    assert "overlap" not in rules(with_options(one, two, "Stop the job", "Read it"))


def test_an_item_longer_than_the_official_samples_is_reported():
    exam = an_exam(sample_words=(84, 207))
    known = type(KNOWN)(exam=exam)
    long = with_options(*FOUR, stem="word " * 250)
    assert "reading-load" in rules(long, known)
    assert "reading-load" not in rules(with_options(*FOUR, stem="word " * 200), known)
    assert "reading-load" not in rules(long, KNOWN)


def test_an_option_longer_than_any_in_the_samples_is_reported():
    known = type(KNOWN)(exam=an_exam(sample_option_words=(2, 8)))
    nine = with_options("Read the table again and again until it ends", *FOUR[1:])
    assert "reading-load" in rules(nine, known)
    assert "reading-load" not in rules(with_options("Read the table again and again until end", *FOUR[1:]), known)
    long = with_options(*FOUR, stem="word " * 250)
    assert "reading-load" not in rules(long, type(KNOWN)(exam=an_exam(sample_words=(9, 9), sample_option_words=(2, 8))))
