"""Check the lint rules that compare questions with each other or look at the whole bank."""

from dataclasses import replace
from decimal import Decimal

import pytest

from questions.catalogue.rules.exam_file import Targets
from questions.catalogue.rules.outline_file import ObjectiveLine, Outline, SectionLine
from questions.lint.rules import lint, lint_bank, lint_outline, near_duplicates, unknown_names
from questions.lint.rules.bank.figures import longest_is_right, longest_right, positions
from questions.lint.rules.bank.targets import reserved_needed
from tests.questions.lint.finding import KNOWN, an_exam, found, with_options
from tests.support.bank import changed, draft
from tests.support.hooks import figures

SCENE = "A mill in the north keeps its readings in one table and wants to know each evening which roller runs hot"


def rules_of(questions, **targets):
    return {problem.rule for problem in lint_bank(questions, an_exam(**targets))}


def spread(number, positions_of_key, **fields):
    """Return this many questions whose keys are in the given positions in turn."""
    return [
        changed(
            with_options(*(f"Thing {i} of {n}" for i in "1234"), right=(positions_of_key[n % len(positions_of_key)],)),
            key=f"q{n}",
            **fields,
        )
        for n in range(number)
    ]


def test_names_unknown_to_the_exam_are_refused():
    question = changed(draft(1), domain="d9", concepts=("c1", "c9"), modules=("nothing",))
    assert {("unknown", "domain"), ("unknown", "concepts"), ("unknown", "modules")} <= found(question, KNOWN)
    assert [p.field for p in unknown_names(draft(1), KNOWN.names)] == []
    assert "unknown" not in {rule for rule, _ in found(question)}


def test_an_objective_that_is_in_no_outline_gives_a_warning():
    question = changed(draft(1), objectives=("1.1.a", "9.9"))
    known = replace(KNOWN, names={**KNOWN.names, "objectives": {"1.1", "1.1.a"}})
    told = [each for each in lint(question, known) if each.rule == "unknown-objective"]
    assert [(each.severity, each.field) for each in told] == [("warn", "objectives[1]")]
    assert "“9.9”" in told[0].message
    assert ("unknown-objective", "objectives[0]") not in found(question, KNOWN), "no outline, nothing to say"


def test_a_section_that_the_module_does_not_have_gives_a_warning():
    known = replace(KNOWN, names={**KNOWN.names, "sections": {"data#01-part"}})
    question = changed(draft(1), modules=("data#01-part", "data#02-part", "data", "gone#01-part"))
    told = [each for each in lint(question, known) if each.rule == "unknown-section"]
    assert [(each.severity, each.field) for each in told] == [("warn", "modules[1]")]
    assert "unknown-section" not in {rule for rule, _ in found(question, KNOWN)}, "no sections, nothing to say"


def test_a_prompt_that_resembles_another_is_reported_at_the_later_of_the_two():
    one = changed(draft(1), stem=f"{SCENE}. Which step helps?")
    two = changed(draft(2), stem=f"{SCENE}. Which of these steps would you take?")
    other = changed(draft(3), stem="A zoo feeds its seals by a plan that nobody has written down. Which step helps?")
    told = [(question.key, problem.message) for question, problem in near_duplicates([one, other, two])]
    assert [key for key, _ in told] == ["q2"]
    assert "“q1”" in told[0][1]


def test_a_phrase_used_in_the_whole_bank_makes_no_near_duplicates():
    questions = [
        changed(draft(n), stem=" ".join(f"w{n}x{i}" for i in range(40)) + " Which of these steps would you take?")
        for n in range(100)
    ]
    assert list(near_duplicates(questions)) == []


def test_many_copies_are_each_reported_once():
    copies = [changed(draft(1), key=f"q{n}", stem=SCENE) for n in range(100)]
    assert len(list(near_duplicates(copies))) == 99


def test_the_longest_option_may_be_right_as_often_as_chance_allows():
    long = with_options("A much longer option", "Short", "Short too", "Shorter")
    short = with_options("Short", "A much longer option", "Short too", "Shorter")
    assert longest_is_right(long)
    assert not longest_is_right(short)
    assert not longest_is_right(with_options("Equal", "Equal", "S", "S"))
    assert "longest-share" in rules_of([long] * 20 + [short] * 20)
    assert "longest-share" not in rules_of([long] * 10 + [short] * 30)
    assert "longest-share" not in rules_of([long] * 10)


def test_the_longest_option_of_multiple_choice_questions_is_compared_with_their_own_chance():
    five = ("A much longer option", "Short", "Short too", "Shorter", "S")
    right, wrong = with_options(*five, right=(1, 2)), with_options(*five, right=(2, 3))
    assert [each.chance for each in longest_right([right])] == [pytest.approx(0.4)]
    assert "longest-share" in rules_of([right] * 30 + [wrong] * 10)
    assert "longest-share" not in rules_of([right] * 16 + [wrong] * 24)


