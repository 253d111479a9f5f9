"""A learner can download all their own data, nobody else's, and no more of a question than they were shown."""

import csv
import datetime as dt
import io
import json

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from courseiva.accounts.models import User
from practice.learners.reads.identity import Owner
from practice.models import ExamPlan, Learner, ModuleRead, SectionRead
from practice.notebook.keep import keep_note, set_miss_class, set_star
from practice.readiness.derive.analyse import analyse
from practice.sessions.ending.finish import discard, finish
from practice.sessions.player.check import answer_on_page, check
from practice.sessions.player.save import claim, save
from questions.models import Domain, Question, QuestionVersion, ReportKind, StudyModule
from questions.reports.reads.reporters import Reporter
from questions.reports.report import Complaint, report
from tests.support.bank import CANARY, NOW, add_questions, make_exam
from tests.support.sessions import batch, begin_drill, begin_mock, right_places, seconds, state

pytestmark = pytest.mark.django_db
LETTERS = "ABCDE"
JSON_STATEMENTS, CSV_STATEMENTS = 26, 5


@pytest.fixture
def exam():
    exam = make_exam()
    add_questions(exam, 4)
    add_questions(exam, 2, pool="reserved")
    return exam


@pytest.fixture
def carol(exam):
    user = User.objects.create_user("carol@example.com", "long-enough-password", display_name="Carol C.")
    user.emailaddress_set.create(email=user.email, verified=True, primary=True)
    client = Client()
    client.force_login(user)
    client.owner = Owner(user_id=user.pk)
    return client


def sit(owner, exam, now=NOW, count=10):
    """Finish a mock with a flagged right answer, a wrong one, unanswered questions and one late answer."""
    session = begin_mock(owner, exam, count, now)
    writer = claim(session.uuid, owner, now).writer
    wrong = (right_places(session, 2)[0] + 1) % 4
    states = [
        state(1, 1, *right_places(session, 1), flagged=True, confidence=2, seconds=30),
        state(2, 1, wrong, seconds=10),
    ]
    states += [state(n, 1, seconds=20) for n in range(3, count + 1)]
    save(session.uuid, owner, batch(writer, *states), now)
    finish(session.uuid, owner, now + dt.timedelta(minutes=10))
    save(session.uuid, owner, batch(writer, state(3, 1, 0)), now + dt.timedelta(minutes=11))
    analyse(session.pk, now + dt.timedelta(minutes=12))
    return session


def everything(owner, exam):
    """Give a learner one of each thing a learner can have."""
    session = sit(owner, exam)
    keep_note(owner, session.uuid, 1, "Look at the batch size.", NOW)
    set_star(owner, session.uuid, 2, True, NOW)
    set_miss_class(owner, session.uuid, 2, "misread")
    learner = Learner.objects.get(**owner.of_learner)
    ExamPlan.objects.create(learner=learner, exam=exam, exam_date=dt.date(2027, 1, 2), minutes_a_day=30, remind_on=2)
    module = StudyModule.objects.create(
        exam=exam, domain=Domain.objects.first(), number=1, slug="one", title="Module one", summary="", body="", html=""
    )
    ModuleRead.objects.create(learner=learner, module=module, read_at=NOW)
    SectionRead.objects.create(learner=learner, module=module, anchor="first", read_at=NOW)
    answer_on_page(owner, Question.objects.get(number=1), [1], seconds(2000))
    return session


def text_of(client, name="export-json"):
    response = client.get(reverse(name))
    assert response.status_code == 200
    return b"".join(response.streaming_content).decode()


def exported(client):
    return json.loads(text_of(client))


def table(client):
    return list(csv.DictReader(io.StringIO(text_of(client, "export-csv"))))


