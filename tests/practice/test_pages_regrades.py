"""Reviewers preview a regrade in the admin, put it in force and watch its progress."""

import signal

import pytest
from django.apps import apps
from django.contrib.auth.models import Group
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from courseiva.accounts.models import User
from courseiva.accounts.staff.groups import GROUPS, grant
from practice.models import PracticeSession, Regrade, RegradeNotice, RegradeProposal, RegradeRule
from practice.regrade.admin import RegradeAdmin
from practice.regrade.apply import run
from practice.regrade.rules import PATIENCE
from practice.sessions.ending.finish import finish
from practice.sessions.player import save as saving
from questions.models import Question
from tests.support.bank import add_questions, make_exam
from tests.support.hooks import codes, figures, parsed, states
from tests.support.live import database_url
from tests.support.sessions import batch, begin_mock, guest, seconds, state
from tests.support.subprocesses import run_python

pytestmark = pytest.mark.django_db


@pytest.fixture
def version():
    exam = make_exam()
    add_questions(exam, 2)
    version = Question.objects.get(number=5).live_version
    for _ in range(3):
        owner = guest()[0]
        session = begin_mock(owner, exam, 10)
        saving.claim(session.uuid, owner, seconds(0))
        item = session.items.get(version=version)
        chosen = item.option_order.index("2")
        saving.save(session.uuid, owner, batch(1, state(item.position, 1, chosen)), seconds(1))
        finish(session.uuid, owner, seconds(60))
    return version


def client_of(group):
    grant(apps, GROUPS)
    user = User.objects.create_user(email=f"{group.lower()}@example.com", password="x", is_staff=True)
    user.groups.add(Group.objects.get(name=group))
    client = Client()
    client.force_login(user)
    return client


def post(client, version, **fields):
    return client.post(reverse("admin:practice_regrade_new", args=[version.pk]), fields)


OTHER = {"rule": RegradeRule.OTHER_KEY, "answer_1": ["2"], "reason": "The page was read again."}


def second_reviewer():
    user = User.objects.create_user(email="second@example.com", password="x", is_staff=True)
    user.groups.add(Group.objects.get(name="Reviewers"))
    client = Client()
    client.force_login(user)
    return client


def decide(client, version, what):
    return post(client, version, decide=what, proposal=RegradeProposal.objects.latest("pk").pk)


def test_a_regrade_is_previewed_proposed_and_applied_by_a_second_person(version):
    reviewer = client_of("Reviewers")
    text = post(reviewer, version, look="1", **OTHER).text
    assert figures(parsed(text).select_one("[data-state=impact]").text)[:2] == [3, 3]
    assert not RegradeProposal.objects.exists()
    assert post(reviewer, version, confirm="1", **OTHER).status_code == 302
    assert not Regrade.objects.exists()
    address = reverse("admin:practice_regrade_new", args=[version.pk])
    other = second_reviewer()
    mine, theirs = parsed(reviewer.get(address)), parsed(other.get(address))
    assert [button["value"] for button in mine.select("[data-proposal] button")] == ["drop"]
    assert [button["value"] for button in theirs.select("[data-proposal] button")] == ["confirm", "drop"]
    assert figures(theirs.select_one("[data-state=impact]").text)[:2] == [3, 3]
    assert not theirs.select("#regrade-form")
    assert codes_told(decide(reviewer, version, "confirm")) == ["own-proposal"]
    assert not Regrade.objects.exists()
    response = decide(other, version, "confirm")
    assert response.status_code == 302
    made = Regrade.objects.get()
    assert (made.masks, made.made_by.email) == ([0b100], "second@example.com")
    assert made.proposal.made_by.email == "reviewers@example.com"
    assert "The page was read again." in reviewer.get(address).text


def codes_told(response):
    """Return the code of the newest error on the next page, in a list that is empty if there is none."""
    told = [message.extra_tags for message in get_messages(response.wsgi_request) if message.level_tag == "error"]
    return told[-1:]


def test_code_in_a_proposed_answer_is_shown_as_code(version):
    version.options_html["2"] = "Run <code>bq</code>"
    version.save()
    post(client_of("Reviewers"), version, confirm="1", **OTHER)
    page = second_reviewer().get(reverse("admin:practice_regrade_new", args=[version.pk]))
    assert [code.text for code in parsed(page).select("[data-proposal] code")] == ["bq"]


