"""Check who may publish full and basic questions at the desk and what an import says about its drafts."""

from __future__ import annotations

import io
import json
from collections import Counter

import pytest
from django.core.cache import cache
from django.urls import reverse

from courseiva.accounts.models import User
from questions.catalogue.rules.sources import OWN_WORK, Source
from questions.desk import decide as desk
from questions.desk.errors import NotPublishable
from questions.desk.publish import Publishing
from questions.formats.rules.items import Item, item_of_draft
from questions.formats.rules.registry import format_named, read_items
from questions.lint.rules import BASIC, REFUSE, lint
from questions.models import Change, Desk, Exam, ImportJob, Question, QuestionSource
from questions.versions.errors import NotNow
from questions.versions.rules.draft import DraftQuestion
from tests.questions.test_import_page import client_of, send
from tests.support.bank import NOW, changed, draft, make_exam
from tests.support.basics import basic, publish_basic
from tests.support.hooks import codes, parsed, values
from tests.support.variants import variants

pytestmark = pytest.mark.long("many requests")

AIKEN = b"The lamp is on.\nA. True\nB. False\nANSWER: A\n\nWhich one?\nA. This\nB. That\nC. Those\nANSWER: C\n"


def refused(question: DraftQuestion) -> set[tuple[str, str]]:
    return {(problem.rule, problem.field) for problem in lint(question, severity=REFUSE, level=BASIC)}


@pytest.mark.parametrize("options", [2, 3, 4, 5, 6])
def test_the_minimum_makes_a_basic_question_but_not_a_full_one(options: int) -> None:
    assert refused(basic(1, options=options)) == set()
    assert lint(basic(1, options=options), severity=REFUSE)


def test_a_full_question_meets_the_basic_rules_too() -> None:
    assert refused(draft(1)) == set()


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (basic(1, options=7), ("basic-options", "options")),
        (changed(basic(1), options=basic(1).options[:1]), ("basic-options", "options")),
        (changed(draft(1, kind="multiple"), options=tuple(o for o in draft(1, kind="multiple").options if o.right)),
         ("basic-options", "options")),
        (changed(basic(1), stem=" "), ("basic-missing", "stem")),
        (changed(basic(1), title=""), ("basic-missing", "title")),
        (changed(basic(1), explanation=""), ("basic-missing", "explanation")),
        (changed(basic(1), sources=()), ("basic-missing", "sources")),
        (changed(basic(1), pool="reserved"), ("basic-place", "pool")),
        (variants()[0], ("basic-place", "family")),
    ],
)  # fmt: skip
def test_a_basic_question_without_a_required_part_is_refused(
    question: DraftQuestion, expected: tuple[str, str]
) -> None:
    assert expected in refused(question)


def test_the_right_options_reason_counts_as_an_explanation() -> None:
    first, second = draft(1).options[:2]
    assert refused(changed(basic(1), explanation="", options=(first, second))) == set()


def test_own_work_is_not_a_source_for_a_full_question() -> None:
    own = changed(draft(1), sources=(Source(OWN_WORK, "", None),))
    assert [problem.rule for problem in lint(own, severity=REFUSE)] == ["source"]


@pytest.mark.parametrize("name", ["yaml", "json"])
def test_a_source_that_is_own_work_survives_our_own_formats(name: str) -> None:
    form = format_named(name)
    assert form.write
    (back,) = read_items(form, io.BytesIO(form.write([item_of_draft(basic(1))])))
    assert isinstance(back, Item)
    assert back.draft == basic(1)