def test_keys_in_one_position_get_a_warning():
    assert "key-positions" in rules_of(spread(40, (2,)))
    assert "key-positions" not in rules_of(spread(40, (1, 2, 3, 4)))
    assert "key-positions" not in rules_of(spread(12, (2,)))


def test_evenly_spread_keys_have_a_chi_square_of_zero_and_each_key_counts():
    even = positions(spread(40, (1, 2, 3, 4)))
    assert [(each.counts, each.chi_square) for each in even] == [((10, 10, 10, 10), 0)]
    both = positions([with_options("a", "b", "c", "d", "e", right=(1, 3))])
    assert [(each.kind, each.options, each.counts) for each in both] == [("multiple", 5, (1, 0, 1, 0, 0))]


def test_the_mix_of_difficulties_and_kinds_is_compared_with_the_target():
    easy = spread(40, (1, 2, 3, 4), difficulty="easy")
    assert "difficulty-mix" in rules_of(easy, difficulty=(30, 45, 25))
    assert "difficulty-mix" not in rules_of(easy)
    mixed = [changed(q, difficulty=["easy", "medium", "medium", "hard"][n % 4]) for n, q in enumerate(easy)]
    assert "difficulty-mix" not in rules_of(mixed, difficulty=(27, 48, 25))
    assert "multiple-share" in rules_of(easy, multiple=22)
    assert "multiple-share" not in rules_of(easy, multiple=5)


def test_reserved_questions_must_fill_the_planned_mocks_under_every_blueprint():
    exam = an_exam(unseen_mocks=2)
    assert reserved_needed(exam) == {"d1": 8, "d2": 12}
    have = [draft(n, "d1", "reserved") for n in range(8)] + [draft(n, "d2", "reserved") for n in range(11)]
    [message] = [p.message for p in lint_bank(have, exam) if p.rule == "blueprint-counts"]
    assert message.startswith("d2: ")
    assert figures(message) == [11, 12]


def test_all_questions_public_ones_and_concepts_are_counted():
    questions = [draft(n) for n in range(3)]
    found = lint_bank(questions, an_exam(questions=4, public=5, public_per_domain=3, concepts=2))
    assert sorted((p.field, figures(p.message)) for p in found) == [
        ("targets.concepts", []), ("targets.concepts", [1, 2]), ("targets.public", [3, 5]),
        ("targets.public_per_domain", [0, 3]), ("targets.questions", [3, 4]),
    ]  # fmt: skip
    assert sorted(key for p in found for key in ("c2", "d2") if key in p.message) == ["c2", "d2"]


def test_the_median_stem_length_is_compared_with_its_limits():
    questions = [changed(draft(n), stem="word " * 70) for n in range(3)]
    assert "stem-median" in rules_of(questions, stem_words=(80, 100))
    assert "stem-median" not in rules_of(questions, stem_words=(60, 90))


def test_a_bank_without_targets_or_questions_has_no_findings():
    assert lint_bank([], an_exam()) == []


def outline(*numbers):
    """Return a guide with these objectives; a number of three parts is a point."""
    lines = tuple(ObjectiveLine(n, n.rpartition(".")[0] if n.count(".") == 2 else "", "", "", ()) for n in numbers)
    return Outline("now", (), {}, (SectionLine("1", "One", Decimal(100), "d1", lines),), {})


def on(n, *objectives, pool="open"):
    return changed(draft(n), key=f"q{n}", objectives=objectives, pool=pool)


GUIDE = outline("1.1", "1.1.a", "1.1.b", "1.2")


def told(questions, guide=GUIDE, **targets):
    found = lint_outline(questions, Targets(**targets), guide)
    return [(problem.field, problem.message.partition(":")[0], figures(problem.message)) for problem in found]


def test_objectives_and_points_with_too_few_questions_are_reported():
    have = [on(1, "1.1.a"), on(2, "1.1.a", "1.1"), on(3, "1.1.b", pool="reserved"), on(4, "1.2", "9.9")]
    assert told(have, per_objective=(3, 2)) == [
        ("targets.per_objective", "1.2", [1, 3]),
        ("targets.per_objective", "1.2", [1, 2]),
    ]
    assert told(have, per_point=2) == [("targets.per_point", "1.1.b", [1, 2])]
    assert told(have) == []


def test_a_question_without_an_objective_is_reported_if_objectives_are_counted():
    have = [on(1, "1.1.a"), on(2)]
    assert [row for row in told(have, per_point=1) if "q2" in row[1]]
    assert told(have) == []


def test_targets_for_a_guide_without_an_outline_are_reported_and_targets_are_optional():
    assert [field for field, *_ in told([on(1)], None, per_point=3)] == ["targets.per_objective"]
    assert told([on(1)], None) == []
