"""A guest signs in, or an account is deleted, between any two statements of a request in progress.

Each request is sent once for each of its statements, and each time the sign-in or deletion happens before a different
statement: in full where no lock prevents it, otherwise once the request is done. Nobody gets a server error, and
whatever a guest was told had been saved stays with the account.
"""

from __future__ import annotations

import copy
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
import time_machine
from django.apps import apps
from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from courseiva.accounts.changes.delete import remove_account
from courseiva.accounts.models import User
from practice.handover.adopt import adopt
from practice.learners.enrol import end_adoptions
from practice.learners.reads.identity import UNDER_WAY, Owner
from practice.models import Adoption, ExamPlan, Learner, Mode, ModuleRead, Note, PracticeSession, SessionItem, Star
from practice.readiness.tasks import analyse_session
from practice.sessions.ending.finish import finish
from practice.sessions.player.save import claim
from questions.models import Exam, StudyModule
from tests.support.bank import add_questions, make_exam
from tests.support.sessions import begin_drill, begin_mock, guest, guest_client

LOOK, LONGEST_HOLD, PATIENCE = 0.005, 1, 30
"""All in seconds: the time between two looks at whether the other thread is waiting, the time after which the request
goes on in any case, and the time by which the other thread must be done.
"""
WAITS_FOR = """SELECT EXISTS (
    SELECT FROM pg_stat_activity WHERE datname = current_database() AND %s = ANY (pg_blocking_pids(pid))
)"""
OWN = {"sec-fetch-site": "same-origin"}

pytestmark = pytest.mark.django_db(transaction=True)


@dataclass
class Case:
    """Somebody with a running mock, a running drill and a finished mock."""

    client: Client
    owner: Owner
    user: User
    mock: PracticeSession
    drill: PracticeSession
    over: PracticeSession
    writer: int


Act = Callable[[Case], Any]


@pytest.fixture
def exam(monkeypatch: pytest.MonkeyPatch) -> Exam:
    """Create an exam whose results are not analysed during the request, as on a site with workers."""
    monkeypatch.setattr(analyse_session, "delay_on_commit", lambda *_: None)
    exam = make_exam()
    add_questions(exam, 6)
    facts = {"slug": "serving", "title": "Serving", "summary": "A summary.", "body": "Text."}
    StudyModule.objects.create(exam=exam, domain=exam.domains.get(key="d1"), number=1, **facts)
    return exam


def begin(exam: Exam, n: int, signed_in: bool) -> Case:
    user = User.objects.create_user(f"person{n}@example.org")
    owner, token = guest()
    client = guest_client(token, headers=OWN, raise_request_exception=False)
    if signed_in:
        owner, client = Owner(user_id=user.pk), Client(headers=OWN, raise_request_exception=False)
        client.force_login(user, "allauth.account.auth_backends.AuthenticationBackend")
    now = timezone.now()
    over = finish(begin_mock(owner, exam, 6, now).uuid, owner, now)
    mock, drill = begin_mock(owner, exam, 6, now), begin_drill(owner, exam, now, size=5)
    return Case(client, owner, user, mock, drill, over, claim(drill.uuid, owner, now).writer)


def keep_rows() -> list[str]:
    """Copy the rows of every table except the bank's, which no request here changes; return the tables' names.

    Setting up a case takes four times as long as the request under test.
    """
    models = [m for m in apps.get_models(include_auto_created=True) if m._meta.managed and not m._meta.proxy]
    tables = [each._meta.db_table for each in models if each._meta.app_label not in ("questions", "contenttypes")]
    with connection.cursor() as cursor:
        for table in tables:
            cursor.execute(f'CREATE TEMPORARY TABLE "kept_{table}" AS SELECT * FROM "{table}"')
    return tables


def put_back(tables: list[str]) -> None:
    """Restore the copied rows. Foreign keys are checked when the transaction ends, so any order will do."""
    with transaction.atomic(), connection.cursor() as cursor:
        for table in tables:
            cursor.execute(f'DELETE FROM "{table}"')
            cursor.execute(f'INSERT INTO "{table}" SELECT * FROM "kept_{table}"')


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    """Close the connection after each test, because a temporary table lasts as long as its connection."""
    yield
    connection.close()