@pytest.mark.django_db
class TestAtTheDesk:
    @pytest.fixture(autouse=True)
    def _setup(self) -> None:
        self.exam = make_exam()
        self.writer = User.objects.create_user(email="w@example.com", password="x", is_staff=True)
        self.reviewer = User.objects.create_user(email="r@example.com", password="x", is_staff=True)

    def begun(self, text: DraftQuestion) -> Question:
        return desk.begin(self.exam, text, self.writer, NOW)

    def released(self, row: Question, basic: bool = True, change: Change = Change.FIRST) -> bool:
        row.refresh_from_db()
        what = Publishing(change, basic=basic)
        return desk.release(row.pk, row.revision, self.reviewer, NOW, what).is_basic

    def test_the_basic_level_applies_only_if_author_and_reviewer_both_choose_it(self) -> None:
        row = self.begun(basic(1))
        with pytest.raises(NotPublishable):
            desk.submit(row.pk, row.revision, self.writer, NOW)
        desk.submit(row.pk, row.revision, self.writer, NOW, basic=True)
        with pytest.raises(NotPublishable):
            self.released(row, basic=False)
        assert self.released(row)

    def test_a_complete_question_is_full_even_if_submitted_as_basic(self) -> None:
        row = self.begun(draft(1))
        desk.submit(row.pk, row.revision, self.writer, NOW, basic=True)
        assert not self.released(row)

    def test_a_basic_question_can_become_full_but_not_the_reverse(self) -> None:
        (version,) = publish_basic(self.exam, basic(1))
        row = version.question
        for text, change, is_basic in (
            (changed(basic(1), explanation="More."), Change.TYPO, True),
            (changed(draft(1), key=row.key), Change.SEMANTIC, False),
        ):
            row = desk.keep(row.pk, text, row.revision, self.writer, NOW)
            desk.submit(row.pk, row.revision, self.writer, NOW, basic=True)
            assert self.released(row, change=change) == is_basic
        row.refresh_from_db()
        row = desk.keep(row.pk, basic(1), row.revision, self.writer, NOW)
        with pytest.raises(NotNow) as refusal:
            desk.submit(row.pk, row.revision, self.writer, NOW, basic=True)
        assert refusal.value.code == "was-full"

    def test_the_editor_offers_the_basic_level_to_a_basic_draft(self) -> None:
        client = client_of("Editors")
        for text, offered in ((basic(1), True), (draft(2), False), (changed(basic(3), sources=()), False)):
            row = self.begun(text)
            page = client.get(reverse("admin:questions_question_change", args=[row.pk]))
            address = reverse("admin:questions_question_act", args=[row.pk, "submit_basic"])
            assert bool(parsed(page).select(f'form[action="{address}"]')) == offered
        first = Question.objects.get(key="basic-1")
        client.post(reverse("admin:questions_question_act", args=[first.pk, "submit_basic"]), {"base": first.revision})
        first.refresh_from_db()
        assert first.desk == Desk.REVIEW
        reviewer = client_of("Reviewers")
        page = reviewer.get(reverse("admin:questions_question_change", args=[first.pk]))
        assert parsed(page).select("[data-state=basic] input[name=basic]")
        asked = {"base": first.revision, "change": "first", "text": "", "basic": "1"}
        reviewer.post(reverse("admin:questions_question_act", args=[first.pk, "publish"]), asked)
        first.refresh_from_db()
        assert first.live_version
        assert first.live_version.is_basic

    def test_several_drafts_are_sent_for_review_at_once(self) -> None:
        rows = [self.begun(basic(n)) for n in (1, 2)] + [self.begun(changed(basic(3), sources=()))]
        asked = {"action": "submit_basic_all", "_selected_action": [row.pk for row in rows]}
        client_of("Editors").post(reverse("admin:questions_question_changelist"), asked)
        assert list(Question.objects.order_by("key").values_list("desk", flat=True)) == [
            Desk.REVIEW, Desk.REVIEW, Desk.DRAFT,
        ]  # fmt: skip


@pytest.mark.django_db
class TestImported:
    @pytest.fixture(autouse=True)
    def _setup(self) -> None:
        cache.clear()
        self.exam: Exam = make_exam()
        self.client = client_of("Editors")

    def looked(self, content: bytes, name: str, **more: str) -> dict[str, str]:
        page = send(self.client, content, name, **more)
        return dict(zip(values(page, "data-level"), values(page, "data-number"), strict=True))

    def test_the_preview_says_how_complete_the_drafts_are(self) -> None:
        form = format_named("json")
        assert form.write
        texts = [
            draft(1),
            basic(2),
            basic(3, options=3),
            changed(basic(4), explanation=""),
            changed(basic(5), sources=()),
        ]
        content = form.write(map(item_of_draft, texts))
        assert json.loads(content)
        assert self.looked(content, "set.json") == {"full": "1", "basic": "2", "draft": "2"}

    def test_the_preview_counts_what_each_draft_lacks_and_names_it_beside_each(self) -> None:
        form = format_named("json")
        assert form.write
        texts = [draft(1), basic(2), changed(basic(3), explanation="", sources=()), changed(basic(4), sources=())]
        page = parsed(send(self.client, form.write(map(item_of_draft, texts)), "set.json"))
        beside = [row.select("[data-lacks]") for row in page.select("table tbody tr")]
        told = [cell[0]["data-lacks"].split(",") if cell else [] for cell in beside]
        assert told[0] == []
        assert {"concepts", "quick answer", "clues"} <= set(told[1])
        assert told[2:] == [["explanation", "sources"], ["sources"]]
        for level, texts_of_level in (("basic", told[1:2]), ("draft", told[2:])):
            wanted = Counter(field for lacks in texts_of_level for field in lacks)
            counted = [each.text for each in page.select(f"[data-level={level}] [data-needs]")]
            assert sorted(counted) == sorted(f"{field} ({n})" for field, n in wanted.items())

    def test_a_source_can_be_given_for_the_whole_file(self) -> None:
        assert self.looked(AIKEN, "set.txt") == {"draft": "2"}
        page = send(self.client, AIKEN, "set.txt", source="Own")
        lacks = {each.lacks for each in page.context["look"].levels.of.values()}
        assert lacks == {("explanation",)}
        send(self.client, AIKEN, "set.txt", source="own", keep="1")
        assert set(QuestionSource.objects.values_list("title", "url")) == {(OWN_WORK, "")}
        assert ImportJob.objects.get().matching["source"] == OWN_WORK

    def test_a_source_is_an_address_or_ones_own_work(self) -> None:
        for wrong in ("my book", "http://plain.example/", "javascript:alert(1)"):
            page = send(self.client, AIKEN, "set.txt", source=wrong)
            assert codes(page.context["form"])["source"] == ["invalid"]
        assert self.looked(AIKEN, "set.txt", source="https://book.example/page")
