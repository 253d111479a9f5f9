"""A person's export has all their own comments, whatever their state, and nobody else's."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from courseiva.accounts.models import User
from discussion.models import Comment, CommentReport, Kind, State
from discussion.reactions.report import report_comment
from discussion.reactions.vote import vote
from discussion.threads.post import Draft, post
from questions.models import Question
from tests.support.bank import NOW, add_questions, make_exam

pytestmark = pytest.mark.django_db


@pytest.fixture
def people():
    return [User.objects.create_user(f"{name}@example.org", "x", display_name=name) for name in ("alice", "bob")]


def test_the_export_has_all_my_comments_and_nobody_elses(people, django_assert_num_queries):
    alice, bob = people
    add_questions(make_exam(), 1)
    version = Question.objects.filter(pool="open").first().live_version
    mine = post(version, alice.pk, Draft(Kind.TIP, "Think of the weights first."), NOW)
    theirs = post(version, bob.pk, Draft(Kind.QUESTION, "Why not the second?"), NOW)
    Comment.objects.filter(pk=mine.pk).update(state=State.REMOVED)
    Comment.objects.filter(pk=theirs.pk).update(state=State.VISIBLE, listed=True)
    vote(theirs.pk, alice.pk, True, NOW)
    report_comment(theirs.pk, alice.pk, "other", "Look at this.", NOW)
    client = Client()
    client.force_login(alice)
    with django_assert_num_queries(7):
        data = json.loads(client.get(reverse("export-discussion")).content)
    assert [(row["text"], row["state"]) for row in data["comments"]] == [("Think of the weights first.", "removed")]
    assert [row["comment_id"] for row in data["helpful_votes"]] == [theirs.pk]
    assert data["reports"][0]["text"] == CommentReport.objects.get().text
    assert "Why not" not in json.dumps(data)


def test_the_export_asks_strangers_to_sign_in():
    assert reverse("account_login") in Client().get(reverse("export-discussion"))["location"]
