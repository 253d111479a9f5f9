"""The cost of a learner's pages and of a new mock grows with neither past sessions nor the bank."""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from practice.learners.reads.identity import Owner
from practice.models import Learner, Mode, PracticeSession, SessionItem
from practice.notebook.reads.misses import count_misses
from practice.reviews.reads import comes_back
from practice.sessions.ending.finish import discard, finish
from practice.sessions.reads.tally.reads import current, rows_of, seen_by
from practice.sessions.reads.tally.rules import unpack
from practice.start.begin import MockChoice, start_mock
from practice.start.reads.bank import bank_of
from practice.start.reads.picking import pick_mock, stock_of, weights_of
from questions.catalogue.rules.shares import allocate
from questions.models import Exam, Hint, Question, QuestionVersion, Solution
from tests.bench.past import learner_with
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.database_work import work_done
from tests.support.sessions import begin_drill, guest, guest_client, seconds

PASTS = (1, 3, 30)
LENGTH, DRILLED = 60, 10
BANKS = (100, 1000)
BIG_BANK = 10_000
ROWS_PER_QUESTION = 3
PICK_STATEMENTS = 3
# A guest's network is locked, looked up and noted. A new guest is noted first and looked up afterwards: an
# account that has just adopted this guest continues in its place.
START, NEW_GUEST = 16, 5
DRAFTED = 2
"""Questions published in each domain; the rest of a bank are copies of their rows."""


