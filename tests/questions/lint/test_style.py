"""Check the rules for the bank's style and for products that are being discontinued."""

import dataclasses
import datetime as dt

import pytest

from questions.catalogue.rules.glossary import Term, read_glossary
from questions.lint.rules import Known, ModuleSentence, cueing_suspects, lint_bank
from questions.lint.rules.bank.style import names_a_product, place_named, stem_spread
from tests.questions.lint.finding import an_exam, found, with_options
from tests.support.bank import changed, draft

GLOSSARY = {"runner": Term("Cloud Runner", "Old Runner"), "store": Term("Bigstore")}
FOUR = ("Read the tables", "Stop the jobs", "Copy the files", "Send the logs")


def told(questions, **targets):
    return {problem.rule for problem in lint_bank(questions, an_exam(**targets), GLOSSARY)}


def bank(part, rest, share=10):
    """Return forty questions, ``share`` of them made from ``part`` and the others from ``rest``."""
    return [changed(part if n < share else rest, key=f"q{n}") for n in range(40)]


LONG, SHORT = with_options("A much longer option", "S", "Sh", "Sho"), with_options("Short", "A longer one", "S", "Sh")


@pytest.mark.parametrize(("longest", "is_told"), [(2, True), (7, True), (8, False), (12, False), (13, True)])
def test_the_longest_option_must_not_be_the_key_too_often_or_too_rarely(longest, is_told):
    assert ("longest-target" in told(bank(LONG, SHORT, longest), longest_right=(20, 30))) == is_told


def test_the_longest_option_is_checked_only_with_a_target_and_enough_questions():
    assert "longest-target" not in told(bank(LONG, SHORT, 0))
    assert "longest-target" not in told(bank(LONG, SHORT, 0)[:19], longest_right=(20, 30))
    five = with_options("A much longer option", "S", "Sh", "Sho", "Shor")
    assert "longest-target" not in told(bank(five, five), longest_right=(20, 30))


@pytest.mark.parametrize(("low", "high", "is_told"), [(2, 4, False), (3, 3, False), (4, 9, True), (1, 2, True)])
def test_the_median_option_length_is_checked(low, high, is_told):
    three = with_options(*FOUR)
    assert ("option-median" in told(bank(three, three), option_words=(low, high))) == is_told


def test_stems_that_are_all_of_one_length_are_reported():
    same = [changed(draft(n), stem="word " * 90) for n in range(40)]
    spread = [changed(draft(n), stem="word " * (50 + 2 * n)) for n in range(40)]
    assert stem_spread(same) == 0
    assert "stem-spread" in told(same, stem_spread=19)
    assert "stem-spread" not in told(spread, stem_spread=19)
    assert "stem-spread" not in told(same)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Deploy it on Cloud Runner", True),
        ("Deploy it on Old Runner", True),
        ("Deploy it with `min_replicas=0`", True),
        ("Deploy it on Bigstores", False),
        ("Deploy it on a server", False),
    ],
)
def test_options_that_name_a_product_or_setting_are_counted(text, names):
    question = with_options(text, *FOUR[1:])
    assert names_a_product(question, GLOSSARY) == names
    assert ("names-product" in told(bank(question, question), names_product=50)) != names


@pytest.mark.parametrize(
    ("stem", "place"),
    [
        ("A dairy in Portugal keeps logs.", "Portugal"),
        ("An insurer from New Zealand keeps logs.", "New Zealand"),
        ("A team keeps logs in Cloud Runner and in Bigstore.", ""),
        ("A team keeps logs in JSON from `Lisbon`, on Monday.", ""),
        ("Your team keeps logs from May in BigQuery.", ""),
    ],
)
def test_place_names_are_counted(stem, place):
    question = changed(draft(1), stem=stem)
    assert place_named(question, GLOSSARY) == place
    assert ("places" in told(bank(question, question), places=50)) == bool(place)


def test_stems_that_do_not_address_the_reader_are_counted():
    away, near = changed(draft(1), stem="A team keeps logs."), changed(draft(1), stem="Your team keeps logs.")
    assert "addressed" in told(bank(near, away, 10), addressed=50)
    assert "addressed" not in told(bank(near, away, 30), addressed=50)


