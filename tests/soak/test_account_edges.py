"""Thirty rounds against a running site: signing in, and deleting an account, while its other requests arrive."""

from __future__ import annotations

import threading
from collections.abc import Callable
from urllib.parse import urlencode

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from courseiva.accounts.models import Guard, User
from practice.learners.reads.identity import GUEST_COOKIE, Owner
from practice.models import Learner, Mode, ModuleRead, Note, PracticeSession, SessionItem, Star
from practice.sessions.ending.finish import finish
from questions.models import Exam, StudyModule
from tests.support.bank import add_questions, make_exam
from tests.support.player import Player
from tests.support.sessions import begin_mock, guest, guest_client
from tests.support.subprocesses import Site
from tests.support.world import signed_in_client

ROUNDS = 30
PASSWORD, FORM = "three plain words", "application/x-www-form-urlencoded"
Answer = tuple[int, str]

pytestmark = pytest.mark.soak


@pytest.fixture(scope="module")
def exam(live_rows: None) -> Exam:
    exam = make_exam()
    add_questions(exam, 6)
    facts = {"slug": "serving", "title": "Serving", "summary": "A summary.", "body": "Text."}
    StudyModule.objects.create(exam=exam, domain=exam.domains.get(key="d1"), number=1, **facts)
    return exam


def person(n: int) -> User:
    user = User.objects.create_user(f"person{n}@example.org", PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def at_once(site: Site, cookie: tuple[str, str], posts: dict[str, tuple[str, dict[str, str]]]) -> dict[str, Answer]:
    """Send every form from the same browser at the same moment; returns the status and redirect of each."""
    barrier, answers = threading.Barrier(len(posts)), {}

    def send(name: str, path: str, fields: dict[str, str]) -> None:
        player = Player(site.port)
        player.cookies[cookie[0]] = cookie[1]
        barrier.wait(30)
        status, headers, _ = player.send("POST", path, urlencode(fields).encode(), FORM)
        player.close()
        answers[name] = status, headers.get("Location", "")

    threads = [threading.Thread(target=send, args=(name, *post)) for name, post in posts.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert answers.keys() == posts.keys()
    return answers


def test_signing_in_while_answering_loses_nothing(live_site: Site, exam: Exam, tell: Callable[[str], None]) -> None:
    statuses: list[int] = []
    for n in range(ROUNDS):
        Guard.objects.all().delete()  # all the rounds come from the same network
        user, (owner, token), now = person(n), guest(), timezone.now()
        over, mock = finish(begin_mock(owner, exam, 6, now).uuid, owner, now), begin_mock(owner, exam, 6, now)
        posts = {
            "sign in": ("/accounts/login/", {"login": user.email, "password": PASSWORD}),
            "answer": (reverse("answer", args=["pmle"]), {"question": "1", "slot": "1"}),
            "note": (reverse("note", args=[over.uuid, 1]), {"text": "Look again."}),
            "star": (reverse("star", args=[over.uuid, 1]), {"on": "1"}),
            "read": (reverse("module-read", args=["pmle", 1]), {}),
            "finish": (reverse("finish", args=[mock.uuid]), {}),
        }
        answers = at_once(live_site, (GUEST_COOKIE, guest_client(token).cookies[GUEST_COOKIE].value), posts)
        statuses += [status for status, _ in answers.values()]
        assert {name: status for name, (status, _) in answers.items() if status not in (200, 302)} == {}, n
        assert [place for name, (_, place) in answers.items() if name != "sign in" and "login" in place] == [], n
        learner = Learner.objects.get(user=user)
        assert SessionItem.objects.filter(session__learner=learner, session__mode=Mode.PAGE).count() == 1, n
        for model in (Note, Star, ModuleRead):
            assert model.objects.filter(learner=learner).count() == 1, (n, model)
        assert PracticeSession.objects.get(pk=mock.pk, learner=learner).finished_at, n
        assert not Learner.objects.filter(**owner.of_learner).exists(), n
    tell(f"{ROUNDS} rounds, {len(statuses)} requests, {sum(status >= 500 for status in statuses)} times 500")


def test_deleting_the_account_during_a_drill_shows_no_error(
    live_site: Site, exam: Exam, tell: Callable[[str], None]
) -> None:
    seen: list[int] = []
    for n in range(ROUNDS):
        Guard.objects.all().delete()
        user, now = person(ROUNDS + n), timezone.now()
        owner = Owner(user_id=user.pk)
        over = finish(begin_mock(owner, exam, 6, now).uuid, owner, now)
        browser = signed_in_client(user)
        posts = {
            "delete": ("/accounts/delete/confirm/", {"email": user.email}),
            "drill": (reverse("drill", args=["pmle"]), {"size": "5", "order": "random"}),
            "answer": (reverse("answer", args=["pmle"]), {"question": "1", "slot": "1"}),
            "note": (reverse("note", args=[over.uuid, 1]), {"text": "Look again."}),
            "name": ("/accounts/name/", {"name": f"Nora {n}"}),
            "sign in": ("/accounts/login/", {"login": user.email, "password": PASSWORD}),
        }
        cookie = settings.SESSION_COOKIE_NAME, browser.cookies[settings.SESSION_COOKIE_NAME].value
        answers = at_once(live_site, cookie, posts)
        seen += [status for status, _ in answers.values()]
        assert {name: answer for name, answer in answers.items() if answer[0] >= 500} == {}, n
        assert answers["delete"] == (302, "/accounts/deleted/"), n
        assert not User.objects.filter(pk=user.pk).exists(), n
        assert not Note.objects.filter(learner__guest_key=None, learner__user=None).exists(), n
    tell(f"{ROUNDS} rounds, {len(seen)} requests, statuses {sorted(set(seen))}")
