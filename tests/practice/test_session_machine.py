"""Every promise is kept under any order of saves, retries, take-overs, expiry, finishes and new versions.

The machine keeps its own account of what was acknowledged and counts the score from it; the site must agree.
"""

import datetime as dt

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from courseiva.common.masks import mask_from_places
from practice.models import GRACE, LateAnswer
from practice.sessions.ending.finish import close_expired, finish
from practice.sessions.errors import NotOpen, OlderWriter
from practice.sessions.player.save import claim, save
from questions.models import Exam, Question, QuestionVersion, Solution
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.sessions import batch, begin_mock, guest, state

FEW, MANY = 15, 40
STEPS = 30
COUNT = 6
PAGES = 3

answers = st.lists(st.integers(0, 3), max_size=3, unique=True).map(tuple)


class Session(RuleBasedStateMachine):
    """Three pages of one learner on one mock of six questions."""

    @initialize()
    def start(self) -> None:
        self.owner = guest()[0]
        self.now = NOW
        self.session = begin_mock(self.owner, Exam.objects.get(), count=COUNT)
        self.items = {item.position: item for item in self.session.items.all()}
        self.keys = {p: Solution.objects.get(version=item.version_id).key_mask for p, item in self.items.items()}
        self.writers = dict.fromkeys(range(PAGES), 0)
        self.sequence = 0
        self.newest = 0
        self.held: dict[int, int] = dict.fromkeys(self.items, 0)
        self.sent: list[tuple[int, int, int, tuple[int, ...]]] = []
        self.late: set[tuple[int, int, int]] = set()
        self.score: int | None = None

    @property
    def over(self) -> bool:
        return self.score is not None

    def expire_if_due(self) -> None:
        if not self.over and self.now > self.session.deadline + GRACE:
            self.count_score()

    def count_score(self) -> None:
        self.score = sum(self.held[p] == self.keys[p] for p in self.items)

    @rule(minutes=st.sampled_from([0, 1, 5, 20]))
    def wait(self, minutes: int) -> None:
        self.now += dt.timedelta(minutes=minutes)

    @rule(page=st.integers(0, PAGES - 1))
    def open_page(self, page: int) -> None:
        self.expire_if_due()
        if self.over:
            with pytest.raises(NotOpen):
                claim(self.session.uuid, self.owner, self.now)
            return
        self.newest += 1
        self.writers[page] = self.newest
        assert claim(self.session.uuid, self.owner, self.now).writer == self.newest

    @rule(page=st.integers(0, PAGES - 1), position=st.integers(1, COUNT), places=answers)
    def answer(self, page: int, position: int, places: tuple[int, ...]) -> None:
        self.sequence += 1
        self.send(self.writers[page], position, self.sequence, places)

    @precondition(lambda self: self.sent)
    @rule(data=st.data())
    def repeat(self, data: st.DataObject) -> None:
        """Send an earlier request again, perhaps after newer ones."""
        self.send(*data.draw(st.sampled_from(self.sent)))

    def send(self, writer: int, position: int, sequence: int, places: tuple[int, ...]) -> None:
        self.sent.append((writer, position, sequence, places))
        self.expire_if_due()
        request = batch(writer, state(position, sequence, *places))
        mask = mask_from_places(places, self.items[position].option_order)
        if not self.over and writer != self.newest:
            with pytest.raises(OlderWriter):
                save(self.session.uuid, self.owner, request, self.now)
            return
        result = save(self.session.uuid, self.owner, request, self.now)
        if self.over:
            if mask != self.held[position]:
                self.late.add((position, writer, sequence))
                assert result.late == [position]
            return
        assert result.saved == [position]
        newer = [s for w, p, s, _ in self.acknowledged() if p == position and w == writer and s > sequence]
        if not newer:
            self.held[position] = mask
        self.taken.append((writer, position, sequence, mask))

    def acknowledged(self) -> list[tuple[int, int, int, int]]:
        if not hasattr(self, "taken"):
            self.taken: list[tuple[int, int, int, int]] = []
        return self.taken

    @rule()
    def submit(self) -> None:
        self.expire_if_due()
        if not self.over:
            self.count_score()
        assert finish(self.session.uuid, self.owner, self.now).score == self.score

    @rule()
    def sweep(self) -> None:
        self.expire_if_due()
        close_expired(self.now)

    @rule(position=st.integers(1, COUNT))
    def publish_a_new_version(self, position: int) -> None:
        question = Question.objects.get(versions=self.items[position].version_id)
        version = QuestionVersion.objects.get(pk=question.live_version_id)
        key = Solution.objects.get(version=version).key_mask
        version.pk, version.number = None, question.versions.count() + 1
        version.save()
        Solution.objects.create(version=version, key_mask=2 if key == 4 else 4, text={}, html={})
        Question.objects.filter(pk=question.pk).update(live_version=version)

    @invariant()
    def the_server_holds_what_it_acknowledged(self) -> None:
        if not hasattr(self, "items"):
            return
        stored = {item.position: item for item in self.session.items.all()}
        assert {p: item.selected for p, item in stored.items()} == self.held
        assert {p: item.version_id for p, item in stored.items()} == {p: i.version_id for p, i in self.items.items()}

    @invariant()
    def the_result_is_one_and_equals_an_independent_count(self) -> None:
        if not hasattr(self, "items"):
            return
        self.session.refresh_from_db()
        if self.session.finished_at:
            assert self.session.score == self.score
            late = LateAnswer.objects.filter(session=self.session)
            assert set(late.values_list("position", "writer", "sequence")) == self.late


@pytest.mark.django_db
@pytest.mark.parametrize("examples", [FEW, pytest.param(MANY, marks=pytest.mark.soak)])
def test_saving_keeps_its_promises_whatever_the_order_of_requests(examples):
    exam = make_exam()
    add_questions(exam, 3)
    run_state_machine_as_test(
        Session,
        settings=settings(
            max_examples=examples,
            stateful_step_count=STEPS,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            derandomize=True,
        ),
    )
