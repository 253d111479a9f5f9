"""The editor has steps: what a basic question needs is visible, and the rest is folded until a review asks for it."""

from __future__ import annotations

import dataclasses
import re

import pytest
from django.utils import timezone

from questions.desk import decide as desk
from questions.desk.forms.steps import IN_ROWS, STEPS
from questions.desk.reads.editor import find_draft
from questions.lint.rules import BASIC, REFUSE, lint
from questions.models import Desk, Question
from questions.versions.reads.drafts import draft_of
from tests.support.bank import NOW, draft
from tests.support.editing import ADD, LOOK, act, address, browser_of, save, sent
from tests.support.hooks import parsed, told

pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]
LATER = ["clues", "answer", "place", "study"]
BASIC_FIELDS = {
    "domain": "d1", "title": "A queue that grows", "stem": "A queue grows. What should the team do?",
    "options__0__text": "Add a worker", "options__0__right": "on", "options__1__text": "Add a queue",
    "explanation": "A worker takes from it.", "sources__0__title": "own",
}  # fmt: skip


@pytest.fixture
def editor(alice):
    return browser_of(alice)


def steps_of(page):
    """Return for each step whether it is open and how much it says is missing."""
    found = {}
    for step in parsed(page).select("details[data-step]"):
        line = step.select_one("summary [data-lacks]")
        found[step["data-step"]] = (step.has_attr("open"), "" if line.has_attr("hidden") else line["data-lacks"])
    return found


def opened(page):
    return [name for name, (is_open, _) in steps_of(page).items() if is_open]


def in_sight(page):
    """Return the fields outside every closed step, which is what a person without script sees."""
    shown = parsed(page).select_one("#question-form")
    for hidden in shown.select("details:not([open]), template"):
        hidden.decompose()
    names = {field["name"] for field in shown.select("input[name]:not([type=hidden]), textarea, select")}
    return {name for name in names if not name.endswith(("-ORDER", "-DELETE"))}


class TestANewQuestion:
    def test_a_new_question_shows_only_scenario_key_explanation_and_a_source_dated_today(self, exam, editor):
        page = editor.get(ADD)
        assert in_sight(page) == {
            "exam", "domain", "kind", "title", "stem", "explanation", "sources-0-title", "sources-0-url",
            "sources-0-as_of", *(f"options-{n}-{part}" for n in range(4) for part in ("text", "right")),
        }  # fmt: skip
        dates = re.findall(r'name="sources-(\w+)-as_of" value="(.*?)"', page.content.decode())
        today = timezone.localdate().isoformat()
        assert dates == [("0", today), ("__prefix__", today)], "so a row that the script adds is dated too"

    def test_each_step_says_how_much_a_review_will_ask_for(self, exam, editor):
        page = editor.get(ADD)
        found = steps_of(page)
        assert [found[name] for name in LATER] == [(False, "1"), (False, "8"), (False, "1"), (False, "")]
        assert parsed(page).select_one("[data-step=all] [data-lacks]")["data-lacks"] == "10"

    def test_a_question_is_a_basic_one_once_its_first_step_is_filled_in(self, exam, editor):
        assert save(editor, ADD, **BASIC_FIELDS).status_code == 302
        row = find_draft(Question.objects.get().pk)
        assert lint(draft_of(row), severity=REFUSE, level=BASIC) == []
        assert draft_of(row).sources[0].as_of == timezone.localdate()
        act(editor, row, "submit_basic")
        row.refresh_from_db()
        assert row.desk == Desk.REVIEW


