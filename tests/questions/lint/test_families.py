"""Check the lint rules for families, each with a sound family and a faulty one."""

import dataclasses

import pytest

from questions.lint.rules import near_duplicates, repeated_sentences
from questions.lint.rules.bank.families import lint_families
from questions.lint.rules.bank.targets import lint_bank
from questions.versions.rules.family import shared_of, with_shared
from tests.questions.lint.finding import an_exam, found
from tests.support.bank import changed, draft
from tests.support.variants import variants


def change_option(question, slot, **fields):
    return changed(
        question, options=tuple(dataclasses.replace(o, **fields) if o.slot == slot else o for o in question.options)
    )


def beside(questions):
    return {(question.key, problem.rule, problem.field) for question, problem in lint_families(questions)}


def test_a_sound_family_has_no_findings():
    family = variants()
    assert beside(family) == set()
    assert [found(each) & {("clause", "clause"), ("right-if", "options")} for each in family] == [set()] * 3


@pytest.mark.parametrize("clause", ["", "Words that stand nowhere.", "one"])
def test_the_stem_must_hold_the_clause_exactly_once(clause):
    stem = "Team one runs one plain job. What is it to do?"
    assert ("clause", "clause") in found(changed(variants()[0], clause=clause, stem=stem))


def test_a_single_question_needs_no_clause_and_no_right_if():
    assert not {rule for rule, _ in found(draft(1))} & {"clause", "right-if"}


def test_each_wrong_option_must_say_when_it_would_be_right():
    question = change_option(variants()[0], 3, right_if="")
    assert ("right-if", "options[2].right_if") in found(question)
    assert ("right-if", "options[2].right_if") in found(changed(question, family="", clause=""))
    assert "right-if" not in {rule for rule, _ in found(change_option(question, 3, never="A misconception."))}
    assert "right-if" not in {rule for rule, _ in found(change_option(variants()[0], 1, right_if=""))}


def test_at_most_one_option_may_be_never_right():
    once = change_option(variants()[0], 3, right_if="", never="A misconception.")
    assert "right-if" not in {rule for rule, _ in found(once)}
    twice = change_option(once, 4, right_if="", never="Another misconception.")
    assert ("right-if", "options[3].never") in found(twice)


def test_siblings_must_have_different_keys():
    one, two, _ = variants()
    options = tuple(dataclasses.replace(o, right=o.slot == 1) for o in two.options)
    assert beside([one, changed(two, options=options)]) == {("q1-2", "family-key", "options")}


@pytest.mark.parametrize(
    ("field", "value"),
    [("pool", "reserved"), ("domain", "d2"), ("kind", "multiple"), ("stem", "Another. Need 2 of 1 decides it.")],
)
def test_siblings_must_share_all_but_the_clause_and_what_follows_from_it(field, value):
    one, two, _ = variants()
    assert beside([one, changed(two, **{field: value})]) == {("q1-2", "family-shared", field)}


@pytest.mark.parametrize("field", ["text", "tempts", "right_if", "concept"])
def test_siblings_must_have_the_same_options(field):
    one, two, _ = variants()
    assert beside([one, change_option(two, 4, **{field: "Other"})]) == {("q1-2", "family-shared", "options")}
    assert beside([one, change_option(two, 4, why="Other")]) == set()


def test_an_option_marked_never_right_cannot_be_a_key():
    family = [change_option(each, 2, right_if="", never="A misconception.") for each in variants()]
    assert beside(family) == {("q1-2", "family-never", "options[1].never")}


def test_a_family_of_five_is_reported_as_large():
    family = [changed(variants()[0], key=f"q1-{n}") for n in range(5)]
    assert ("q1-0", "family-size", "family") in beside(family)
    assert "family-size" not in {rule for _, rule, _ in beside(family[:4])}


