"""Quirks of other systems' files lead to a warning if the item can be kept, and otherwise to a reason."""

from __future__ import annotations

import pytest

from questions.formats.rules.items import Item, Skipped
from questions.formats.rules.reading.pictures import NOT_IN_FILE
from questions.formats.rules.xml.qti2 import BUTTON_LEFT, PASSAGE_LEFT
from tests.questions.formats.finding import found, keys, one

BLACKBOARD = """<?xml version="1.0" encoding="UTF-8"?>
<questestinterop><assessment title="Lamps"><section>
<item maxattempts="0"><itemmetadata><bbmd_asi_object_id>_1_1</bbmd_asi_object_id>
 <bbmd_questiontype>{kind}</bbmd_questiontype><qmd_absolutescore_max>10.0</qmd_absolutescore_max></itemmetadata>
 <presentation><flow class="Block"><flow class="QUESTION_BLOCK"><flow class="FORMATTED_TEXT_BLOCK"><material>
  <mat_extension><mat_formattedtext type="HTML">&lt;p&gt;Which lamps?&lt;/p&gt;</mat_formattedtext></mat_extension>
  </material></flow></flow>
  <flow class="RESPONSE_BLOCK"><response_lid ident="response" rcardinality="{cardinality}" rtiming="No"><render_choice>
   {labels}</render_choice></response_lid></flow></flow></presentation>
 <resprocessing scoremodel="SumOfScores"><outcomes>{outcomes}</outcomes>
  <respcondition title="correct"><conditionvar>{condition}</conditionvar>
   <setvar variablename="SCORE" action="Set">SCORE.max</setvar><displayfeedback linkrefid="correct"/></respcondition>
  <respcondition title="incorrect"><conditionvar><other/></conditionvar>
   <setvar variablename="SCORE" action="Set">0.0</setvar><displayfeedback linkrefid="incorrect"/></respcondition>
 </resprocessing></item></section></assessment></questestinterop>
"""
DECLARED = '<decvar varname="SCORE" vartype="Decimal" defaultval="0" minvalue="0" maxvalue="{}"/>'
LABEL = (
    '<flow_label class="Block"><response_label ident="{}"><flow_mat><material><mattext>{}</mattext></material>'
    "</flow_mat></response_label></flow_label>"
)
EQUALS = '<varequal respident="response" case="No">{}</varequal>'


def blackboard(
    kind: str, options: dict[str, str], condition: str, most: str = "10", cardinality: str = "Single"
) -> str:
    return BLACKBOARD.format(
        kind=kind,
        labels="".join(LABEL.format(*each) for each in options.items()),
        condition=condition,
        outcomes=DECLARED.format(most),
        cardinality=cardinality,
    )


@pytest.mark.parametrize("most", ["10.00000", "0", "", "NaN"])
def test_a_blackboard_item_may_state_its_points(most: str) -> None:
    item = one("qti-1.2", blackboard("Multiple Choice", {"a": "blue", "b": "amber"}, EQUALS.format("b"), most))
    assert (item.stem, item.correct) == ("Which lamps?", [1])


def test_a_blackboard_question_with_several_answers_is_read() -> None:
    named = f"<and>{EQUALS.format('a')}{EQUALS.format('c')}<not>{EQUALS.format('b')}</not></and>"
    options = {"a": "amber", "b": "blue", "c": "red"}
    item = one("qti-1.2", blackboard("Multiple Answer", options, named, cardinality="Multiple"))
    assert item.correct == [0, 2]


@pytest.mark.parametrize(("name", "words"), [("true_false", ["True", "False"]), ("yes_no", ["Yes", "No"])])
def test_blackboards_codes_for_true_and_false_are_read(name: str, words: list[str]) -> None:
    options = {"t": f"{name}.true", "f": f"{name}.false"}
    item = one("qti-1.2", blackboard("Either/Or", options, EQUALS.format("f")))
    assert ([option.text for option in item.options], item.correct) == (words, [1])


def test_an_empty_option_is_left_out_with_a_warning() -> None:
    options = {"a": "blue", "b": "amber", "c": "", "d": "&lt;p&gt;&lt;/p&gt;"}
    item = one("qti-1.2", blackboard("Multiple Choice", options, EQUALS.format("b")))
    assert ([option.text for option in item.options], item.correct) == (["blue", "amber"], [1])
    assert len(item.warnings) == 1


@pytest.mark.parametrize("right", ["c", "b"])
def test_an_empty_option_that_is_right_or_one_of_two_is_not_left_out(right: str) -> None:
    options = {"b": "amber", "c": ""}
    (skipped,) = found("qti-1.2", blackboard("Multiple Choice", options, EQUALS.format(right)))
    assert isinstance(skipped, Skipped)


