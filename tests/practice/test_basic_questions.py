"""Basic questions appear in drills and on public pages, and nowhere that measures readiness or questions."""

from __future__ import annotations

import datetime as dt

import pytest
import time_machine
from django.urls import reverse

from courseiva.accounts.models import User
from practice.learners.reads.identity import Owner
from practice.measurement.ability.reads import past_of
from practice.measurement.calibration.nightly import calibrate_exam, first_answers
from practice.measurement.calibration.reads import Bank
from practice.measurement.health.measure import measure_exam
from practice.measurement.statistics.count import first_exposures, rebuild_statistics
from practice.models import PracticeSession, SessionItem, Standing
from practice.readiness.check.ask import answer_check, start_check
from practice.readiness.derive.analyse import analyse
from practice.reviews.reads import Today, due_cards
from practice.sessions.ending.finish import finish
from practice.sessions.errors import TooFewQuestions
from practice.sessions.player.check import answer_on_page, check
from practice.sessions.player.paper.reads import booklet_of
from practice.start.begin import MockChoice, start_mock
from practice.start.reads.bank import bank_of
from practice.start.reads.cards import cards_left
from practice.start.reads.picking import live_versions, stock_of
from questions.desk.publish import Publishing, publish_draft
from questions.models import (
    Blueprint,
    Change,
    Exam,
    ItemHealth,
    ItemParameters,
    OptionStatistics,
    Question,
    QuestionVersion,
    VersionStatistics,
)  # fmt: skip
from questions.versions.save import save_draft
from questions.versions.statistics.reads.coverage import bank_coverage
from tests.support.bank import NOW, add_questions, changed, draft, make_exam
from tests.support.basics import basic, publish_basic
from tests.support.hooks import parsed, states
from tests.support.sessions import begin_drill, guest, guest_client, learner_of, right_places, seconds, state

pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]
DOMAINS = [f"d{n}" for n in range(1, 7)]


@pytest.fixture
def exam() -> Exam:
    """Create an exam of twelve questions with two full questions in each domain, and many more basic ones."""
    exam = make_exam()
    Blueprint.objects.update(question_count=12, minutes=24)
    add_questions(exam, 2)
    publish_basic(
        exam, *(basic(100 + 10 * place + n, domain) for place, domain in enumerate(DOMAINS) for n in range(4))
    )
    return exam


@pytest.fixture
def alice() -> Owner:
    user = User.objects.create_user(email="alice@example.com", password="x")
    return Owner(user_id=user.pk)


def basics() -> set[int]:
    return set(QuestionVersion.objects.filter(is_basic=True).values_list("pk", flat=True))


def drilled(owner: Owner, exam: Exam) -> PracticeSession:
    """Answer a drill of all questions correctly, then finish and analyse it."""
    drill = begin_drill(owner, exam, size=36)
    for n in range(1, drill.total + 1):
        check(drill.uuid, owner, state(n, 1, *right_places(drill, n)), None, seconds(n))
    done = finish(drill.uuid, owner, seconds(600))
    analyse(done.pk, seconds(601))
    return done


@pytest.mark.parametrize("seed", range(8))
def test_no_mock_draws_a_basic_question(exam: Exam, alice: Owner, seed: int) -> None:
    guide = exam.blueprints.get()
    session = start_mock(alice, guide, MockChoice(12), seed, NOW)
    assert not basics() & set(session.items.values_list("version", flat=True))


def test_a_mock_is_refused_rather_than_filled_with_basic_questions(exam: Exam, alice: Owner) -> None:
    Question.objects.filter(live_version__is_basic=False, domain__key="d1").update(withdrawn_at=NOW)
    with pytest.raises(TooFewQuestions):
        start_mock(alice, exam.blueprints.get(), MockChoice(12), 1, NOW)


def test_a_mock_takes_and_counts_only_full_questions(exam: Exam) -> None:
    assert basics() < set(live_versions(exam).values_list("pk", flat=True))
    assert not basics() & set(stock_of(exam).versions().values_list("pk", flat=True))
    assert {each.total for each in bank_of(exam).coverage([]).values()} == {2}
    assert {each.total for each in bank_of(exam).coverage([], public_only=True).values()} == {2}
    assert {len(each.units) for each in Bank(exam, None).domains.values()} == {2}
    (covered,) = bank_coverage()
    assert covered.usable == 12


def test_drills_take_basic_questions_and_they_leave_no_evidence(exam: Exam, alice: Owner) -> None:
    drill = drilled(alice, exam)
    taken = set(drill.items.values_list("version", flat=True))
    assert basics() <= taken
    learner = learner_of(alice)
    past = past_of(learner.pk, exam.pk)
    assert {answer.version for answer in past.answers} == taken - basics()
    assert Standing.objects.get().answers == len(taken - basics()) == 12


def test_basic_questions_enter_neither_statistics_nor_calibration(exam: Exam, alice: Owner) -> None:
    drilled(alice, exam)
    assert not basics() & set(first_exposures().values_list("version", flat=True))
    assert not VersionStatistics.objects.filter(version__is_basic=True, n__gt=0).exists()
    assert not OptionStatistics.objects.filter(version__is_basic=True).exists()
    assert rebuild_statistics() == 12
    assert not basics() & set(first_answers(exam).versions)
    assert calibrate_exam(exam, lambda: NOW)
    assert ItemParameters.objects.count() == 12
    assert not ItemParameters.objects.filter(version__is_basic=True).exists()


