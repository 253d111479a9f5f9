"""Loading the bank again changes nothing, each file is loaded whole or not at all, and refusals name file and line."""

import re
from io import StringIO
from itertools import chain, repeat
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from questions.bank_files.load import load_bank
from questions.bank_files.rules.folder import read_exam_file
from questions.management.commands import load_bank as load_bank_command
from questions.models import Exam, Question, QuestionVersion, Solution
from tests.support.bank import NOW

pytestmark = pytest.mark.django_db

EXAM = """
slug: demo
code: DEMO
name: Demo exam
vendor: Vendor
summary: About it.
guide_url: https://vendor.example/guide
blueprints:
  - key: now
    name: Guide
    effective_from: 2026-06-01
    current: true
    question_count: 10
    minutes: 20
    pass_mark: 70
    weights:
      one: ["60", Part one]
      two: ["41.5", Part two]
domains:
  - key: one
    number: 1
    concepts: [{key: c1, name: Concept one}]
  - key: two
    number: 2
    concepts: [{key: c2, name: Concept two}]
"""


def question(n: int, **changes: str) -> str:
    fields = {
        "kind": "single",
        "stem": f"Case {n} speaks of amber lamps. Which lamp is it?",
        "right": "[1]",
        "why": f"Because of {n}.",
        "phrase": "amber lamps",
        "explanation": f"Case {n} is explained.",
        "sources": "[{title: Page, url: 'https://vendor.example/p', as_of: 2026-11-21}]",
        "pool": "open",
    } | changes
    options = "".join(
        f"      - {{slot: {slot}, text: Lamp {slot} of {n}, right: {str(str(slot) in fields['right']).lower()}, "
        f"tempts: 'Tempts {n} {slot}.', why: '{fields['why']}{slot}'}}\n"
        for slot in range(1, 5)
    )
    return f"""
  - id: case-{n}
    pool: {fields["pool"]}
    kind: {fields["kind"]}
    difficulty: easy
    concepts: [c1]
    title: Lamps of case {n}
    stem: {fields["stem"]}
    options:
{options}    clues:
      - {{phrase: {fields["phrase"]}, why: It counts {n}., confirms: [1]}}
    quick_answer: Lamp 1 of {n}.
    explanation: {fields["explanation"]}
    principle: Principle {n}.
    trap: Trap {n}.
    detail: Detail {n}.
    key_concepts: [Concept {n}]
    exam_tips: [Tip {n}]
    takeaway: Takeaway {n}.
    example: Example {n}.
    sources: {fields["sources"]}
"""


def file(*questions: str, domain: str = "one") -> str:
    return f"domain: {domain}\nquestions:{''.join(questions)}"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "demo" / "questions").mkdir(parents=True)
    (tmp_path / "demo" / "exam.yaml").write_text(EXAM)
    (tmp_path / "demo" / "questions" / "one.yaml").write_text(file(question(1), question(2)))
    return tmp_path


def write(folder: Path, text: str, name: str = "one.yaml") -> None:
    (folder / "demo" / "questions" / name).write_text(text)


def test_loading_publishes_and_loading_again_changes_nothing(folder):
    assert load_bank(folder, NOW).counts == {"new": 2}
    before = list(QuestionVersion.objects.values_list("pk", "number"))
    assert load_bank(folder, NOW).counts == {"unchanged": 2}
    assert list(QuestionVersion.objects.values_list("pk", "number")) == before
    assert list(Question.objects.values_list("number", flat=True)) == [1, 2]
    assert Solution.objects.first().key_mask == 2


def test_a_changed_file_makes_new_versions_only_of_changed_questions(folder):
    load_bank(folder, NOW)
    write(folder, file(question(1), question(2, explanation="Said anew for two.")))
    assert load_bank(folder, NOW).counts == {"unchanged": 1, "changed": 1}
    versions = dict(Question.objects.values_list("key", "live_version__number"))
    assert versions == {"case-1": 1, "case-2": 2}
    assert Question.objects.get(key="case-2").number == 2


def line_of(text: str, start: str) -> int:
    """Return the number of the last line that starts with these words."""
    return max(i for i, line in enumerate(text.splitlines(), start=1) if line.strip().startswith(start))