def test_if_any_of_several_answers_was_enough_all_are_required_with_a_warning() -> None:
    item = one("gift", "Which is a lamp? {=amber =blue ~moss}")
    assert (item.kind, item.correct, len(item.warnings)) == ("multiple", [0, 1], 1)


def test_a_title_that_is_a_sentence_is_read_as_the_question() -> None:
    asked, named = found("gift", "::Which is a lamp?:: {=amber ~moss}\n\n::Q1:: {=amber ~moss}")
    assert isinstance(asked, Item)
    assert (asked.stem, len(asked.warnings)) == ("Which is a lamp?", 1)
    assert isinstance(named, Skipped)


def test_a_question_of_a_moodle_plugin_asks_for_all_the_right_options() -> None:
    text = (
        '<quiz><question type="multichoiceset"><name><text>n</text></name>'
        "<questiontext><text>Which?</text></questiontext>"
        '<answer fraction="100"><text>a</text></answer><answer fraction="0"><text>b</text></answer>'
        '<answer fraction="100"><text>c</text></answer></question></quiz>'
    )
    item = one("moodle-xml", text)
    assert (item.kind, item.correct, item.warnings) == ("multiple", [0, 2], ())


QTI_3 = """<qti-assessment-item xmlns="http://www.imsglobal.org/xsd/imsqtiasi_v3p0" identifier="lamp" title="Lamp">
 <qti-response-declaration identifier="R" cardinality="single" base-type="identifier">
  <qti-correct-response><qti-value>b</qti-value></qti-correct-response></qti-response-declaration>
 <qti-response-declaration identifier="H" cardinality="single" base-type="boolean"/>{before}
 <qti-item-body><qti-choice-interaction response-identifier="R" max-choices="1"><qti-prompt>Which lamp?</qti-prompt>
  <qti-simple-choice identifier="a">red</qti-simple-choice><qti-simple-choice identifier="b">blue</qti-simple-choice>
  </qti-choice-interaction>{after}
  <qti-feedback-block identifier="HINT" outcome-identifier="F" show-hide="show"><qti-content-body>Think of the sea.
  </qti-content-body></qti-feedback-block></qti-item-body></qti-assessment-item>
"""


def test_a_hint_button_is_not_a_second_answer() -> None:
    button = '<p><qti-end-attempt-interaction response-identifier="H" title="Hint"/></p>'
    item = one("qti-3.0", QTI_3.format(before="", after=button))
    assert (item.stem, item.correct, item.explanation) == ("Which lamp?", [1], "Think of the sea.")
    assert item.warnings == (BUTTON_LEFT,)


def test_a_passage_in_another_file_is_reported_missing() -> None:
    passage = '<qti-assessment-stimulus-ref identifier="s" href="night.xml"/>'
    assert one("qti-3.0", QTI_3.format(before=passage, after="")).warnings == (PASSAGE_LEFT.format("night.xml"),)


def test_an_item_that_needs_several_answers_is_skipped_with_the_reason() -> None:
    blank = '<p><qti-text-entry-interaction response-identifier="T"/></p>'
    (skipped,) = found("qti-3.0", QTI_3.format(before="", after=blank * 2))
    assert isinstance(skipped, Skipped)
    assert skipped.kind == "composite"
    assert "1 × choice, 2 × textEntry" in skipped.reason  # noqa: RUF001


def test_an_image_outside_the_file_skips_the_item_and_says_what_to_import() -> None:
    image = '<p><img src="images/lamp.png" alt="A lamp"/></p>'
    (skipped,) = found("qti-3.0", QTI_3.format(before="", after=image))
    assert isinstance(skipped, Skipped)
    assert skipped.reason == NOT_IN_FILE


TEMPLATE = """<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="sum" title="Sum"
 adaptive="false" timeDependent="false"><responseDeclaration identifier="RESPONSE" cardinality="single"
 baseType="identifier"><correctResponse><value>a</value></correctResponse></responseDeclaration>
 {template}<itemBody><p>What is 1 + <printedVariable identifier="X"/>?</p>
 <choiceInteraction responseIdentifier="RESPONSE" maxChoices="1"><simpleChoice identifier="a">2</simpleChoice>
 <simpleChoice identifier="b">3</simpleChoice></choiceInteraction></itemBody></assessmentItem>"""


@pytest.mark.parametrize(
    "template",
    [
        '<templateDeclaration identifier="X" cardinality="single" baseType="integer"/>'
        '<templateProcessing><setTemplateValue identifier="X"><randomInteger min="1" max="9"/></setTemplateValue>'
        "</templateProcessing>",
        '<templateProcessing><setCorrectResponse identifier="RESPONSE"/></templateProcessing>',
    ],
)
def test_a_template_with_random_numbers_is_refused(template: str) -> None:
    assert keys(found("qti-2.1", TEMPLATE.format(template=template))) == ["template"]


