"""A family has its shared text once in a bank file, becomes ordinary questions on the site and conflicts as a whole."""

from pathlib import Path

import pytest

from questions.bank_files.load import load_bank
from questions.bank_files.rules.families import OF_THE_FAMILY, OF_THE_VARIANT
from questions.bank_files.rules.file import EITHER, FIELDS
from questions.models import Family, Question, QuestionVersion
from questions.versions.reads.drafts import digest, draft_of
from questions.versions.rules.family import shared_of
from tests.questions.test_bank_loading import EXAM, question
from tests.support.bank import NOW, draft

pytestmark = pytest.mark.django_db
FIXTURES = Path(__file__).parents[2] / "fixtures"
BEFORE_FAMILIES = "40d5a23cc2de073741d222316a965499efd1cc9c0369821ec327b8b4a94f45a7"


def variant(n: int, key: str = "", **changes: str) -> str:
    why = "".join(f"          {slot}: Because of {n} and {slot}.\n" for slot in range(1, 5))
    fields = {"clause": f"Need {n} decides.", "quick": f"Lamp {n}.", "extra": ""} | changes
    return f"""
      - id: lamps-{n}
        title: Lamps for need {n}
        difficulty: easy
        clause: {fields["clause"]}
        key: {key or f"[{n}]"}
        why:
{why}        clues:
          - {{phrase: Need {n}, why: It counts {n}., confirms: [{n}], rules_out: [{1 + n % 4}]}}
        quick_answer: {fields["quick"]}
        explanation: Need {n} explained.
        principle: Principle {n}.
        trap: Trap {n}.
        exam_tips: [Tip {n}]
        takeaway: Takeaway {n}.
{fields["extra"]}"""