def test_a_team_of_one_applies_a_regrade_alone(version, settings):
    settings.PUBLISH_OWN_QUESTIONS = True
    reviewer = client_of("Reviewers")
    response = post(reviewer, version, confirm="1", **OTHER)
    made = Regrade.objects.get()
    assert (made.masks, made.made_by, made.proposal.made_by) == ([0b100], made.proposal.made_by, made.made_by)
    assert "The page was read again." in reviewer.get(response["location"]).text


def test_a_proposal_is_decided_once_and_another_waits_for_it(version):
    reviewer, second = client_of("Reviewers"), second_reviewer()
    post(reviewer, version, confirm="1", **OTHER)
    response = post(second, version, confirm="1", rule=RegradeRule.LEFT_OUT, reason="No answer is right.")
    assert codes(response.context["form"]) == {"__all__": ["proposal-waits"]}
    assert decide(second, version, "drop").status_code == 302
    assert not Regrade.objects.exists()
    assert codes_told(decide(second, version, "confirm")) == ["proposal-gone"]
    assert codes_told(post(second, version, decide="confirm", proposal="x")) == ["proposal-gone"]
    post(second, version, confirm="1", rule=RegradeRule.FULL_MARKS, reason="The question can’t be answered.")
    decide(reviewer, version, "confirm")
    assert codes_told(decide(reviewer, version, "confirm")) == ["proposal-gone"]
    assert Regrade.objects.get().rule == RegradeRule.FULL_MARKS
    assert "full-marks" in states(reviewer.get(reverse("admin:practice_regrade_new", args=[version.pk])))


def test_the_page_shows_progress_and_says_when_no_worker_runs(version):
    reviewer = client_of("Reviewers")
    address = reverse("admin:practice_regrade_new", args=[version.pk])

    def told(**facts):
        Regrade.objects.update(**facts)
        return parsed(reviewer.get(address)).select_one("td[data-state]")

    now = timezone.now()
    Regrade.objects.create(version=version, rule=RegradeRule.LEFT_OUT, reason="x", made_at=now)
    assert (told()["data-state"], figures(told().text)) == ("waiting", [3])
    assert (told(made_at=now - PATIENCE)["data-state"], figures(told().text)) == ("stalled", [3])
    assert [button["value"] for button in told().select("button")] == ["continue"]
    first = PracticeSession.objects.order_by("pk")[0].pk
    assert (told(reached=first, moved_at=now)["data-state"], figures(told().text)) == ("running", [2])
    failed = told(failed_at=now)
    assert (failed["data-state"], figures(failed.text)[-1]) == ("failed", 2)
    assert [button["value"] for button in failed.select("button")] == ["continue"]
    assert told(done_at=now)["data-state"] == "done"


PROCESS = {"DJANGO_SETTINGS_MODULE": "tests.settings"}
LEFT_BY_A_KILL = """
import os
import signal
import sys
import django
django.setup()
from django.db import connection
from django.utils import timezone
from practice.regrade.admin import RegradeAdmin
from practice.regrade.apply import run
seen = []
def killed_in_the_second_session(execute, sql, params, many, context):
    seen.extend([sql] if sql.startswith('UPDATE "practice_regrade"') else [])
    if len(seen) == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return execute(sql, params, many, context)
with connection.execute_wrapper(killed_in_the_second_session):
    run(int(sys.argv[1]), timezone.now())
"""