@pytest.mark.parametrize(
    ("text", "stem"),
    [
        ("What does <div> do?", "What does <div> do?"),
        ("What is a vector<int>?", "What is a vector<int>?"),
        ("<p>What is a vector<int>?</p>", "What is a vector<int>?"),
        ("Is <b>this</b> bold?", "Is **this** bold?"),
        ("<b>This</b> or the <b> tag?", "<b>This</b> or the <b> tag?"),
        ("<p>One<p>Two", "One\n\nTwo"),
        ("a &lt; b&nbsp;?", "a < b ?"),
        ("One<br>two", "One  \ntwo"),
    ],
)
def test_text_about_html_is_not_treated_as_markup(text: str, stem: str) -> None:
    assert one("gift", f"{text} {{\\=a ~b =c}}".replace("\\=a", "~a")).stem == stem


@pytest.mark.parametrize(
    ("text", "stem"),
    [
        ("What does <div>a block</div> make?", "What does <div>a block</div> make?"),
        ("What does <div></div> make?", "What does <div></div> make?"),
        ("<div>x</div> makes what?", "<div>x</div> makes what?"),
        ("How wide is “<span>x</span>”?", "How wide is “<span>x</span>”?"),
        ("Is <b>this</b> like <div>that</div>?", "Is **this** like <div>that</div>?"),
    ],
)
def test_an_element_named_in_a_sentence_is_kept_with_a_warning(text: str, stem: str) -> None:
    item = one("gift", f"{text} {{=a ~b}}")
    assert (item.stem, len(item.warnings)) == (stem, 1)


@pytest.mark.parametrize("text", ["<div>Which?</div>", "Which<div>lamp?</div>", 'Which <div class="q">lamp?</div>'])
def test_an_element_around_text_is_treated_as_markup(text: str) -> None:
    item = one("gift", f"{text} {{=a ~b}}")
    assert "div" not in item.stem
    assert item.warnings == ()


def test_options_that_differ_only_in_their_tags_are_kept_as_written() -> None:
    item = one("gift", "Which makes a block? {=<div>x</div> ~<span>x</span> ~<b>x</b>}")
    assert [option.text for option in item.options] == ["<div>x</div>", "<span>x</span>", "<b>x</b>"]


def test_tags_may_be_options() -> None:
    item = one("gift", "Which makes a block? {=<div> ~<span> ~<b></b> ~<p></p>}")
    assert [option.text for option in item.options] == ["<div>", "<span>", "<b></b>"]
    assert len(item.warnings) == 1


@pytest.mark.parametrize("answer", ["A, C", "A,C", "A and C", "A C", "a;c."])
def test_several_letters_in_aiken_make_a_multiple_choice_question(answer: str) -> None:
    item = one("aiken", f"Which?\nA. x\nB. y\nC. z\nANSWER: {answer}\n")
    assert (item.kind, item.correct) == ("multiple", [0, 2])


@pytest.mark.parametrize("answer", ["A, D", "AC", "none", "A, C, too"])
def test_an_aiken_answer_that_names_no_option_skips_the_question(answer: str) -> None:
    (skipped,) = found("aiken", f"Which?\nA. x\nB. y\nC. z\nANSWER: {answer}\n")
    assert isinstance(skipped, Skipped)


@pytest.mark.parametrize(
    ("text", "stem", "options"),
    [
        ('What does f"{x}" print? {\n=a number ~nothing\n}', 'What does f"{x}" print?', ["a number", "nothing"]),
        ("What is {}? {~a set =a dict}", "What is {}?", ["a set", "a dict"]),
        ("Which includes a page?\n{\n={% include %}\n~{{ page }}\n}", "Which includes a page?",
         ["{% include %}", "{{ page }}"]),
    ],
)  # fmt: skip
def test_unescaped_braces_are_text_if_one_pair_can_hold_the_answers(text: str, stem: str, options: list[str]) -> None:
    item, other = found("gift", f"{text}\n\n::Next::Which is a lamp? {{=amber ~moss}}")
    assert isinstance(item, Item)
    assert (item.stem, [option.text for option in item.options], len(item.correct)) == (stem, options, 1)
    assert isinstance(other, Item)
    assert other.title == "Next"


@pytest.mark.parametrize(
    "text",
    [
        "One {=a ~b} and {=c ~d} more",  # this has two gaps
        "Which? {=d = {1} ~nothing}",  # the second equals sign could be text
        "Which? {=a ~{b=1}}",
        "Which? {=print('{') ~moss}",
    ],
)
def test_only_items_with_ambiguous_braces_are_refused(text: str) -> None:
    skipped, other = found("gift", f"{text}\n\n::Next::Which is a lamp? {{=amber ~moss}}")
    assert isinstance(skipped, Skipped)
    assert isinstance(other, Item)