def family(*variants: str, **changes: str) -> str:
    fields = {
        "stem": "A hall has amber lamps. {clause} Which lamp is it?",
        "pool": "open",
        "options": "\n".join(
            f"      - {{slot: {slot}, text: Lamp {slot}, tempts: It shines {slot}., right_if: Need {slot} holds.}}"
            for slot in range(1, 5)
        ),
        "extra": "",
    } | changes
    return f"""
  - id: lamps
    pool: {fields["pool"]}
    kind: single
    concepts: [c1]
    objectives: ["2.2.a"]
    stem: >-
      {fields["stem"]}
    options:
{fields["options"]}
    detail: Detail of lamps.
    key_concepts: [Concept of lamps]
    example: Example of lamps.
    sources:
      - {{title: Page, url: 'https://vendor.example/p', as_of: 2026-11-21, says: That lamps shine.}}
      - {{title: Other page, url: 'https://vendor.example/q', says: That others do not.}}
{fields["extra"]}    variants:
{"".join(variants) or "".join(variant(n) for n in (1, 2, 3))}"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "demo" / "questions").mkdir(parents=True)
    (tmp_path / "demo" / "exam.yaml").write_text(EXAM)
    write(tmp_path, family())
    return tmp_path


def write(folder: Path, families: str, questions: str = "") -> None:
    beside = f"questions:{questions}\n" if questions else ""
    (folder / "demo" / "questions" / "one.yaml").write_text(f"domain: one\n{beside}families:{families}")


def rows() -> list[Question]:
    return list(Question.objects.filter(family__key="lamps").order_by("place"))


def test_a_variant_is_an_ordinary_question_with_a_version_a_number_and_the_familys_slots(folder):
    report = load_bank(folder, NOW)
    assert (report.refused, report.counts) == ([], {"new": 3})
    assert [(row.key, row.place, row.number) for row in rows()] == [
        ("lamps-1", 0, 1), ("lamps-2", 1, 2), ("lamps-3", 2, 3),
    ]  # fmt: skip
    assert Family.objects.get().stem == "A hall has amber lamps. {clause} Which lamp is it?"
    for n, row in enumerate(rows(), 1):
        version = row.live_version
        assert (version.family_id, version.clause) == (row.family_id, f"Need {n} decides.")
        assert version.stem == row.stem == f"A hall has amber lamps. Need {n} decides. Which lamp is it?"
        assert version.solution.key_mask == 1 << n
        assert [option["right_if"] for option in version.solution.text["options"]] == [
            f"Need {slot} holds." for slot in range(1, 5)
        ]
        assert version.solution.text["clues"][0]["rules_out"] == [n + 1]
        assert version.solution.text["objectives"] == ["2.2.a"]
        assert [source["as_of"] for source in version.solution.text["sources"]] == ["2026-11-21", ""]


def test_a_variants_prompt_reveals_neither_right_if_nor_clues(folder):
    load_bank(folder, NOW)
    for version in QuestionVersion.objects.all():
        prompt = f"{version.stem_html}{version.options_html}{version.options}{version.hint.html}{version.hint.clues}"
        assert "holds." not in prompt
        assert "rules_out" not in prompt


def test_loading_twice_changes_nothing(folder):
    load_bank(folder, NOW)
    assert load_bank(folder, NOW).counts == {"unchanged": 3}
    assert QuestionVersion.objects.count() == 3


def test_families_and_questions_can_be_in_one_file(folder):
    write(folder, family(), question(1))
    assert load_bank(folder, NOW).counts == {"new": 4}
    assert Question.objects.filter(family=None).get().key == "case-1"


def test_shared_text_changes_all_variants_and_a_variants_own_text_only_that_one(folder):
    load_bank(folder, NOW)
    write(folder, family(variant(1), variant(2, quick="Lamp 2, then."), variant(3)))
    assert load_bank(folder, NOW).counts == {"changed": 1, "unchanged": 2}
    write(folder, family(variant(1), variant(2, quick="Lamp 2, then."), variant(3), stem="One hall. {clause} Which?"))
    assert load_bank(folder, NOW).counts == {"changed": 3}
    assert list(QuestionVersion.objects.order_by("question", "number").values_list("question__key", "change")) == [
        ("lamps-1", "first"), ("lamps-1", "semantic"),
        ("lamps-2", "first"), ("lamps-2", "typo"), ("lamps-2", "semantic"),
        ("lamps-3", "first"), ("lamps-3", "semantic"),
    ]  # fmt: skip


def test_editing_one_variant_on_the_site_is_one_conflict_for_the_family(folder):
    load_bank(folder, NOW)
    Question.objects.filter(key="lamps-2").update(trap="Edited on the site.")
    assert load_bank(folder, NOW).counts == {"edited on the site": 3}
    write(folder, family(variant(1, quick="Lamp 1, then."), variant(2), variant(3)))
    report = load_bank(folder, NOW)
    assert len(report.conflicts) == 1
    assert "lamps: edited" in report.conflicts[0]
    assert Question.objects.get(key="lamps-1").quick_answer == "Lamp 1."
    assert load_bank(folder, NOW, take="site").counts == {"kept as on the site": 3}
    assert load_bank(folder, NOW).conflicts == []
    assert load_bank(folder, NOW, take="file").counts == {"changed": 2, "unchanged": 1}
    assert Question.objects.get(key="lamps-2").trap == "Trap 2."
    assert Question.objects.get(key="lamps-1").quick_answer == "Lamp 1, then."
    assert load_bank(folder, NOW).counts == {"unchanged": 3}


def test_a_variant_missing_from_the_file_stays_and_follows_the_shared_text(folder):
    load_bank(folder, NOW)
    write(folder, family(variant(1), variant(2), stem="One hall. {clause} Which?"))
    assert load_bank(folder, NOW).gone == ["lamps-3"]
    gone = Question.objects.get(key="lamps-3")
    assert gone.live_version.stem == "One hall. Need 3 decides. Which?"
    assert len({shared_of(draft_of(row)) for row in rows()}) == 1


def test_a_family_of_one_is_valid(folder):
    write(folder, family(variant(2)))
    assert load_bank(folder, NOW).counts == {"new": 1}


def test_a_question_keeps_its_number_when_it_joins_and_leaves_a_family(folder):
    write(folder, family(), question(1))
    load_bank(folder, NOW)
    joined = variant(4).replace("lamps-4", "case-1")
    write(folder, family(*(variant(n) for n in (1, 2, 3)), joined))
    assert load_bank(folder, NOW).refused == []
    case = Question.objects.get(key="case-1")
    assert (case.family.key, case.place, case.number) == ("lamps", 3, 1)
    write(folder, family(), question(1))
    load_bank(folder, NOW)
    case.refresh_from_db()
    assert (case.family, case.clause, case.number) == (None, "", 1)
    assert case.live_version.family is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (family(stem="No place for it."), "stem: needs one place for the {clause}"),
        (family(stem="{clause} Twice. {clause}"), "stem: needs one place for the {clause}"),
        (family(extra="    colour: red\n"), ": lamps: colour: "),
        (family(variant(1, extra="        colour: red\n")), "variants[0].colour: is not a field of the format"),
        (family(variant(1, extra="        stem: Mine\n")), "variants[0].stem: is not a field of the format"),
        (family(variant(1, extra="        detail: Mine\n")), "variants[0].detail: is set in the family too"),
        (family(variant(1, clause="''")), "variants[0].clause: is empty"),
        (family(variant(1, key="[7]")), "variants[0].key: 7 is no slot"),
        (family(variant(1, key="1")), "variants[0].key: must be a list"),
        (family(variant(1).replace("          4: Because", "          5: Because")), "variants[0].why.5: is no slot"),
        (family(variant(1).replace("          4: Because of 1 and 4.\n", "")), "variants[0].why: doesn’t mention slot"),
        (family(variant(1), variant(2, key="[1]")), "the same key"),
        (family(options="      - {slot: 1, text: L, tempts: T, why: W}"), "options[0].why: is not a field"),
        (family(variant(1, quick="{{nothing}}")), "must be a word"),
        (family(variant(1, quick="'{{nothing}}'")), "quick_answer: “nothing” is not in the glossary"),
        (family(variant(1, clause="'{{nothing}}'")), "variants[0].clause: “nothing” is not in the glossary"),
        ("\n  - lamps", "named fields"),
        (" lamps", "“families”"),
    ],
)  # fmt: skip
def test_an_error_is_refused_with_file_line_field_and_reason(folder, text, reason):
    write(folder, text)
    report = load_bank(folder, NOW)
    assert len(report.refused) == 1
    assert "one.yaml:" in report.refused[0]
    assert reason in report.refused[0]
    assert not Question.objects.exists()


def test_a_finding_gives_the_line_of_the_family_or_the_variant(folder):
    text = family(variant(1), variant(2, quick="Answer A is right."), options="")
    rows = (f"      - slot: {n}\n        text: Lamp {n}\n        tempts: Option C tempts {n}.\n" for n in range(1, 5))
    text = text.replace("    options:\n", f"    options:\n{''.join(rows)}")
    write(folder, text)
    lines = (folder / "demo" / "questions" / "one.yaml").read_text().splitlines()
    found = {}
    for each in load_bank(folder, NOW).refused:
        _, line, _, field, _ = each.split(":", 4)
        found.setdefault(field.strip(), []).append(lines[int(line) - 1].strip())
    assert found["quick_answer"] == ["quick_answer: Answer A is right."]
    assert found["options[1].tempts"] == ["tempts: Option C tempts 2."]


def test_each_field_of_a_question_belongs_to_the_family_the_variant_or_either():
    assert (OF_THE_FAMILY | OF_THE_VARIANT | EITHER) - {"variants", "clause", "key", "why"} == FIELDS


def test_a_digest_ignores_fields_added_later():
    assert digest(draft(1)) == BEFORE_FAMILIES
