"""Check that forbidden content in a text is found and that text which only resembles it passes."""

import pytest

from questions.lint.rules import REFUSE, WARN, lint
from questions.lint.rules.prose import dead_links
from tests.questions.lint.finding import KNOWN, found
from tests.support.bank import changed, draft


def rules_of(text: str, field: str = "trap") -> set[str]:
    return {rule for rule, where in found(changed(draft(1), **{field: text}), KNOWN) if where == field}


@pytest.mark.parametrize(
    "text",
    [
        "Use {{pipelines}} here.",
        "Use {{ }} here.",
        "TODO: say why.",
        "See TBD.",
        "Lorem ipsum dolor sit amet.",
        "Option text",
        "[insert the reason]",
        "Because ???",
        "{% if x %}",
    ],
)
def test_leftover_markup_is_refused(text):
    assert ("leftover", REFUSE, "trap") in {
        (p.rule, p.severity, p.field) for p in lint(changed(draft(1), trap=text), KNOWN)
    }


@pytest.mark.parametrize(
    "text",
    [
        "Airflow fills in `{{ ds }}` each day.",
        "```\nx = '{{ ds }}'  # TODO\n```",
        "To do this, read the option text aloud.",
        "A list of todos grows.",
        "An [optional] part.",
    ],
)
def test_code_and_plain_words_are_not_leftovers(text):
    assert "leftover" not in rules_of(text)


@pytest.mark.parametrize("text", [r"So $\foo{x}$ grows.", "$$\\frac{1}{2$$", "By $10%$ a year"])
def test_a_formula_that_cannot_be_drawn_is_refused(text):
    assert ("formula", REFUSE, "trap") in {
        (p.rule, p.severity, p.field) for p in lint(changed(draft(1), trap=text), KNOWN)
    }


@pytest.mark.parametrize("text", [r"So $\frac{1}{2}$ grows.", "$5 and $7 a month", r"`$\foo$`", r"\$\foo\$"])
def test_formulas_and_money_are_not_refused(text):
    assert "formula" not in rules_of(text)


@pytest.mark.parametrize("text", ["Bayes: $P(A \\mid B) = P(A)$", "$x^{{2}}$ grows.", "By $[a](b)$ we mean both."])
def test_signs_in_a_formula_are_no_prose(text):
    assert not {"letter", "leftover", "link"} & set(rules_of(text))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[page]()", ""),
        ("[page](guide.html)", "guide.html"),
        ("[page](#part)", "#part"),
        ("[m](/exams/abc/modules/1-nothing/)", "1-nothing"),
        ("[d](/exams/abc/domains/d9/)", "d9"),
        ("[e](/exams/nowhere/)", "nowhere"),
    ],
)
def test_broken_links_are_refused(text, named):
    assert any(named in each for each in dead_links(text, KNOWN))
    assert "link" in rules_of(text)


@pytest.mark.parametrize(
    "text",
    [
        "[page](https://docs.example/page)",
        "[m](/exams/abc/modules/1-data/)",
        "[m](/exams/abc/modules/1-data/#part)",
        "[d](/exams/abc/domains/d2/)",
        "[e](/exams/xyz/questions/)",
        "[about](/about/)",
        "`row[0](x)` calls it",
        "an array [1] (of one)",
    ],
)
def test_working_links_pass(text):
    assert "link" not in rules_of(text)


def test_without_an_exam_only_a_bad_address_is_refused():
    assert list(dead_links("[m](/exams/abc/modules/1-nothing/)")) == []
    assert list(dead_links("[m](guide.html)"))


def test_an_image_needs_alt_text():
    assert "image-alt" in rules_of("![](https://e.example/x.png)")
    assert "image-alt" not in rules_of("![A curve that falls](https://e.example/x.png)")
    assert "image-alt" not in rules_of("Wow! [](https://e.example/)")


@pytest.mark.parametrize(
    "text",
    [
        "This option is incorrect because it is slow.",
        "It is important to note that costs rise.",
        "None of the other options helps.",
        "Data plays a crucial role.",
        "The correct answer is correct.",
    ],
)
def test_boilerplate_gets_a_warning(text):
    assert "boilerplate" in rules_of(text)


@pytest.mark.parametrize("text", ["The note is important to the auditor.", "This is slow because it copies rows."])
def test_original_prose_is_not_boilerplate(text):
    assert "boilerplate" not in rules_of(text)


@pytest.mark.parametrize(
    "text",
    [
        "As in the Xyz Associate Cloud Engineer exam.",
        "This is asked in XYZ too.",
        "A Professional Cloud Architect knows.",
        "It belongs to Moving Data.",
    ],
)
def test_another_exam_or_domain_gets_a_warning(text):
    assert "wrong-name" in rules_of(text)


@pytest.mark.parametrize(
    "text",
    [
        "The Abc Professional Data Engineer exam.",
        "It belongs to Storing Data.",
        "Moving data is slow.",
        "`XYZ` is set.",
    ],
)
def test_the_exams_own_names_and_plain_words_pass(text):
    assert "wrong-name" not in rules_of(text)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Old Suite Pipes run it.", ["Old Suite Pipes", "New Pipes"]),
        ("Old Suite runs it.", ["Old Suite", "New Suite"]),
        ("New Pipes (formerly Old Suite Pipes) run it.", []),
        ("`Old Suite` stands in the code.", []),
        ("Plain, in Old Suites.", []),
    ],
)
def test_a_products_former_name_needs_the_current_one_beside_it(text, named):
    messages = [p.message for p in lint(changed(draft(1), trap=text), KNOWN) if p.rule == "former-name"]
    assert [all(f"“{name}”" in message for name in named) for message in messages] == [True] * bool(named)


def test_a_warnings_message_says_that_it_is_a_warning():
    severities = {p.rule: p.severity for p in lint(changed(draft(1), trap="Old Suite needs it."), KNOWN)}
    assert severities["former-name"] == WARN