def test_basic_questions_and_people_who_met_only_those_are_left_out_of_item_health(exam: Exam, alice: Owner) -> None:
    drilled(alice, exam)
    answer_on_page(guest()[0], Question.objects.filter(live_version__is_basic=True)[0], [1], NOW)
    assert PracticeSession.objects.values("learner").distinct().count() == 2
    assert measure_exam(exam) == 12
    assert not ItemHealth.objects.filter(version__is_basic=True).exists()
    assert set(ItemHealth.objects.values_list("met_by", "learners")) == {(1, 1)}


def test_a_missed_basic_question_is_due_but_gets_no_flashcard(exam: Exam, alice: Owner) -> None:
    drill = begin_drill(alice, exam, size=36)
    for n in range(1, drill.total + 1):
        wrong = next(place for place in range(4) if place not in right_places(drill, n))
        check(drill.uuid, alice, state(n, 1, wrong), None, seconds(n))
    analyse(finish(drill.uuid, alice, seconds(600)).pk, seconds(601))
    learner, later = learner_of(alice), NOW + dt.timedelta(days=30)
    due = due_cards(learner, exam, Today.of(learner, later))
    assert basics() <= set(due.values_list("question__live_version", flat=True))
    assert cards_left(learner, exam, later) == 12


def test_an_answer_on_a_basic_questions_page_is_not_evidence_either(exam: Exam) -> None:
    owner = guest()[0]
    question = Question.objects.filter(live_version__is_basic=True)[0]
    answer_on_page(owner, question, [1], NOW)
    assert past_of(learner_of(owner).pk, exam.pk).answers == []


def test_a_readiness_check_asks_no_basic_question(exam: Exam, alice: Owner) -> None:
    session = start_check(alice, exam, NOW)
    for n in range(1, 13):
        session = answer_check(session.uuid, alice, state(n, 1, *right_places(session, n)), seconds(n))
    assert session.items.count() >= 12
    assert not basics() & set(session.items.values_list("version", flat=True))


def test_a_basic_question_made_full_is_drawn_and_gets_counts_of_its_own(exam: Exam, alice: Owner) -> None:
    version = QuestionVersion.objects.filter(is_basic=True)[0]
    question = version.question
    text = changed(draft(500, "d1"), key=question.key)
    full = publish_draft(save_draft(exam, text, question), text, NOW, Publishing(Change.TYPO, basic=True), None)
    assert (full.is_basic, full.measured_as) == (False, None)
    assert full.pk in set(stock_of(exam).versions().values_list("pk", flat=True))


class TestTwoOptions:
    """A question with two options works wherever a learner meets it."""

    @pytest.fixture(autouse=True)
    def _setup(self) -> None:
        self.exam = make_exam()
        (self.version,) = publish_basic(self.exam, basic(1))
        self.owner, token = guest()
        self.client = guest_client(token)

    def test_a_basic_questions_page_says_so_and_shows_no_empty_part(self) -> None:
        page = self.client.get(self.version.question.get_absolute_url())
        soup = parsed(page)
        assert soup.select("[data-basic]")
        assert len(soup.select("form.ask .option")) == 2
        assert not soup.select("#hint")
        assert [each.text for each in soup.select(".box")] == []
        assert soup.select("[data-own]")
        assert all(each.text.strip() for each in soup.select("#solution p, #solution li, #solution .rationale p"))

    def test_a_full_question_is_not_marked_as_basic(self) -> None:
        (full,) = add_questions(make_exam("other"), 1, domains=("d2",))
        assert not parsed(self.client.get(full.question.get_absolute_url())).select("[data-basic]")

    @pytest.mark.parametrize(("slot", "verdict"), [(1, "right"), (2, "wrong")])
    def test_an_answer_to_two_options_is_marked_on_the_public_page(self, slot: int, verdict: str) -> None:
        asked = {"question": self.version.question.number, "slot": slot}
        page = self.client.post(reverse("answer", args=["pmle"]), asked, HTTP_SEC_FETCH_SITE="same-origin")
        assert verdict in states(page)

    def test_a_drill_and_a_review_ask_and_mark_a_question_with_two_options(self) -> None:
        drill = begin_drill(self.owner, self.exam, size=1)
        with time_machine.travel(seconds(5), tick=False):
            page = parsed(self.client.get(reverse("session", args=[drill.uuid])))
            assert len(page.select("input[type=radio][name^=a-], .options input[type=radio]")) >= 2
            assert booklet_of(drill)
        item = check(drill.uuid, self.owner, state(1, 1, *right_places(drill, 1)), None, seconds(9))
        assert (item.is_correct, len(item.option_order)) == (True, 2)
        done = finish(drill.uuid, self.owner, seconds(20))
        assert (done.score, done.total) == (1, 1)
        with time_machine.travel(seconds(30), tick=False):
            assert self.client.get(reverse("session", args=[drill.uuid]), follow=True).status_code == 200

    def test_letters_of_two_options_can_be_typed_on_a_sheet(self) -> None:
        drill = begin_drill(self.owner, self.exam, size=1)
        with time_machine.travel(seconds(5), tick=False):
            address = reverse("sheet", args=[drill.uuid])
            page = parsed(self.client.get(address))
            hidden = {name: page.select_one(f"#answers [name={name}]")["value"] for name in ("writer", "base")}  # type: ignore[index]
            letter = "AB"[right_places(drill, 1)[0]]
            self.client.post(address, hidden | {"t-1": letter}, HTTP_SEC_FETCH_SITE="same-origin")
        assert SessionItem.objects.get(session=drill).selected == 0b10
