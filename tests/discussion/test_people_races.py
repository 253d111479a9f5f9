"""When several people act at once, there is still only one mail, one appeal, one answer and one note."""

from __future__ import annotations

import datetime as dt

import pytest
from django.contrib.auth.models import Permission
from django.core import mail

from courseiva.accounts.models import User
from discussion.comments.errors import Refused
from discussion.mail.send import TOGETHER, send_notices
from discussion.mail.settle import UNDO_TIME
from discussion.models import Act, Appeal, AuthorNote, LogEntry, Notice, Outcome, Reason, State, Takedown
from discussion.moderation.acts.decide import decide
from discussion.people.appeals.appeal import answer_appeal, make_appeal
from discussion.people.authors.note import note_author
from discussion.people.takedowns.request import Request, answer_takedown, ask
from questions.reports.reads.reporters import Reporter
from tests.discussion.conftest import person, row
from tests.practice.test_races import at_once
from tests.support.bank import NOW

pytestmark = pytest.mark.django_db(transaction=True)
READABLE = NOW + UNDO_TIME
LATER = NOW + dt.timedelta(hours=1)


@pytest.fixture
def moderators() -> list[User]:
    permission = Permission.objects.get(codename="moderate_comment")
    for n in range(6):
        person(f"m{n}").user_permissions.add(permission)
    return list(User.objects.filter(email__startswith="m").order_by("pk"))


@pytest.fixture
def notice(version, alice, moderators) -> Notice:
    held = row(version, alice, "A remark.", state=State.HELD)
    return decide(held, Act.REJECT, moderators[0], NOW, Reason.LEAK).notice


def test_two_runs_at_once_send_one_mail(notice):
    outcomes = at_once(*[lambda: send_notices(READABLE + TOGETHER)] * 4)
    assert sorted(outcomes) == [0, 0, 0, 1]
    assert len(mail.outbox) == 1


def test_one_appeal_is_made_and_one_moderator_answers_it(notice, alice, moderators):
    made = at_once(*[lambda n=n: make_appeal(notice.pk, alice.pk, f"Why {n}?", READABLE) for n in range(4)])
    assert set(made) == {Appeal.objects.get()}
    appeal = made[0]
    outcomes = at_once(
        *[lambda m=m, n=n: answer_appeal(appeal.pk, n % 2 == 0, m, LATER, "So.") for n, m in enumerate(moderators[1:])]
    )
    answered = [each for each in outcomes if isinstance(each, Appeal)]
    refused = [each.code for each in outcomes if isinstance(each, Refused)]
    assert (len(answered), refused) == (1, ["appeal-answered"] * 4)
    assert LogEntry.objects.filter(act=Act.REVERSE).count() == int(answered[0].is_granted)
    assert Notice.objects.filter(appeal=appeal).count() == 1


def test_a_takedown_request_is_stored_and_answered_once(db, moderators):
    wanted = Request("/exams/", "other", "It is mine.", "eve@example.com")
    made = at_once(*[lambda: ask(wanted, Reporter(network="192.0.2.1"), NOW)] * 4)
    assert set(made) == {Takedown.objects.get()}
    row_id = made[0].pk
    outcomes = at_once(*[lambda m=m: answer_takedown(row_id, Outcome.KEPT, "No.", m, LATER) for m in moderators])
    assert [isinstance(each, Takedown) for each in outcomes].count(True) == 1
    assert [message.to for message in mail.outbox if message.to == ["eve@example.com"]] == [["eve@example.com"]]


def test_a_double_click_keeps_one_note(alice, moderators):
    made = at_once(*[lambda: note_author(alice.pk, "Warned.", moderators[0], NOW)] * 4)
    assert set(made) == {AuthorNote.objects.get()}