def test_an_explanation_in_aiken_belongs_to_its_question() -> None:
    text = "Which is a lamp?\nA. moss\nB. amber\nANSWER: B\nExplanation: It burns\nall night.\n\n"
    first, second = found("aiken", text + "Which is red?\nA. moss\nB. poppy\nANSWER: B\n")
    assert isinstance(first, Item)
    assert isinstance(second, Item)
    assert (first.explanation, second.stem) == ("It burns\nall night.", "Which is red?")


def test_lower_case_letters_name_aiken_options_if_there_are_no_others() -> None:
    small, large = found(
        "aiken",
        "Which is a lamp?\na) moss\nb) amber\nAnswer: b\n\nOf these:\na) moss\nb) amber\nA. only a\nB. both\nANSWER: A",
    )
    assert isinstance(small, Item)
    assert isinstance(large, Item)
    assert ([option.text for option in small.options], small.correct) == (["moss", "amber"], [1])
    assert [option.text for option in large.options] == ["only a", "both"]


BLANK_ROWS = [
    ("aiken", "Which?\nA. moss\nB.\nC. amber\nD)\nANSWER: C\n"),
    ("aiken", "Which?\nA.\nB. moss\nC. amber\nANSWER: C\n"),
    ("aiken", "Which?\na) moss\nb)\nc) amber\nAnswer: c\n"),
    ("text2qti", "1. Which?\na) moss\nb)\n*c) amber\nd) \n"),
    ("text2qti", "1. Which?\nA.\nB. moss\nC. amber\nAnswer: C\n"),
    ("text2qti", "1. Which?\n[ ] moss\n[ ]\n[*] amber\n"),
    ("text2qti", "1. Which?\n\n(a) moss\n(b)\n\n(c) amber\nAns: c\n"),
    ("text2qti", "1. Which?\n- moss\n-\n! amber\n"),
    ("markdown", "# Which?\n- [ ] moss\n- [ ]\n- [x] amber\n"),
]


@pytest.mark.parametrize(("name", "text"), BLANK_ROWS)
def test_a_blank_list_row_is_left_out_with_a_warning_and_not_joined_to_the_next(name: str, text: str) -> None:
    item = one(name, text)
    assert ([option.text for option in item.options], item.correct) == (["moss", "amber"], [1])
    assert (item.stem, len(item.warnings)) == ("Which?", 1)


@pytest.mark.parametrize(
    ("name", "text"),
    [("aiken", "Which?\nA. moss\nB.\nANSWER: B\n"), ("text2qti", "1. Which?\na) moss\n*b)\nc) amber\n")],
)
def test_a_blank_right_row_of_a_list_is_refused(name: str, text: str) -> None:
    (skipped,) = found(name, text)
    assert isinstance(skipped, Skipped)


@pytest.mark.parametrize(
    ("name", "text"),
    [("aiken", "Which?\nA.\nmoss\nB.\namber\nANSWER: B\n"), ("text2qti", "1. Which?\na)\nmoss\n*b)\n  amber\n")],
)
def test_an_option_may_be_on_the_line_below_its_letter(name: str, text: str) -> None:
    item = one(name, text)
    assert ([option.text for option in item.options], item.correct, item.warnings) == (["moss", "amber"], [1], ())


def test_a_letter_out_of_order_is_not_a_blank_option() -> None:
    item = one("aiken", "Which grade is best?\nA. the first, as in\nC.\nB. the second\nANSWER: A\n")
    assert [option.text for option in item.options] == ["the first, as in\nC.", "the second"]


@pytest.mark.parametrize("named", ["option2", "Option_2", "answer B", "choice 2"])
def test_an_option_letter_is_read_with_and_without_a_space(named: str) -> None:
    item = one("csv", f"question,option1,option2,correct_option\nWhich is a lamp?,moss,amber,{named}\n")
    assert item.correct == [1]


@pytest.mark.parametrize("answers", ["= ~b ~c", "=\n~b\n~c", "~b = ~c", "== ~b"])
def test_a_blank_right_answer_in_gift_never_makes_the_next_one_right(answers: str) -> None:
    (skipped,) = found("gift", "Which? {" + answers + "}")
    assert isinstance(skipped, Skipped)


@pytest.mark.parametrize("answers", ["=a ~ ~c", "=a\n~\n~c", "~=a ~c", "=a ~c ~ ~"])
def test_a_blank_wrong_answer_in_gift_is_left_out(answers: str) -> None:
    item = one("gift", "Which? {" + answers + "}")
    assert [(option.text, option.right) for option in item.options] == [("a", True), ("c", False)]