class Fetched:
    """Counts statements, and the rows that Python received from the database."""

    def __init__(self) -> None:
        self.statements = self.rows = 0

    def watch(self, execute: Callable, sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        """Count a statement, as Django's execute wrappers do, and make its cursor count the rows fetched from it."""
        self.statements += 1
        result = execute(sql, params, many, context)
        cursor = context["cursor"]
        for name in ("fetchone", "fetchmany", "fetchall"):
            setattr(cursor, name, self._counting(getattr(cursor.cursor, name)))
        return result

    def _counting(self, fetch: Callable) -> Callable:
        def counted(*args: Any, **kwargs: Any) -> Any:
            rows = fetch(*args, **kwargs)
            self.rows += len(rows) if isinstance(rows, list) else rows is not None
            return rows

        return counted


@contextlib.contextmanager
def fetched() -> Iterator[Fetched]:
    """Count the statements and rows of the block."""
    count = Fetched()
    with connection.execute_wrapper(count.watch):
        yield count


def fill(exam: Exam, size: int) -> None:
    """Create exactly ``size`` public questions, spread over the domains; most of them are copies of a few."""
    versions = add_questions(exam, DRAFTED)
    newest = [model.objects.order_by("-pk").values_list("pk", flat=True)[0] for model in (Question, QuestionVersion)]
    first = max(newest) + 1
    parents = Question.objects.in_bulk([version.question_id for version in versions])
    hints, solutions = Hint.objects.in_bulk(), Solution.objects.in_bulk()
    copies: dict[type, list] = {Question: [], QuestionVersion: [], Hint: [], Solution: []}
    for n in range(size - len(versions)):
        version = versions[n % len(versions)]
        pk = first + n
        copies[QuestionVersion].append(_copy(version, pk=pk, question_id=pk))
        question = parents[version.question_id]
        copies[Question].append(_copy(question, pk=pk, key=f"copy{pk}", number=pk + size, live_version_id=None))
        copies[Hint].append(_copy(hints[version.pk], version_id=pk))
        copies[Solution].append(_copy(solutions[version.pk], version_id=pk))
    for model, rows in copies.items():
        model.objects.bulk_create(rows)
    Question.objects.filter(live_version=None).update(live_version_id=F("pk"))
    assert exam.questions.filter(live_version__isnull=False).count() == size


def _copy(row: Any, **fields: Any) -> Any:
    values = {f.attname: getattr(row, f.attname) for f in row._meta.concrete_fields} | fields
    if "pk" in values:
        values[row._meta.pk.attname] = values.pop("pk")
    return type(row)(**values)


def see(learner: Learner, exam: Exam, share: float) -> int:
    """Give the learner a finished session that showed this share of each domain's questions; return how many."""
    session = PracticeSession.objects.create(
        learner=learner, exam=exam, mode=Mode.DRILL, started_at=NOW, finished_at=NOW
    )
    items = []
    for domain in exam.domains.all():
        versions = list(QuestionVersion.objects.filter(domain=domain).order_by("pk").values_list("pk", flat=True))
        for version in versions[: int(len(versions) * share)]:
            at = NOW + dt.timedelta(seconds=len(items))
            items.append(
                SessionItem(
                    session=session, position=len(items) + 1, version_id=version, option_order="1234", displayed_at=at
                )
            )
    SessionItem.objects.bulk_create(items)
    return len(items)


def pick(exam: Exam, share: float) -> tuple[Fetched, list]:
    """Draw a full mock for a learner who has seen this share of the bank; return the count and the picks."""
    learner = Learner.objects.create(guest_key=f"seen {share}", created_at=NOW)
    see(learner, exam, share)
    wanted = allocate(weights_of(exam.blueprints.get()), LENGTH)
    with fetched() as count:
        picks = pick_mock(stock_of(exam), learner, wanted, 1)
    return count, picks


def check_picking(exam: Exam, size: int) -> None:
    """Check the bounds for a newcomer and for learners who have seen half, nearly all and all of the bank."""
    fill(exam, size)
    wanted = allocate(weights_of(exam.blueprints.get()), LENGTH)
    assert sum(wanted.values()) == LENGTH
    for share in (0.0, 0.5, 0.95, 1.0):
        count, picks = pick(exam, share)
        assert len({one.version_id for one in picks}) == len(picks) == LENGTH
        assert {d: sum(one.domain_id == d for one in picks) for d in wanted} == wanted
        assert count.statements <= PICK_STATEMENTS, share
        assert count.rows <= ROWS_PER_QUESTION * LENGTH, share
        if share == 1:
            assert all(one.seen_before for one in picks)


@pytest.mark.django_db
@pytest.mark.parametrize("size", BANKS)
def test_picking_a_mock_costs_the_same_in_any_bank(size: int) -> None:
    check_picking(make_exam(), size)


@pytest.mark.soak
@pytest.mark.django_db
def test_picking_a_mock_costs_the_same_in_a_bank_of_ten_thousand() -> None:
    check_picking(make_exam(), BIG_BANK)


@pytest.mark.django_db
def test_the_least_recently_seen_questions_come_back_first_in_each_domain() -> None:
    exam = make_exam()
    fill(exam, 120)
    learner = Learner.objects.create(guest_key="k", created_at=NOW)
    assert see(learner, exam, 1) == 120
    wanted = allocate(weights_of(exam.blueprints.get()), 24)
    picks = pick_mock(stock_of(exam), learner, wanted, 1)
    for domain, count in wanted.items():
        order = SessionItem.objects.filter(version__domain=domain).order_by("displayed_at")
        oldest = set(order.values_list("version_id", flat=True)[:count])
        assert {one.version_id for one in picks if one.domain_id == domain} == oldest


def past_mocks(exam: Exam, count: int, length: int) -> tuple[Client, PracticeSession]:
    """Return the client of a guest with that many finished mocks, and the last of them."""
    owner, token = guest()
    blueprint = exam.blueprints.get()
    for n in range(count):
        session = start_mock(owner, blueprint, MockChoice(length), n, seconds(1000 * n))
        session = finish(session.uuid, owner, seconds(1000 * n + 500))
    return guest_client(token), session


def costs(exam: Exam, count: int, length: int) -> dict[str, int]:
    """Return the statement count of each page of a guest with that past."""
    client, session = past_mocks(exam, count, length)
    addresses = {
        "history": reverse("history"),
        "hub": reverse("hub", args=[exam.slug]),
        "mock": reverse("mock", args=[exam.slug]),
        "results": reverse("results", args=[session.uuid]),
    }
    found = {}
    for name, address in addresses.items():
        client.get(address)  # the bank counts that all learners' pages share are cached for a minute
        with CaptureQueriesContext(connection) as statements:
            assert client.get(address).status_code == 200
        found[name] = len(statements)
    return found


@pytest.mark.django_db
def test_pages_cost_the_same_after_one_session_and_after_thirty() -> None:
    exam = make_exam()
    add_questions(exam, 2)
    found = [costs(exam, count, 6) for count in PASTS]
    # Where fewer than half of its questions were new, a result is compared with nobody's, and fetches none.
    first = found[0] | {"results": found[0]["results"] - 1}
    assert first == found[1] == found[2]
    assert found[0]["results"] <= 11


@pytest.mark.django_db
def test_pages_cost_the_same_with_few_questions_and_with_many() -> None:
    exam = make_exam()
    fill(exam, 120)
    found = [costs(exam, 2, length) for length in (6, 60)]
    assert found[0] == found[1]


@pytest.mark.django_db
def test_history_fetches_one_page_of_sessions_however_many_there_are() -> None:
    exam = make_exam()
    add_questions(exam, 2)
    rows = []
    for count in (15, 30):
        client, _ = past_mocks(exam, count, 6)
        with fetched() as found:
            client.get(reverse("history"))
        rows.append(found.rows)
    assert rows[0] == rows[1]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("share", [None, 0.0, 0.95, 1.0], ids=["a new guest", "a newcomer", "seen most", "seen all"])
def test_starting_a_full_mock_takes_the_same_statements_for_every_learner(share: float | None) -> None:
    exam = make_exam()
    fill(exam, 120)
    owner, token = guest()
    if share is not None:
        see(Learner.objects.create(guest_key=owner.guest_key, created_at=NOW), exam, share)
    fields = {"blueprint": "june-2026", "count": str(LENGTH), "time_factor": "1", "conditions": "exam"}
    client = guest_client(token) if share is not None else Client()
    bank_of(exam)  # counted once a minute, for all learners
    with CaptureQueriesContext(connection) as statements:
        response = client.post(reverse("mock", args=[exam.slug]), fields, HTTP_SEC_FETCH_SITE="same-origin")
    assert response.status_code == 302
    assert len(statements) <= START + NEW_GUEST * (share is None), [statement["sql"][:90] for statement in statements]
    assert SessionItem.objects.filter(session__mode=Mode.MOCK).count() == LENGTH


LIGHT, HEAVY = 8, 120
OWN_PAGES = START_PAGE = 8
NEEDED_ROWS = 50
"""Rows a page may fetch (a few predictions, the guide, the last results) besides those of review cards, of which there
is at most one for each unit."""


@pytest.mark.long("many requests")
@pytest.mark.django_db
@pytest.mark.parametrize("is_open", [False, True], ids=["nothing open", "a drill open"])
def test_a_long_history_costs_no_more_than_a_short_one(is_open: bool) -> None:
    exam = make_exam()
    add_questions(exam, 14)
    addresses = [reverse("home"), *(reverse(name, args=[exam.slug]) for name in ("hub", "readiness", "mock"))]
    found = []
    for past in (LIGHT, HEAVY):
        learner = learner_with(exam, past)
        client = Client()
        client.force_login(learner.user)
        if is_open:
            begin_drill(Owner(user_id=learner.user_id), exam, timezone.now())
        for address in addresses:
            client.get(address)  # the bank is counted once a minute, for all learners
            with fetched() as count:
                assert client.get(address).status_code == 200
            found.append((address, count.statements))
            shown = 3 * LENGTH + DRILLED if address == reverse("home") else DRILLED
            assert count.rows <= NEEDED_ROWS + shown + learner.cards.count(), address
    assert found[: len(addresses)] == found[len(addresses) :]
    assert max(count for address, count in found if "mock" not in address) <= OWN_PAGES
    assert max(count for _, count in found) <= START_PAGE


STEPS_A_SESSION = 40
"""SQLite's steps to look for a question in one session."""


@pytest.mark.skipif(connection.vendor != "sqlite", reason="asks for an index that only SQLite has")
@pytest.mark.django_db
def test_sqlite_looks_for_a_question_in_a_long_past_without_reading_its_answers() -> None:
    exam = make_exam()
    add_questions(exam, 10)
    learner = learner_with(exam, PASTS[-1])
    unseen = add_questions(exam, 1)[0].question_id
    work = work_done(lambda: comes_back(learner.pk, exam.pk, [unseen]))
    assert work <= STEPS_A_SESSION * PASTS[-1]


@pytest.mark.django_db
def test_seen_questions_come_from_the_stored_tally_plus_later_sessions() -> None:
    exam = make_exam()
    add_questions(exam, 14)
    learner, now = learner_with(exam, LIGHT), timezone.now()
    kept, owner = learner.standings.get(), Owner(user_id=learner.user_id)
    assert seen_by(learner, exam.pk, kept.tally, kept.as_of) == unpack(kept.tally).seen
    for length, close in ((9, finish), (7, discard), (5, None)):
        session = begin_drill(owner, exam, now, size=length)
        session.items.filter(position__lt=length).update(displayed_at=now)
        if close:
            close(session.uuid, owner, now + dt.timedelta(minutes=1))
        found = seen_by(learner, exam.pk, kept.tally, kept.as_of)
        assert found == {row.question for row in rows_of(learner.pk, exam.pk) if row.displayed}


@pytest.mark.django_db
def test_a_fresh_count_equals_the_stored_one() -> None:
    """A standing from the previous release has no tally, nor has one whose learner discarded something."""
    exam = make_exam()
    add_questions(exam, 14)
    learner, now = learner_with(exam, 2 * LIGHT), timezone.now()
    kept = learner.standings.get()
    assert unpack(kept.tally) == current(learner, exam.pk, "", None, now).tally
    with_kept = current(learner, exam.pk, kept.tally, kept.as_of, now)
    assert with_kept.is_kept
    assert with_kept.tally == unpack(kept.tally)
    assert count_misses(rows_of(learner.pk, exam.pk)).pack() == kept.misses