def test_a_right_if_about_another_siblings_clause_is_reported():
    shelves, ovens = "Wooden shelves creak beneath heavy encyclopedias.", "Bakers heat stone ovens before sunrise."
    one, two, _ = (changed(each, options=variants()[i].options) for i, each in enumerate(variants()))
    one = changed(one, clause=shelves, stem=f"A. {shelves}")
    two = changed(two, clause=ovens, stem=f"A. {ovens}")
    right = shared_of(change_option(change_option(one, 1, right_if="Encyclopedias are heavy."), 2, right_if="Ovens."))
    wrong = shared_of(change_option(one, 1, right_if="The bakers' ovens are hot at sunrise."))
    assert beside([with_shared(one, right), with_shared(two, right)]) == set()
    family = [with_shared(each, dataclasses.replace(wrong, stem="A. {clause}")) for each in (one, two)]
    assert ("q1-1", "right-if-clause", "options[0].right_if") in beside(family)


def test_siblings_may_repeat_each_other_but_other_questions_may_not():
    family = variants()
    assert list(repeated_sentences(family)) == []
    assert list(near_duplicates(family)) == []
    copy = [changed(each, key=f"copy-{i}", family="copy") for i, each in enumerate(family)]
    assert {problem.rule for _, problem in repeated_sentences([*family, *copy])} == {"repeated"}
    assert [question.key for question, _ in near_duplicates([*family, *copy])] == ["copy-0"]
    stem = [(q.key, p.message) for q, p in repeated_sentences([*family, *copy]) if p.field == "stem"]
    assert len(stem) == len(set(stem))


def test_the_exams_own_closing_question_may_be_repeated():
    stems = ("Ships wait. Which two actions should you take?", "Trains run. Which two actions should you take?")
    assert list(repeated_sentences(changed(draft(n), stem=stem) for n, stem in enumerate(stems))) == []
    stems = ("The ships wait long in the harbour.", "The ships wait long in the harbour.")
    assert len(list(repeated_sentences(changed(draft(n), stem=stem) for n, stem in enumerate(stems)))) == 1


def test_a_family_fills_one_place_in_a_mock():
    exam = an_exam(unseen_mocks=1)
    lone = [draft(n, "d1", "reserved") for n in range(3)] + [draft(n, "d2", "reserved") for n in range(3, 9)]
    family = variants(50, size=2, pool="reserved")

    def has_three(questions):
        found = (problem for problem in lint_bank(questions, exam) if problem.rule == "blueprint-counts")
        return any(problem.message.startswith("d1: 3 reserved questions") for problem in found)

    assert has_three(lone)
    assert not has_three([*lone, family[0]])
    assert has_three([*lone[1:], *family])


def test_shared_parts_can_be_copied_from_one_question_to_another():
    one, two, three = variants()
    assert shared_of(one) == shared_of(two) == shared_of(three)
    assert with_shared(two, shared_of(one)) == two
    new = dataclasses.replace(shared_of(one), stem="New. {clause}", pool="reserved")
    got = with_shared(two, new)
    assert (got.stem, got.pool, got.right_slots) == (f"New. {two.clause}", "reserved", (2,))
    assert [o.why for o in got.options] == [o.why for o in two.options]
    more = dataclasses.replace(new, options=(*new.options, dataclasses.replace(new.options[0], slot=5, text="Fifth")))
    assert with_shared(two, more).options[4].why == ""


@pytest.mark.parametrize(("lone", "fails"), [(1, False), (2, True)])
def test_most_questions_must_be_in_families(lone, fails):
    bank = [*variants(), *(changed(each, family="more") for each in variants())][:5]
    bank += [draft(20 + n) for n in range(lone)]  # 5 of 6 are 83%, 5 of 7 are 71%
    assert ("family-share" in {each.rule for each in lint_bank(bank, an_exam(in_families=80))}) == fails


def test_a_family_of_one_or_five_does_not_count_as_a_family():
    one, many = variants()[:1], [changed(variants()[0], key=f"q{n}") for n in range(5)]
    for bank in (one, many):
        assert "family-share" in {each.rule for each in lint_bank(bank, an_exam(in_families=1))}


@pytest.mark.parametrize(("least", "fails"), [(50, False), (51, True)])
def test_enough_public_families_must_have_three_questions(least, fails):
    wide, narrow = variants(), [changed(each, family="narrow") for each in variants()[:2]]
    reserved = [changed(each, family="reserved", pool="reserved") for each in variants()]
    found = lint_bank([*wide, *narrow, *reserved], an_exam(wide_families=least))
    assert ("wide-families" in {each.rule for each in found}) == fails
