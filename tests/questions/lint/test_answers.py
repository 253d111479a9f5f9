"""Check the lint rules for clue words and for quick answers and explanations written for a different key."""

import pytest

from questions.versions.rules.draft import DraftClue
from tests.questions.lint.finding import found, with_options
from tests.support.bank import changed, draft

OPTIONS = (
    "Deprecate the image",
    "Delete the image",
    "Move the family to another project",
    "Label the release as broken",
)


def rules(question):
    return {rule for rule, _ in found(question)}


@pytest.mark.parametrize("phrase", ["most likely", "Most cost-effective", "best"])
def test_a_stock_phrase_as_the_only_clue_is_reported(phrase):
    stem = f"A team waits. What is the {phrase} step?"
    stock = DraftClue(phrase, "Why.", (1,))
    assert ("stock-clue", "clues") in found(changed(draft(1), stem=stem, clues=(stock,)))
    own = DraftClue("A team waits", "Why.", (1,))
    assert "stock-clue" not in rules(changed(draft(1), stem=stem, clues=(stock, own)))


def test_a_quick_answer_that_names_the_key_is_left_alone():
    question = with_options(*OPTIONS, quick_answer="Mark the image as deprecated, so that the family resolves anew.")
    assert rules(question).isdisjoint({"names-right", "names-wrong"})


def test_a_quick_answer_written_for_a_different_key_gets_a_warning():
    question = with_options(*OPTIONS, right=(3,), quick_answer="Mark the image as deprecated, and leave it.")
    assert ("names-right", "quick_answer") in found(question)
    question = with_options(*OPTIONS, right=(1,), quick_answer="Move the family over to another project.")
    assert {("names-right", "quick_answer"), ("names-wrong", "quick_answer")} <= found(question)


def test_every_right_option_must_be_named():
    options = (*OPTIONS, "Wait for a day")
    both = "Deprecate the image, and label the broken release."
    assert "names-right" not in rules(with_options(*options, right=(1, 4), quick_answer=both))
    assert ("names-right", "quick_answer") in found(
        with_options(*options, right=(1, 4), quick_answer="Deprecate the image at once.")
    )


def test_an_explanation_may_mention_wrong_options_but_not_call_them_right():
    speaks = "Moving the family to another project changes nothing. Deprecation hides the image."
    assert "names-wrong" not in rules(with_options(*OPTIONS, explanation=speaks, quick_answer="Deprecate it."))
    calls = "Nothing else helps. The right answer is to move the family to another project."
    assert ("names-wrong", "explanation") in found(
        with_options(*OPTIONS, explanation=calls, quick_answer="Deprecate it.")
    )