class TestAStep:
    def test_a_step_with_content_is_open_so_a_complete_question_hides_nothing(self, exam, editor, alice):
        whole = dataclasses.replace(draft(1), modules=())
        question = desk.begin(exam, whole, alice, NOW)
        found = opened(editor.get(address(question)))
        assert found == [*(f"options-{n}" for n in range(4)), "clues", "answer", "place"]

    @pytest.mark.parametrize(
        ("name", "step"),
        [
            *((field, step) for step, fields in STEPS.items() for field in fields if step in ("answer", "study")),
            ("objectives", "place"), ("options-2-never", "options-2"), ("sources-0-says", "sources-0"),
            ("clues-0-phrase", "clues"), ("clues-0-why", "clues"), ("difficulty", "place"), ("pool", "place"),
        ],
    )  # fmt: skip
    def test_a_step_is_open_if_a_field_in_it_was_filled_in_or_refused(self, exam, editor, name, step):
        typed = {"difficulty": "hard", "pool": "reserved", "recheck_after": "2027-01-01"}
        fields = {**sent(editor, ADD), name: typed.get(name, "x"), "action": "show"}
        page = editor.post(ADD, fields)
        assert opened(page) == [step]

    def test_a_step_with_an_error_that_the_page_jumps_to_is_open(self, exam, editor):
        page = save(editor, ADD, **BASIC_FIELDS, sources__0__url="nowhere", clues__1__phrase="words of nowhere")
        assert page.status_code == 200
        assert opened(page) == ["clues"]
        links = [link["href"] for link in parsed(page).select("[role=alert] li a")]
        assert links == ["#id_clues-1-phrase", "#id_sources-0-url"]
        assert all(parsed(page).select_one(link) for link in links)
        assert parsed(page).select_one("#id_stem").text.strip() == BASIC_FIELDS["stem"]

    def test_a_step_that_lacks_what_a_review_asked_for_is_open(self, exam, editor):
        fields = {**sent(editor, ADD, **BASIC_FIELDS), "action": "submit"}
        page = editor.post(ADD, fields, follow=True)
        assert told(page) == ["not-publishable"]
        assert opened(page) == ["options-0", "options-1", "clues", "answer", "place"]
        assert steps_of(page)["options-1"] == (True, "2")
        again = editor.get(address(Question.objects.get()))
        assert opened(again) == [], "only asking for review opens them"

    def test_the_missing_parts_are_counted_as_the_author_types(self, exam, editor):
        fields = sent(editor, ADD, **BASIC_FIELDS)
        fields |= {"options-0-ORDER": "9", "options-1-tempts": "It is short.", "trap": "Mind the gap."}
        lacks = editor.post(LOOK, fields).json()["lacks"]
        assert lacks == {"all": 12, "options-0": 2, "options-1": 1, "clues": 1, "answer": 7, "place": 1}

    def test_the_folded_steps_hold_every_field_the_first_does_not_show(self, exam, editor):
        later = {field for fields in STEPS.values() for field in fields}
        shown = parsed(editor.get(ADD))
        folded = {field["name"].rpartition("-")[2] for field in shown.select("details[data-step] [name]")}
        rows = {field for fields in IN_ROWS.values() for field in fields}
        assert folded - {"ORDER", "DELETE", "TOTAL_FORMS", "INITIAL_FORMS", "MIN_NUM_FORMS", "MAX_NUM_FORMS"} == (
            later - {"clues", "modules"} | rows | {"phrase", "confirms", "rules_out"}
        )


class TestRows:
    @pytest.mark.parametrize(("options", "rows"), [(0, 4), (1, 4), (3, 5), (4, 6)])
    def test_there_are_always_four_options_and_room_for_two_more(self, exam, editor, alice, options, rows):
        kept = draft(1).options[:options]
        question = desk.begin(exam, dataclasses.replace(draft(1), options=kept, clues=()), alice, NOW)
        names = [name for name in sent(editor, address(question)) if name.endswith("-text")]
        assert names == [f"options-{n}-text" for n in range(rows)]

    def test_saving_a_question_does_not_date_its_undated_sources(self, exam, editor, alice):
        undated = tuple(dataclasses.replace(source, as_of=None) for source in draft(1).sources)
        question = desk.begin(exam, dataclasses.replace(draft(1), sources=undated), alice, NOW)
        save(editor, address(question), title="Another title")
        assert [source.as_of for source in draft_of(find_draft(question.pk)).sources] == [None] * len(undated)