class TestWhatIsInIt:
    def test_the_export_has_everything_that_belongs_to_the_person_and_the_learner(self, carol, exam):
        session = everything(carol.owner, exam)
        version = session.items.get(position=1).version
        complaint = Complaint(ReportKind.WORDING, "The table has no size.", 1)
        report(version, complaint, Reporter(user_id=carol.owner.user_id), NOW)
        data = exported(carol)
        assert (data["account"]["email"], data["account"]["display_name"]) == ("carol@example.com", "Carol C.")
        assert data["account"]["addresses"] == [{"email": "carol@example.com", "verified": True, "primary": True}]
        assert (data["learner"]["is_guest"], data["learner"]["time_zone"]) == (False, "UTC")
        assert [(n["text"], n["title"]) for n in data["notes"]] == [("Look at the batch size.", version.title)]
        assert data["stars"][0]["question"] == session.items.get(position=2).version.question_id
        assert data["plans"][0] == {
            "exam": "pmle", "exam_date": "2027-01-02", "minutes_a_day": 30, "told_at": None, "calendar": False,
            "remind_on": ["Tuesday"], "reminded_on": None,
        }  # fmt: skip
        assert data["modules_read"][0]["title"] == "Module one"
        assert [row["anchor"] for row in data["sections_read"]] == ["first"]
        assert data["standings"][0]["exam"] == data["predictions"][0]["exam"] == "pmle"
        assert data["predictions"][0]["session"] == str(session.uuid)
        assert {card["question"] for card in data["review_cards"]} >= {data["stars"][0]["question"]}
        assert (data["reports"][0]["text"], data["reports"][0]["title"]) == ("The table has no size.", version.title)
        assert data["reports"][0]["option"].startswith("Thing 1")
        assert [(s["mode"], s["score"]) for s in data["sessions"]] == [("mock", 1), ("page", None)]
        assert len(data["answers"]) == 11
        assert data["regrades"] == data["predictions_tested"] == []

    def test_an_answer_gives_what_was_shown_and_chosen_in_words(self, alice, exam):
        session = everything(alice.owner, exam)
        item = session.items.get(position=1)
        place = right_places(session, 1)[0]
        words = next(o["text"] for o in item.version.options if f"{o['slot']:x}" == item.option_order[place])
        first, second, third = exported(alice)["answers"][:3]
        assert (first["title"], first["version"], first["question"]) == (
            item.version.title, 1, item.version.question_id,
        )  # fmt: skip
        assert (first["chosen"], first["chosen_words"], first["correct"]) == ([LETTERS[place]], [words], True)
        assert (first["flagged"], first["confidence"], first["seconds"]) == (True, "Unsure", 30)
        assert (second["correct"], second["miss_class"]) == (False, "misread")
        assert (third["chosen"], third["late_answers"][0]["chosen"]) == ([], ["A"])

    def test_the_table_has_a_row_for_each_answer(self, alice, exam):
        everything(alice.owner, exam)
        rows = table(alice)
        assert len(rows) == 11
        assert (rows[0]["correct"], rows[1]["correct"], rows[0]["flagged"]) == ("yes", "no", "yes")
        assert rows[0]["chosen_words"].startswith("Thing")
        assert rows[0]["answered_at"] == NOW.isoformat()

    def test_no_cell_can_be_read_as_a_formula(self, alice, exam):
        session = sit(alice.owner, exam)
        version = session.items.get(position=1).version
        options = [{**option, "text": "+SUM(A1)"} for option in version.options]
        QuestionVersion.objects.filter(pk=version.pk).update(title="=HYPERLINK(1)", options=options)
        row = table(alice)[0]
        assert (row["title"], row["chosen_words"]) == ("'=HYPERLINK(1)", "'+SUM(A1)")

    def test_the_export_is_an_attachment_that_no_cache_keeps(self, alice, exam):
        for name, kind, suffix in (("export-json", "application/json", "json"), ("export-csv", "text/csv", "csv")):
            response = alice.get(reverse(name))
            assert response["Content-Type"].startswith(kind)
            assert response["Content-Disposition"].startswith('attachment; filename="courseiva-')
            assert response["Content-Disposition"].endswith(f'.{suffix}"')
            assert "no-store" in response["Cache-Control"]
            assert alice.post(reverse(name)).status_code == 405


