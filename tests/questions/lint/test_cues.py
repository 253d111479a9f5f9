"""Check the rules for cues to the key and for faulty sets of options, each with a good and a bad example."""

import dataclasses

import pytest

from questions.versions.rules.draft import DraftClue
from tests.questions.lint.finding import found, with_options
from tests.support.bank import changed

FOUR = ("Read the tables", "Stop the jobs", "Copy the files", "Send the logs")


def rules(question):
    return {rule for rule, _ in found(question)}


def clue(phrase):
    return (DraftClue(phrase, "Because.", (1,)),)


@pytest.mark.parametrize(
    ("phrase", "texts", "told"),
    [
        ("depot figures add up", ("Reconcile depot figures", *FOUR[1:]), True),
        ("depot figures add up", ("Reconcile depot figures", "Send depot figures", *FOUR[2:]), False),
        ("depot figures add up", ("Reconcile the hierarchy", *FOUR[1:]), False),
        ("the depots run short", ("Reconcile depots", *FOUR[1:]), False),
    ],
)
def test_a_clue_that_recurs_in_the_key_alone_is_reported(phrase, texts, told):
    question = with_options(*texts, stem=f"The {phrase} each day. What should you do?", clues=clue(phrase))
    assert (("echo", "clues[0].phrase") in found(question)) == told


@pytest.mark.parametrize(
    ("clause", "told"),
    [("", True), ("The depot figures add up each day.", True), ("Twice they fell short.", False)],
)
def test_words_a_whole_family_shares_are_not_an_echo(clause, told):
    stem = "The depot figures add up each day. Twice they fell short. What should you do?"
    phrase = clue("depot figures add up")
    question = with_options("Reconcile depot figures", *FOUR[1:], stem=stem, clause=clause, clues=phrase)
    assert ("echo" in rules(question)) == told


@pytest.mark.parametrize("verb", ["keeps", "takes", "puts", "gives", "comes"])
def test_a_verb_with_little_meaning_is_not_a_clue(verb):
    clause = f"Each depot {verb} some among itself."
    texts = (f"Stop what {verb} the tables among them", *FOUR[1:])
    question = with_options(*texts, clause=clause, stem=f"Your team plans. {clause} What should you do?")
    assert "clause-words" not in rules(question)


@pytest.mark.parametrize(
    ("clause", "told"),
    [
        ("A second person has to approve what the repository holds.", True),
        ("Last time nobody noticed what had been changed, and the auditors ask who agreed.", False),
        ("", False),
    ],
)
def test_a_clause_that_shares_words_with_the_key_alone_is_reported(clause, told):
    options = ("Keep prompts in a repository", "Keep prompts in a table", *FOUR[2:])
    question = with_options(*options, clause=clause, stem=f"Your team tests prompts. {clause} What should you do?")
    assert (("clause-words", "clause") in found(question)) == told
    shared = changed(question, stem=f"Your team has a repository. {clause} What should you do?")
    assert "clause-words" not in rules(shared)


@pytest.mark.parametrize(
    ("key", "other", "told"),
    [
        ("Set the limit to 5", "Stop the jobs", True),
        ("Set the limit to 5", "Stop 3 jobs", False),
        ("Set `limit`", "Stop the jobs", True),
        ("Set `limit`", "Stop `jobs`", False),
        ("Usually set the limit", "Stop the jobs", True),
        ("Usually set the limit", "Often stop the jobs", False),
        ("Set a limit (by day)", "Stop the jobs", True),
        ("Set a limit (by day)", "Stop jobs (by hand)", False),
        ("Call persist() on the rows", "Stop the jobs", False),
        ("Call set_caching(False) on the task", "Stop the jobs", False),
        ("Set the limit", "Stop 3 jobs", False),
        ("Hash it with SHA256", "Stop the jobs", False),
        ("Set stage_1_result on the job", "Stop the jobs", False),
        ("Hash it twice with SHA256, 3 times at most", "Stop the jobs", True),
    ],
)
def test_detail_that_only_the_key_has_is_reported(key, other, told):
    assert ("only-key" in rules(with_options(key, other, *FOUR[2:]))) == told


def test_detail_that_only_one_of_two_keys_has_is_not_a_cue():
    assert "only-key" not in rules(with_options("Set it to 5", *FOUR, right=(1, 2)))
    assert "only-key" in rules(with_options("Set it to 5", "Stop 3 jobs", *FOUR[1:], right=(1, 2)))