ENDS = Known(
    glossary={"old": Term("Lampworks", "Old Lampworks", "deprecated", "Bulbworks", dt.date(2027, 3, 16), "https://e")}
)


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("Lampworks lights the hall.", True),
        ("Old Lampworks lights the hall.", True),
        ("Lampworks, which is deprecated, lights the hall.", False),
        ("Lampworks ends on 16 March 2027.", False),
        ("Lampworks ends in March 2027.", False),
        ("`Lampworks` is a name in the code.", False),
        ("The lamps light the hall.", False),
    ],
)
def test_a_product_that_is_ending_must_be_described_as_such(text, is_told):
    assert (("retired-product", "detail") in found(changed(draft(1), detail=text), ENDS)) == is_told


def test_a_product_that_continues_needs_no_mention():
    known = Known(glossary={"lamps": Term("Lampworks")})
    assert "retired-product" not in {rule for rule, _ in found(changed(draft(1), detail="Lampworks."), known)}


def test_the_glossary_gives_status_successor_and_end_of_a_product(tmp_path):
    path = tmp_path / "glossary.yaml"
    path.write_text(
        "terms:\n  a: {name: A}\n  b: {name: B, status: retired, ends: 2026-08-17, successor: C, source: 'https://e'}\n"
    )
    assert read_glossary(path) == {
        "a": Term("A"),
        "b": Term("B", "", "retired", "C", dt.date(2026, 8, 17), "https://e"),
    }


@pytest.mark.parametrize(("row", "reason"), [("status: gone", "status"), ("status: retired", "source")])
def test_a_status_that_is_unknown_or_without_a_source_is_refused(tmp_path, row, reason):
    path = tmp_path / "glossary.yaml"
    path.write_text(f"terms: {{a: {{name: A, {row}}}}}")
    with pytest.raises(ValueError, match=reason):
        read_glossary(path)


def suspects(*questions):
    others = [changed(draft(n), key=f"other{n}", stem=f"Nothing {n}.") for n in range(100)]
    return [(teller.key, problem.message) for teller, problem in cueing_suspects([*questions, *others])]


KEYED = changed(with_options("Add brass valves and coal gas", *FOUR[1:]), key="keyed", pool="reserved")
TELLS = changed(draft(1), key="teller", explanation="Brass valves let the coal gas in.")


def test_sentences_that_name_most_of_a_key_are_listed_with_public_ones_first():
    hidden = changed(TELLS, key="hidden", pool="reserved")
    assert [key for key, _ in suspects(KEYED, hidden, TELLS)] == ["teller", "hidden"]
    assert "may tell the key of “keyed” (reserved): bras, coal, gas, valv" in suspects(KEYED, TELLS)[0][1]


@pytest.mark.parametrize(
    "teller",
    [
        changed(TELLS, explanation="Brass shines. Coal burns. Gas rises. Valves close."),
        changed(TELLS, explanation="Brass and coal are old."),
        dataclasses.replace(TELLS, family="f"),
    ],
)
def test_scattered_words_too_few_words_and_siblings_pass(teller):
    keyed = dataclasses.replace(KEYED, family=teller.family)
    assert suspects(keyed, teller) == []


def test_a_study_module_is_listed_once_a_question_with_its_most_telling_sentence():
    said = [
        ModuleSentence("modules/lamps", 3, "Brass valves let the coal in."),
        ModuleSentence("modules/lamps", 9, "Brass valves let the coal gas in."),
        ModuleSentence("modules/oil", 4, "Oil burns slowly."),
    ]
    bank = [KEYED, *(changed(draft(n), key=f"other{n}", stem=f"Nothing {n}.") for n in range(100))]
    assert [(teller.key, teller.line) for teller, _ in cueing_suspects(bank, modules=said)] == [("modules/lamps", 9)]
    assert list(cueing_suspects(bank, {("modules/lamps", "keyed")}, said)) == []