@pytest.mark.parametrize(
    ("changes", "starts", "field", "reason"),
    [
        ({"right": "[1, 2]"}, "options:", "options", "has 2"),
        ({"right": "[]"}, "options:", "options", "has 0"),
        ({"kind": "multiple"}, "options:", "options", "has 1"),
        ({"explanation": "''"}, "explanation:", "explanation", "empty"),
        ({"explanation": "As option B says here."}, "explanation:", "explanation", "by letter"),
        ({"explanation": '"' + "[a " * 4000 + '"'}, "explanation:", "explanation", "5,000 characters"),
        ({"explanation": '"' + "[a " * 400 + '"'}, "explanation:", "explanation", "“[” appears 400 times"),
        ({"phrase": "green lamps"}, "- {phrase:", "clues[0].phrase", "green lamps"),
        ({"sources": "[]"}, "sources:", "sources", "source"),
        ({"pool": "closed"}, "pool:", "pool", "open"),
    ],
)
def test_a_refusal_names_file_line_field_and_reason(folder, changes, starts, field, reason):
    text = file(question(1), question(2, **changes))
    write(folder, text)
    refused = [row for row in load_bank(folder, NOW).refused if f": case-2: {field}: " in row and reason in row]
    assert len(refused) == 1
    assert f"one.yaml:{line_of(text, starts)}: " in refused[0]
    assert Question.objects.count() == 0


def test_a_missing_rationale_is_refused_at_its_option(folder):
    write(folder, file(question(1)).replace("why: 'Because of 1.3'", "why: ''"))
    report = load_bank(folder, NOW)
    assert ["case-1: options[2].why: empty" in row for row in report.refused] == [True]


def test_a_sentence_copied_from_another_question_is_refused_across_files_and_the_site(folder):
    load_bank(folder, NOW)
    again = "The lamp glows in the long dark night."
    write(folder, file(question(3, explanation=again), question(4, explanation=again)), "two.yaml")
    report = load_bank(folder, NOW)
    assert len(report.refused) == 1
    assert "case-4: explanation: " in report.refused[0]
    assert "“case-3”" in report.refused[0]
    assert Question.objects.count() == 2
    write(folder, file(question(3, explanation=again)), "two.yaml")
    load_bank(folder, NOW)
    (folder / "demo" / "questions" / "two.yaml").unlink()
    write(folder, file(question(5, explanation=again)), "three.yaml")
    assert "“case-3”" in load_bank(folder, NOW).refused[0]