@pytest.mark.parametrize(
    ("texts", "right", "told"),
    [
        (("Choose an appropriate table", *FOUR[1:]), 1, True),
        (("Choose an appropriate table", *FOUR[1:]), 2, False),
        (("Choose the daily table", *FOUR[1:]), 1, False),
        (("Set `optimal`", *FOUR[1:]), 1, False),
    ],
)
def test_a_vague_key_is_reported(texts, right, told):
    assert ("vague-key" in rules(with_options(*texts, right=(right,)))) == told


@pytest.mark.parametrize(
    ("texts", "right", "told"),
    [
        (("Enable caching for the run", "Disable caching for the run", *FOUR[2:]), (1,), True),
        (("Enable caching for the run", "Disable caching for the run", *FOUR[2:]), (3,), False),
        (("Raise the limit", "Lower the limit", "Enable the cache", "Disable the cache"), (1,), False),
        (("Enable caching for the run", "Disable caching for a task", *FOUR[2:]), (1,), False),
        (("Enable caching", "Disable caching", *FOUR[2:], "Wait a day"), (1, 3), False),
    ],
)
def test_a_pair_of_opposites_with_the_key_in_it_is_reported(texts, right, told):
    assert ("opposite-pair" in rules(with_options(*texts, right=right))) == told


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (("A table with a filter", "A view with a filter", "A job with a filter", "Filter the rows"), True),
        (("By reading the log", "By asking the team", "By waiting", "A look at the log"), True),
        (("A table", "A view", "A job", "A log"), False),
        (("A table", "A view", "Stop the job", "Read the log"), False),
        (("A table", "By reading", "In the log", "Stop"), False),
    ],
)
def test_the_only_option_of_another_class_is_reported(texts, told):
    assert ("mixed-classes" in rules(with_options(*texts))) == told


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (("10 minutes", "5 minutes", "60 minutes", "30 minutes"), True),
        (("5 minutes", "10 minutes", "30 minutes", "60 minutes"), False),
        (("80 %", "60 %", "40 %", "20 %"), False),
        (("10 minutes", "5 minutes", "Every day", "30 minutes"), False),
    ],
)
def test_numbers_in_no_order_are_reported(texts, told):
    assert ("number-order" in rules(with_options(*texts))) == told


def test_two_wrong_options_that_fail_for_the_same_reason_are_reported():
    question = with_options(*FOUR)
    reasons = ("It holds.", "The rows leave the warehouse.", "Rows would leave the warehouse.", "It costs a day.")
    own = ("It holds.", "The rows leave the warehouse.", "Nobody would run it at night.", "It costs a day.")
    for whys, told in ((reasons, True), (own, False)):
        options = [dataclasses.replace(o, why=why) for o, why in zip(question.options, whys, strict=True)]
        assert (("same-misconception", "options[2].why") in found(changed(question, options=tuple(options)))) == told


def test_two_wrong_options_with_the_same_misconception_are_reported():
    question = with_options(*FOUR)
    never = ("", "That accuracy serves rare classes.", "Accuracy serves rare classes.", "That loss is bounded.")
    options = [
        dataclasses.replace(o, never=each, why=f"Reason {o.slot} of {o.text}.")
        for o, each in zip(question.options, never, strict=True)
    ]
    assert "same-misconception" in rules(changed(question, options=tuple(options)))
    options[2] = dataclasses.replace(options[2], never="That a cache is a copy.")
    assert "same-misconception" not in rules(changed(question, options=tuple(options)))


TIED = ("Create a resource connection", "Grant rights to the connection's resource")


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        ((*TIED, "Stop the jobs", "Copy the files", "Send the logs"), True),
        ((*TIED, "Copy the daily files", "Zip the daily files", "Send the logs"), False),
        ((*TIED, "Copy the connection of the resource", "Stop the jobs", "Send the logs"), False),
        (("Create a connection", "Grant the rights", "Stop the jobs", "Copy the files", "Send the logs"), False),
    ],
)
def test_right_options_are_reported_if_only_they_belong_together(texts, told):
    assert ("one-combination" in rules(with_options(*texts, right=(1, 2)))) == told
    assert "one-combination" not in rules(with_options(*texts, right=(1,)))