@pytest.mark.long("many processes")
@pytest.mark.django_db(transaction=True)
@pytest.mark.long("many processes")
def test_a_regrade_whose_worker_was_killed_is_shown_as_stopped_and_can_continue(version):
    """A separate process regrades, and is killed before it commits the second of three sessions."""
    reviewer = client_of("Reviewers")
    facts = {"rule": RegradeRule.OTHER_KEY, "masks": [0b100], "reason": "The page was read again."}
    made = Regrade.objects.create(version=version, made_at=timezone.now(), **facts)
    done = run_python("-c", LEFT_BY_A_KILL, str(made.pk), DATABASE_URL=database_url(), **PROCESS)
    assert done.returncode == -signal.SIGKILL, done.stderr
    address = reverse("admin:practice_regrade_new", args=[version.pk])

    def told():
        [cell] = parsed(reviewer.get(address)).select("td[data-state]")
        return cell["data-state"], figures(cell.text)[-1], [button["value"] for button in cell.select("button")]

    made.refresh_from_db()
    assert (made.done_at, RegradeNotice.objects.count()) == (None, 1)
    assert told() == ("running", 2, [])
    Regrade.objects.update(moved_at=made.moved_at - PATIENCE)
    assert told() == ("stopped", 2, ["continue"])
    assert post(reviewer, version, decide="continue", regrade=made.pk).status_code == 302
    assert told()[0] == "done"
    scores = list(PracticeSession.objects.values_list("score", flat=True))
    assert (scores, RegradeNotice.objects.count()) == ([1, 1, 1], 3)
    assert codes_told(post(reviewer, version, decide="continue", regrade=made.pk)) == ["regrade-done"]


def test_without_a_queue_the_regrade_is_done_when_the_page_returns(
    version, settings, django_capture_on_commit_callbacks
):
    settings.PUBLISH_OWN_QUESTIONS = True
    reviewer = client_of("Reviewers")
    with django_capture_on_commit_callbacks(execute=True):
        response = post(reviewer, version, confirm="1", **OTHER)
    assert parsed(reviewer.get(response["location"])).select_one("td[data-state]")["data-state"] == "done"


def test_an_invalid_correction_is_reported_and_nothing_typed_is_lost(version):
    reviewer = client_of("Reviewers")
    response = post(reviewer, version, confirm="1", **OTHER | {"answer_1": ["1", "2"]})
    assert codes(response.context["form"]) == {"__all__": ["one-option-only"]}
    assert parsed(response).select(".errorlist")
    assert "The page was read again." in response.text
    response = post(reviewer, version, confirm="1", rule=RegradeRule.EITHER, answer_1="1", reason="x")
    assert codes(response.context["form"]) == {"__all__": ["answers-miscounted"]}
    assert not Regrade.objects.exists()


@pytest.mark.parametrize("group", ["Editors", "Moderators"])
def test_only_reviewers_apply_a_correction(version, group):
    client = client_of(group)
    assert post(client, version, confirm="1", **OTHER).status_code == 403
    assert post(client, version, decide="confirm", proposal="1").status_code == 403
    assert not RegradeProposal.objects.exists()
    assert not Regrade.objects.exists()


def test_an_editor_sees_the_impact_in_one_line(version):
    address = reverse("admin:practice_regrade_impact", args=[version.pk])
    editor = client_of("Editors")
    impact = parsed(editor.get(address, {"slot": ["2"]})).select_one("[data-state=impact]")
    assert figures(impact.text) == [3, 3, 0]
    assert states(editor.get(address)) == ["nothing-chosen"]
    assert client_of("Moderators").get(address).status_code == 403


def test_the_list_shows_a_regrades_progress(version):
    reviewer = client_of("Reviewers")
    post(reviewer, version, confirm="1", **OTHER)
    decide(second_reviewer(), version, "confirm")
    run(Regrade.objects.get().pk, seconds(200))
    address = reverse("admin:practice_regrade_changelist")
    text = reviewer.get(address).text
    assert '<td class="field-sessions_changed">3</td>' in text
    [named, *_] = parsed(text).select("#changelist-filter summary")
    assert RegradeAdmin.decision.short_description in named.text.lower()
    now = timezone.now()
    for done_at, moved_at, failed_at, told in (
        (now, now, None, "done"),
        (None, now - PATIENCE, None, "stopped"),
        (None, now, None, "running"),
        (None, now, now, "failed"),
    ):
        Regrade.objects.update(done_at=done_at, moved_at=moved_at, failed_at=failed_at)
        [link] = parsed(reviewer.get(address)).select("#result_list a[data-state]")
        assert link["data-state"] == told
        assert parsed(reviewer.get(link["href"])).select_one("td[data-state]")["data-state"] == told