def test_one_bad_question_has_its_whole_file_refused_and_no_other(folder):
    write(folder, file(question(3), question(4, sources="[]")), "bad.yaml")
    report = load_bank(folder, NOW)
    assert len(report.refused) == 1
    assert set(Question.objects.values_list("key", flat=True)) == {"case-1", "case-2"}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("domain: one\nquestions: [", "expected"),
        ("- just\n- a list", "needs “domain”"),
        ("domain: one\nquestions:\n  - id: x", "is missing"),
        ("domain: one\ndomain: two\nquestions: []", "appears twice"),
        ("domain: nowhere\nquestions:" + question(9), "nowhere"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_its_line(folder, text, reason):
    write(folder, text, "bad.yaml")
    report = load_bank(folder, NOW)
    assert len(report.refused) == 1
    assert "bad.yaml:" in report.refused[0]
    assert reason in report.refused[0]


def test_an_id_in_two_files_is_refused(folder):
    write(folder, file(question(1, explanation="Other words.")), "two.yaml")
    assert any("id: is also in one.yaml" in row for row in load_bank(folder, NOW).refused)


def test_the_command_prints_refusals_and_fails(folder):
    write(folder, file(question(1, sources="[]")))
    with pytest.raises(CommandError, match="sources"):
        call_command("load_bank", str(folder))


def test_a_slow_load_shows_progress_and_a_quick_one_does_not(folder, monkeypatch):
    write(folder, file(question(3)), "two.yaml")
    said = StringIO()
    monkeypatch.setattr(load_bank_command, "monotonic", chain([10.0, 12.0, 15.0, 21.0], repeat(22.0)).__next__)
    call_command("load_bank", str(folder), stdout=said)
    assert re.findall(r"\d+%", said.getvalue()) == ["75%", "100%"]
    again = StringIO()
    call_command("load_bank", str(folder), stdout=again)
    assert "%" not in again.getvalue()


def test_a_question_edited_on_the_site_is_left_alone_and_reported(folder):
    load_bank(folder, NOW)
    Question.objects.filter(key="case-1").update(explanation="Edited on the site.")
    assert load_bank(folder, NOW).counts == {"edited on the site": 1, "unchanged": 1}
    write(folder, file(question(1, explanation="Edited in the file."), question(2)))
    report = load_bank(folder, NOW)
    assert len(report.conflicts) == 1
    assert Question.objects.get(key="case-1").explanation == "Edited on the site."
    kept = load_bank(folder, NOW, take="site")
    assert kept.counts["kept as on the site"] == 1
    assert load_bank(folder, NOW).conflicts == []
    taken = load_bank(folder, NOW, take="file")
    assert taken.counts["changed"] == 1
    assert Question.objects.get(key="case-1").explanation == "Edited in the file."
    assert load_bank(folder, NOW).counts == {"unchanged": 2}


def test_a_question_missing_from_the_files_is_reported_and_kept(folder):
    load_bank(folder, NOW)
    write(folder, file(question(1)))
    assert load_bank(folder, NOW).gone == ["case-2"]
    assert Question.objects.filter(key="case-2", live_version__isnull=False).exists()


def test_a_changed_key_counts_as_a_change_of_key_and_changed_wording_as_a_rewording(folder):
    load_bank(folder, NOW)
    write(folder, file(question(1, right="[2]"), question(2, explanation="Anew.")))
    load_bank(folder, NOW)
    changes = dict(QuestionVersion.objects.filter(number=2).values_list("question__key", "change"))
    assert changes == {"case-1": "key", "case-2": "typo"}


def test_a_file_may_give_the_reason_for_a_change_but_a_reason_alone_changes_nothing(folder):
    write(folder, file(question(1), question(2)))
    load_bank(folder, NOW)
    why = "\n    changed: The limit is 600, not 60.\n"
    write(folder, file(question(1).rstrip() + why, question(2)))
    assert load_bank(folder, NOW).counts["unchanged"] == 2
    write(folder, file(question(1, explanation="Case 1 is told anew.").rstrip() + why, question(2)))
    assert load_bank(folder, NOW).counts["changed"] == 1
    notes = QuestionVersion.objects.filter(number=2).values_list("question__key", "change_note")
    assert list(notes) == [("case-1", "The limit is 600, not 60.")]


@pytest.mark.parametrize("why", ["[1]", "''", f"{'x' * 301}"])
def test_an_empty_or_too_long_reason_is_refused(folder, why):
    write(folder, file(question(1).rstrip() + f"\n    changed: {why}\n"))
    [refused] = load_bank(folder, NOW).refused
    assert "changed: " in refused
    assert not Question.objects.exists()


def test_a_file_proposes_the_exams_position_but_the_operators_choice_stays(folder):
    path = folder / "demo" / "exam.yaml"
    for place, set_before, kept in (("", None, None), ("place: 3", None, 3), ("place: 2", 3, 3), ("place: 2", 1, 1)):
        Exam.objects.update(place=set_before)
        path.write_text(f"{EXAM}{place}\n")
        assert not load_bank(folder, NOW).refused
        assert Exam.objects.get().place == kept
    path.write_text(f"{EXAM}place: first\n")
    assert "place:" in load_bank(folder, NOW).refused[0]


@pytest.mark.parametrize("slug", ["sessions", "history"])
def test_an_exams_slug_cannot_be_an_address_of_the_site(folder, slug):
    (folder / "demo" / "exam.yaml").write_text(EXAM.replace("slug: demo", f"slug: {slug}"))
    assert "slug:" in load_bank(folder, NOW).refused[0]
    assert not Exam.objects.exists()


def test_a_reserved_question_gets_no_number(folder):
    write(folder, file(question(1, pool="reserved"), question(2)))
    load_bank(folder, NOW)
    assert dict(Question.objects.values_list("key", "number")) == {"case-1": None, "case-2": 1}


@pytest.mark.parametrize(("first", "then"), [("open", "public"), ("public", "open")])
def test_the_public_pool_may_have_either_name_and_its_stored_value_is_unchanged(folder, first, then):
    write(folder, file(question(1, pool=first)))
    load_bank(folder, NOW)
    assert Question.objects.get().pool == QuestionVersion.objects.get().pool == "open"
    write(folder, file(question(1, pool=then)))
    assert load_bank(folder, NOW).counts == {"unchanged": 1}


def test_an_older_form_of_a_target_is_still_read(folder):
    path = folder / "demo" / "exam.yaml"
    for name in ("open_per_domain", "public_per_domain"):
        path.write_text(EXAM + f"targets: {{{name}: 7}}\n")
        exam = read_exam_file(path.parent).exam
        assert exam
        assert exam.targets.public_per_domain == 7
