"""Check that each part of an answer says something new and that each question names the section that teaches it."""

from __future__ import annotations

import dataclasses

import pytest

from questions.lint.rules import Known
from questions.lint.rules.restated import RESTATED, overlap
from questions.versions.rules.draft import DraftQuestion
from tests.questions.lint.finding import KNOWN, found
from tests.support.bank import changed, draft

SAID = "Copy the adopted version into the country's own project and use the copy there."
OTHER = "Independence means that nothing needed for a deployment is stored at headquarters."


def restated(question: DraftQuestion) -> set[str]:
    return {field for rule, field in found(question) if rule == "restated"}


@pytest.mark.parametrize("field", ["quick_answer", "explanation", "principle", "takeaway"])
def test_a_text_that_restates_another_is_found(field: str) -> None:
    other = "explanation" if field != "explanation" else "principle"
    question = changed(draft(1), **{field: SAID, other: f"{OTHER} {SAID} {OTHER}"})
    assert restated(question) == {field}


def test_only_a_right_options_reason_counts_as_restating() -> None:
    question = changed(draft(1), explanation=f"{OTHER} {SAID}")
    for place, wanted in ((0, {"options"}), (1, set())):
        options = list(question.options)
        options[place] = dataclasses.replace(options[place], why=SAID)
        assert restated(changed(question, options=tuple(options))) == wanted


def test_a_question_is_reported_once_at_its_worst_pair() -> None:
    less = f"{SAID} {OTHER}"
    assert overlap(less, SAID) < overlap(SAID, less)
    assert restated(changed(draft(1), quick_answer=SAID, takeaway=less, principle=SAID)) == {"quick_answer"}


def test_words_scattered_over_several_sentences_are_not_a_restatement() -> None:
    scattered = "Copy it. The adopted one matters. A version has a country. Own the project. Use nothing else there."
    assert overlap(SAID, scattered) < RESTATED
    assert restated(changed(draft(1), takeaway=SAID, explanation=scattered)) == set()


def test_a_longer_text_does_not_restate_the_short_one_in_it() -> None:
    assert overlap(SAID, f"{OTHER} {SAID}") == 1
    assert overlap(f"{OTHER} {SAID}", SAID) < RESTATED


def test_overlap_is_the_share_of_words_repeated_counted_by_sentence() -> None:
    assert overlap("Red apples grow. Blue pears fall.", "Red apples fall.") == pytest.approx(3 / 6)
    assert overlap("", "Red apples.") == overlap("Red apples.", "") == 0


def test_texts_with_too_few_words_to_compare_pass() -> None:
    assert restated(changed(draft(1), takeaway="Use the copy.", principle="Use the copy.")) == set()


@pytest.mark.parametrize(("modules", "is_found"), [((), True), (("data",), True), (("data#part",), False)])
def test_a_question_must_name_a_section_of_a_module(modules: tuple[str, ...], is_found: bool) -> None:
    assert (("module-section", "modules") in found(changed(draft(1), modules=modules), KNOWN)) is is_found


def test_no_section_is_needed_in_an_exam_without_modules_or_for_a_draft_on_its_own() -> None:
    assert KNOWN.names is not None
    bare = dataclasses.replace(KNOWN, names={**KNOWN.names, "modules": set()})
    for known in (bare, Known()):
        assert "module-section" not in {rule for rule, _ in found(draft(1), known)}