def give_way(other: threading.Thread, begins: threading.Event) -> None:
    """Wait until the other thread is done, or is waiting for one of our locks and can't go on before we do.

    Our transaction holds SQLite's only lock from the start, and the other thread asks for it when it begins.
    """
    ours, end = connection, time.monotonic() + LONGEST_HOLD
    if ours.vendor != "postgresql":
        if not ours.in_atomic_block:
            return other.join(PATIENCE)
        while other.is_alive() and not begins.wait(LOOK) and time.monotonic() < end:
            pass
        return None
    watching = connections.create_connection(DEFAULT_DB_ALIAS)
    try:
        while other.is_alive() and time.monotonic() < end:
            other.join(LOOK)
            with watching.cursor() as cursor:
                cursor.execute(WAITS_FOR, [ours.connection.get_backend_pid()])
                if cursor.fetchone()[0]:
                    return None
    finally:
        watching.close()


@contextmanager
def before_statement(number: int, happens: Callable[[], Any]) -> Iterator[list[str]]:
    """Count this thread's statements, and call ``happens`` before the one with this number."""
    sent: list[str] = []
    errors: list[BaseException] = []
    begins = threading.Event()

    def note_begin(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith("BEGIN"):
            begins.set()
        return execute(sql, params, many, context)

    def other() -> None:
        try:
            with connection.execute_wrapper(note_begin):
                happens()
        except BaseException as error:  # noqa: BLE001 - raised again below
            errors.append(error)
        finally:
            connection.close()

    thread = threading.Thread(target=other, daemon=True)

    def watch(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if len(sent) == number:
            thread.start()
            give_way(thread, begins)
        sent.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(watch):
        yield sent
    if thread.ident is not None:
        thread.join(PATIENCE)
    assert not thread.is_alive(), "the two wait for each other"
    assert errors == []


def post(case: Case, name: str, *where: Any, **fields: Any) -> Any:
    return case.client.post(reverse(name, args=where), fields)


def send(case: Case, name: str, *where: Any, **fields: Any) -> Any:
    return case.client.post(reverse(name, args=where), json.dumps(fields), "application/json")


def item(position: int) -> dict[str, Any]:
    return {"p": position, "seq": 1, "sel": [0]}


ACTS: dict[str, Act] = {
    "answer": lambda case: post(case, "answer", "pmle", question="1", slot="1"),
    "note": lambda case: post(case, "note", case.over.uuid, 1, text="Look again."),
    "star": lambda case: post(case, "star", case.over.uuid, 1, on="1"),
    "finish": lambda case: post(case, "finish", case.mock.uuid),
    "read": lambda case: post(case, "module-read", "pmle", 1),
    "drill": lambda case: post(case, "drill", "pmle", size="5", order="random"),
    "save": lambda case: send(case, "save", case.drill.uuid, writer=case.writer, items=[item(1)]),
    "check": lambda case: send(case, "check", case.drill.uuid, writer=case.writer, items=[item(1)]),
    "page": lambda case: post(
        case, "session", case.drill.uuid, writer=str(case.writer), base=";;;;", check="1", **{"a-1": "0"}
    ),
    "plan": lambda case: post(case, "plan", "pmle", exam_date="2030-01-01", minutes_a_day="30"),
}

OFTEN = ("answer", "note", "star", "finish", "read", "drill")
"""Each of these reaches the learner's lock by a different path; the others share one, and only slow tests try them."""
SENT = [act if act in OFTEN else pytest.param(act, marks=pytest.mark.soak) for act in ACTS]

KEPT: dict[str, Callable[[Case, Learner], bool]] = {
    "answer": lambda _, learner: SessionItem.objects.filter(session__learner=learner, session__mode=Mode.PAGE).exists(),
    "note": lambda _, learner: Note.objects.filter(learner=learner, text="Look again.").exists(),
    "star": lambda _, learner: Star.objects.filter(learner=learner).exists(),
    "finish": lambda case, learner: PracticeSession.objects.filter(
        pk=case.mock.pk, learner=learner, finished_at__isnull=False
    ).exists(),
    "read": lambda _, learner: ModuleRead.objects.filter(learner=learner).exists(),
    "drill": lambda case, learner: (
        PracticeSession.objects.filter(learner=learner, mode=Mode.DRILL).exclude(pk=case.drill.pk).exists()
    ),
    "save": lambda case, _: case.drill.items.get(position=1).selected > 0,
    "check": lambda case, _: case.drill.items.get(position=1).checked_at is not None,
    "page": lambda case, _: case.drill.items.get(position=1).checked_at is not None,
    "plan": lambda _, learner: ExamPlan.objects.filter(learner=learner, minutes_a_day=30).exists(),
}


def each_interleaving(
    exam: Exam, act: str, signed_in: bool, event: Callable[[Case], Any]
) -> Iterator[tuple[Case, Any]]:
    """Yield the case and its response for each statement of the request; in the last one nothing happens in between."""
    number, statements = 0, 1
    case = begin(exam, 1, signed_in)
    cookies = copy.deepcopy(case.client.cookies)
    tables = keep_rows()
    while number <= statements:
        put_back(tables)
        case.client.cookies = copy.deepcopy(cookies)
        with before_statement(number, lambda case=case: event(case)) as sent:
            answer = ACTS[act](case)
        if number >= len(sent):
            event(case)
        yield case, answer
        number, statements = number + 1, len(sent)


@pytest.mark.long("many requests")
@pytest.mark.parametrize("act", SENT)
def test_a_guest_who_signs_in_during_a_request_loses_nothing(exam: Exam, act: str) -> None:
    seen = 0
    for case, answer in each_interleaving(
        exam, act, False, lambda case: adopt(case.owner, Owner(user_id=case.user.pk), timezone.now())
    ):
        assert answer.status_code in (200, 302), (seen, answer.status_code)
        assert "/accounts/login/" not in answer.headers.get("Location", ""), seen
        learner = Learner.objects.get(user=case.user)
        assert KEPT[act](case, learner), seen
        assert not Learner.objects.filter(guest_key=case.owner.guest_key).exists(), seen
        seen += 1
    assert seen > 3


@pytest.mark.long("many requests")
@pytest.mark.parametrize("act", SENT)
def test_an_account_deleted_during_a_request_causes_no_error_and_leaves_nothing(exam: Exam, act: str) -> None:
    seen = 0
    for case, answer in each_interleaving(exam, act, True, lambda case: remove_account(case.user.pk, timezone.now())):
        assert answer.status_code in (200, 302, 403, 404, 410), (seen, answer.status_code)
        assert not User.objects.filter(pk=case.user.pk).exists(), seen
        assert not Learner.objects.filter(user__isnull=False).exists(), seen
        for model in (Note, Star, ModuleRead, ExamPlan):
            assert not model.objects.filter(learner__guest_key=None).exists(), (seen, model)
        seen += 1
    assert seen > 3


def test_a_guests_request_continues_in_the_adopting_account_but_not_after_a_sign_out(exam: Exam) -> None:
    case = begin(exam, 1, False)
    user = Owner(user_id=case.user.pk)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        adopt(case.owner, user, timezone.now())
        clock.shift(UNDER_WAY.total_seconds() - 1)
        assert ACTS["note"](case).status_code == 302
        clock.shift(2)
        assert ACTS["star"](case).status_code in (302, 404)
        assert not Star.objects.exists()
        assert ACTS["answer"](case).status_code == 200
        assert Learner.objects.filter(guest_key=case.owner.guest_key).count() == 1, "a guest again"
        adopt(case.owner, user, timezone.now())
        end_adoptions(case.user.pk)
        assert not Adoption.objects.exists()
        assert ACTS["answer"](case).status_code == 200
        assert Learner.objects.filter(guest_key=case.owner.guest_key).count() == 1


@pytest.mark.long("many requests")
def test_clearing_a_guest_that_is_being_adopted_causes_no_error(exam: Exam) -> None:
    number, statements = 0, 1
    while number <= statements:
        case = begin(exam, number, False)
        with before_statement(
            number, lambda case=case: adopt(case.owner, Owner(user_id=case.user.pk), timezone.now())
        ) as sent:
            assert post(case, "forget-guest").status_code == 302
        number, statements = number + 1, len(sent)
