"""A breakdown says when each wrong option would be right, but withholds this while a sibling is still to come."""

import pytest
from django.template.loader import render_to_string

from questions.desk.publish import publish
from questions.models import Change, Question, QuestionVersion
from questions.versions.reads.breakdowns import breakdown_of, public_order
from questions.versions.rules.family import right_if_kept_back
from questions.versions.save import save_draft
from tests.support.bank import CANARY, NOW, changed, draft
from tests.support.variants import variants

pytestmark = pytest.mark.django_db


def publish_drafts(exam, drafts):
    for place, each in enumerate(drafts):
        publish(save_draft(exam, each, Question(exam=exam, key=each.key, place=place)), NOW, Change.FIRST)
    return list(QuestionVersion.objects.select_related("solution", "question").order_by("question__place"))


def told(version, **how):
    options = breakdown_of(version, public_order(version), 0, **how).options
    return [option.letter for option in options if option.right_if]


def test_each_wrong_option_says_when_it_would_be_right(exam):
    first, second, _ = publish_drafts(exam, variants())
    assert told(first, kept_back=0) == ["B", "C", "D"]
    assert told(second, kept_back=0) == ["A", "C", "D"]


def test_an_upcoming_sibling_withholds_what_makes_its_key_right(exam):
    first, second, third = publish_drafts(exam, variants())
    keys = [version.solution.key_mask for version in (second, third)]
    assert right_if_kept_back(keys) == 0b1100
    assert told(first, kept_back=right_if_kept_back(keys)) == ["D"]
    assert told(first, kept_back=right_if_kept_back(keys[1:])) == ["B", "D"]
    assert told(first, kept_back=right_if_kept_back([])) == ["B", "C", "D"]


def test_without_knowing_what_was_met_right_if_is_withheld_for_families_only(exam):
    assert told(publish_drafts(exam, variants())[0]) == []
    Question.objects.all().update(live_version=None)
    lone = changed(variants(5)[0], family="", clause="", key="lone")
    publish_drafts(exam, [lone])
    assert told(QuestionVersion.objects.get(question__key="lone")) == ["B", "C", "D"]


def test_a_misconception_is_never_withheld(exam):
    options = tuple(
        option if option.slot != 4 else changed(option, right_if="", never="It mistakes one for the other.")
        for option in variants()[0].options
    )
    (version,) = publish_drafts(exam, [changed(variants()[0], options=options)])
    assert breakdown_of(version, public_order(version), 0).options[3].never == "It mistakes one for the other."


def test_an_older_version_has_no_right_if(exam):
    (version,) = publish_drafts(exam, [draft(1)])
    for option in version.solution.text["options"]:
        del option["right_if"], option["never"]
    for html in version.solution.html["options"].values():
        del html["right_if"], html["never"]
    for clue in version.solution.text["clues"]:
        del clue["rules_out"]
    version.solution.save()
    found = breakdown_of(version, public_order(version), 0)
    assert [(option.right_if, option.never) for option in found.options] == [("", "")] * 4
    assert found.clues[0].rules_out == ""


def test_clues_say_what_they_point_to_and_what_they_rule_out(exam):
    one = variants()[0]
    clues = (changed(one.clues[0], confirms=(1,), rules_out=(2, 4)),)
    (version,) = publish_drafts(exam, [changed(one, clues=clues)])
    clue = breakdown_of(version, public_order(version), 0).clues[0]
    assert (clue.confirms, clue.rules_out.split(" and ")) == ("A", ["B", "D"])


def test_the_breakdown_shows_right_if_beside_the_reasons(exam):
    version = publish_drafts(exam, variants())[0]
    found = breakdown_of(version, public_order(version), 0, kept_back=0b100)
    html = render_to_string("questions/_marked.html", {"breakdown": found})
    assert html.count("data-right-if") == 2
    assert f"{CANARY} turn 1 2" not in html
    assert f"{CANARY} turn 1 3" in html
