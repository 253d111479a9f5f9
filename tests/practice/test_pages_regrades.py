"""Regrading in the admin: look first, put it in force, see how far it came; for reviewers alone."""

import pytest
from django.apps import apps
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse

from courseiva.accounts.models import User
from courseiva.accounts.staff.groups import GROUPS, grant
from practice.models import Regrade, RegradeRule
from practice.sessions.ending.finish import finish
from practice.sessions.player import save as saving
from questions.models import Question
from tests.support.bank import add_questions, make_exam
from tests.support.hooks import codes, figures, parsed, states
from tests.support.sessions import batch, begin_mock, guest, seconds, state

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


def test_look_then_put_in_force(version):
    reviewer = client_of("Reviewers")
    text = post(reviewer, version, look="1", **OTHER).text
    assert figures(parsed(text).select_one("[data-state=impact]").text)[:2] == [3, 3]
    assert not Regrade.objects.exists()
    response = post(reviewer, version, confirm="1", **OTHER)
    assert response.status_code == 302
    made = Regrade.objects.get()
    assert (made.masks, made.made_by.email) == ([0b100], "reviewers@example.com")
    assert "The page was read again." in reviewer.get(response["location"]).text


def test_what_does_not_fit_is_told_and_nothing_is_lost(version):
    reviewer = client_of("Reviewers")
    response = post(reviewer, version, confirm="1", **OTHER | {"answer_1": ["1", "2"]})
    assert codes(response.context["form"]) == {"__all__": ["one-option-only"]}
    assert parsed(response).select(".errorlist")
    assert "The page was read again." in response.text
    response = post(reviewer, version, confirm="1", rule=RegradeRule.EITHER, answer_1="1", reason="x")
    assert codes(response.context["form"]) == {"__all__": ["answers-miscounted"]}
    assert not Regrade.objects.exists()


@pytest.mark.parametrize("group", ["Editors", "Moderators"])
def test_only_reviewers_put_a_correction_in_force(version, group):
    assert post(client_of(group), version, confirm="1", **OTHER).status_code == 403
    assert not Regrade.objects.exists()


def test_an_editor_sees_the_impact_in_one_line(version):
    address = reverse("admin:practice_regrade_impact", args=[version.pk])
    editor = client_of("Editors")
    impact = parsed(editor.get(address, {"slot": ["2"]})).select_one("[data-state=impact]")
    assert figures(impact.text) == [3, 3, 0]
    assert states(editor.get(address)) == ["nothing-chosen"]
    assert client_of("Moderators").get(address).status_code == 403


def test_the_list_says_how_far_it_came(version):
    reviewer = client_of("Reviewers")
    post(reviewer, version, confirm="1", **OTHER)
    from practice.regrade.apply import run

    run(Regrade.objects.get().pk, seconds(200))
    text = reviewer.get(reverse("admin:practice_regrade_changelist")).text
    assert '<td class="field-sessions_changed">3</td>' in text