class TestWhatIsNotInIt:
    def test_the_export_has_no_key_and_no_rationale_of_any_question(self, carol, exam):
        everything(carol.owner, exam)
        begin_mock(carol.owner, exam, now=seconds(4000))
        drill = begin_drill(carol.owner, exam, seconds(5000))
        check(drill.uuid, carol.owner, state(1, 1, 0), None, seconds(5001))
        for name in ("export-json", "export-csv"):
            assert CANARY not in text_of(carol, name)

    def test_a_running_mock_exports_only_the_place_and_the_learners_choice(self, alice, exam):
        session = begin_mock(alice.owner, exam)
        writer = claim(session.uuid, alice.owner, NOW).writer
        save(session.uuid, alice.owner, batch(writer, state(1, 1, 2, flagged=True)), NOW)
        text = text_of(alice)
        answer = json.loads(text)["answers"][0]
        assert answer == {
            "session": str(session.uuid), "exam": "pmle", "mode": "mock", "position": 1, "chosen": ["C"]
        }  # fmt: skip
        assert "Situation" not in text
        assert "Thing" not in text + text_of(alice, "export-csv")
        discard(session.uuid, alice.owner, seconds(5))
        assert "Situation" not in text_of(alice)

    def test_a_running_drill_exports_only_marked_questions(self, alice, exam):
        drill = begin_drill(alice.owner, exam, size=3)
        check(drill.uuid, alice.owner, state(1, 1, 0), None, NOW)
        answers = exported(alice)["answers"]
        assert ["title" in answer for answer in answers] == [True, False, False]

    def test_an_export_has_nothing_of_other_people(self, alice, carol, exam):
        everything(carol.owner, exam)
        before = exported(alice)
        assert (before["account"], before["learner"]) == (None, None)
        assert table(alice) == []
        session = sit(alice.owner, exam, seconds(3600))
        data = exported(alice)
        assert {row["session"] for row in data["answers"]} == {str(session.uuid)}
        assert {row["uuid"] for row in data["sessions"]} == {str(session.uuid)}
        assert data["notes"] == data["stars"] == data["plans"] == data["modules_read"] == data["reports"] == []
        assert "carol" not in text_of(alice).lower()
        assert exported(Client())["learner"] is None

    def test_an_account_without_practice_can_still_be_exported(self, carol):
        data = exported(carol)
        assert data["account"]["email"] == "carol@example.com"
        assert (data["learner"], data["reports"]) == (None, [])


@pytest.mark.parametrize("sessions", [1, 3])
def test_the_statement_count_does_not_grow_with_the_sessions(carol, exam, sessions):
    for n in range(sessions):
        sit(carol.owner, exam, seconds(3600 * n))
    assert len(exported(carol)["answers"]) == 10 * sessions
    for name, count in (("export-json", JSON_STATEMENTS), ("export-csv", CSV_STATEMENTS)):
        with CaptureQueriesContext(connection) as statements:
            text_of(carol, name)
        assert len(statements) == count


def test_the_history_and_the_account_link_to_the_export(alice, carol, exam):
    assert reverse("export-json") not in alice.get(reverse("history")).content.decode()
    sit(alice.owner, exam)
    for client, name in ((alice, "history"), (carol, "account_home"), (carol, "account_delete")):
        text = client.get(reverse(name)).content.decode()
        assert reverse("export-json") in text
        assert reverse("export-csv") in text


def test_a_rebuild_changes_nothing_in_the_export_but_its_time(alice, exam):
    everything(alice.owner, exam)
    before = exported(alice)
    call_command("rebuild_analytics")
    after = exported(alice)
    same = ("answers", "sessions", "notes", "stars", "plans", "review_cards")
    assert {name: after[name] for name in same} == {name: before[name] for name in same}
