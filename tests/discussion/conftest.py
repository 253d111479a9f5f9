"""Fixtures for a discussed question and the people who discuss it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, Permission
from django.test import Client

from courseiva.accounts.models import User
from courseiva.accounts.staff.groups import GROUPS, MODERATORS, grant
from discussion.models import Comment, Kind, State
from discussion.moderation.acts.decide_many import Choice, Outcome, decide_all
from discussion.threads import post as posting
from discussion.threads.post import Draft
from questions.models import Exam, QuestionVersion
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.world import signed_in_client

Say = Callable[..., Comment]


@pytest.fixture
def exam(db) -> Exam:
    return make_exam()


@pytest.fixture
def version(exam) -> QuestionVersion:
    return add_questions(exam, 1, domains=("d1",))[0]


@pytest.fixture
def reserved(exam) -> QuestionVersion:
    return add_questions(exam, 1, pool="reserved", domains=("d1",))[0]


def person(name: str, **fields) -> User:
    return User.objects.create_user(f"{name}@example.org", None, display_name=name.title(), **fields)


def in_group(name: str, group: str, **fields) -> User:
    """Return a person with one group's permissions only; recreate the groups if a test has emptied the database."""
    grant(apps, GROUPS)
    user = person(name, **fields)
    user.groups.add(Group.objects.get(name=group))
    return User.objects.get(pk=user.pk)


@pytest.fixture
def alice(db) -> User:
    return person("alice")


@pytest.fixture
def bob(db) -> User:
    return person("bob")


@pytest.fixture
def moderator(db) -> User:
    user = person("mona")
    user.user_permissions.add(Permission.objects.get(codename="moderate_comment"))
    return User.objects.get(pk=user.pk)


@pytest.fixture
def client_of() -> Callable:
    return signed_in_client


@pytest.fixture
def mona(db) -> User:
    """Return a moderator whose permissions come from the group alone."""
    return in_group("mona", MODERATORS)


@pytest.fixture
def max_(db) -> User:
    return in_group("max", MODERATORS)


@pytest.fixture
def desk(client_of, mona) -> Client:
    return client_of(mona)


@pytest.fixture
def known(version) -> Callable[[User], User]:
    """Return a function that gives somebody an approved comment, so that their next is not held as a first one."""

    def make(user: User) -> User:
        row(version, user, f"An early remark of {user.display_name}.", created_at=NOW - dt.timedelta(days=30))
        return user

    return make


def seen(*ids: int) -> dict[int, str]:
    """Return the stamps of these comments as a page loaded now would contain them."""
    return {row.pk: row.stamp for row in Comment.objects.filter(pk__in=ids)}


def decide_now(ids: Iterable[int], choice: Choice, by: User, now: dt.datetime) -> Outcome:
    """Decide from a page that was loaded a moment ago."""
    wanted = list(ids)
    return decide_all(wanted, replace(choice, seen=seen(*wanted)), by, now)


def row(version: QuestionVersion, author: User | None, text: str, **fields) -> Comment:
    """Store a comment without applying any rule."""
    parent = fields.get("parent")
    defaults = {
        "kind": Kind.REPLY if parent else Kind.TIP,
        "state": State.VISIBLE,
        "state_at": NOW,
        "created_at": NOW,
        "screened_at": NOW,
        "html": f"<p>{text}</p>",
        "listed": fields.get("state", State.VISIBLE) == State.VISIBLE,
    }
    made = Comment.objects.create(
        question=version.question, version=version, author=author, text=text, **defaults | fields
    )
    if parent and made.is_readable:
        Comment.objects.filter(pk=parent.pk).update(
            replies=Comment.objects.filter(parent=parent, state=State.VISIBLE, deleted_at=None).count(), listed=True
        )
    return made


@pytest.fixture
def say(version, django_capture_on_commit_callbacks) -> Say:
    """Return a function that posts as the site does, including what runs after the commit."""

    def post(user: User, text: str, kind: Kind = Kind.TIP, now: dt.datetime = NOW, **options) -> Comment:
        parent = options.pop("parent", None)
        about = options.pop("version", version)
        with django_capture_on_commit_callbacks(execute=True):
            made = posting.post(about, user.pk, Draft(kind, text, **options), now, parent.pk if parent else None)
        made.refresh_from_db()
        return made

    return post
