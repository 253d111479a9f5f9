"""Text that is held, removed, spam or edited out reaches nobody but its writer and the moderators."""

from __future__ import annotations

import datetime as dt

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from discussion import tasks
from discussion.mail.follow import follow
from discussion.models import Act, Kind, ReplyMail
from discussion.moderation.acts.decide import decide
from discussion.threads.post import Draft, post
from questions.pages.reads.questions import question_page
from tests.support.walk import hidden_words
from tests.support.world import (
    GUEST,
    HELD,
    HIDDEN,
    LEARNER,
    MODERATOR,
    REMOVED,
    SPAM,
    STAFF,
    STRANGER,
    World,
    small_world,
)

OTHERS = (STRANGER, GUEST, LEARNER)
ASKED = ("passage", "wilma", "comment")
"""Words next to the hidden ones, because a sign-in page's address would repeat the hidden ones themselves."""
IN_PLACE = {"HX-Request": "true"}


def addresses_around(world: World) -> list[str]:
    """Return addresses no row covers: each hidden comment's own, every order of its thread, and searches."""
    thread = reverse("thread", args=[world.exam.slug, world.comments["tip"].question_id])
    found = [thread, f"{thread}?sort=helpful", f"{thread}?version=1", question_page(world.comments["tip"].question).url]
    for key, comment in world.comments.items():
        names = ("comment", "comment-edit", "comment-delete", "comment-report", "moderation-comment")
        found += [reverse(name, args=[comment.pk]) for name in names if key not in ("tip", "reply", "held")]
    return found + [f"{reverse(name)}?q={each}" for name in ("search", "moderation-search") for each in ASKED]


class TestInTheSmallWorld:
    @pytest.mark.long("many requests")
    @pytest.mark.parametrize("persona", OTHERS)
    def test_no_address_around_a_hidden_comment_reveals_it(self, world: World, persona: str) -> None:
        """tests/test_addresses.py requests the addresses that have a row."""
        got = {}
        for address in addresses_around(world):
            for headers in ({}, IN_PLACE):
                got[f"{address} {headers}"] = hidden_words(world.same_client(persona).get(address, headers=headers))
        assert {where: words for where, words in got.items() if words} == {}

    def test_a_hidden_comments_author_and_the_moderators_can_read_it(self, world: World) -> None:
        """The test above relies on this: those who are allowed to can read the words."""
        client = world.client(MODERATOR)
        for words in HIDDEN:
            for n in range(2):
                page = reverse("moderation-comment", args=[world.comments[f"{words} {n}"].pk])
                assert hidden_words(client.get(page)) >= {words}, words
        assert hidden_words(client.get(reverse("moderation"))) == {HELD}
        assert hidden_words(client.get(reverse("moderation-search") + "?q=passage")) >= {HELD, REMOVED, SPAM}
        writer = Client()
        writer.force_login(world.users["writer"])
        thread = reverse("thread", args=[world.exam.slug, world.comments["tip"].question_id])
        assert HELD in hidden_words(writer.get(thread))

    @pytest.mark.parametrize("act", [Act.REJECT, Act.SPAM])
    def test_a_hidden_comment_with_a_reply_disappears_at_once(self, world: World, act: Act) -> None:
        tip, moderator = world.comments["tip"], world.users[MODERATOR]
        made = post(
            tip.version, world.users["writer"].pk, Draft(Kind.TIP, f"It said {REMOVED} for a while."), world.now
        )
        decide(made, Act.APPROVE, moderator, world.now)
        post(tip.version, world.users[LEARNER].pk, Draft(Kind.REPLY, "Did it?"), world.now, made.pk)
        thread = reverse("thread", args=[world.exam.slug, tip.question_id])
        places = (thread, f"{thread}?sort=helpful", reverse("comment", args=[made.pk]))
        assert all(REMOVED in hidden_words(world.client(persona).get(place)) for persona in OTHERS for place in places)
        decide(made, act, moderator, world.now, "leak")
        answers = [world.client(persona).get(place) for persona in OTHERS for place in places]
        assert [hidden_words(each) for each in answers] == [set()] * len(answers)
        assert "Did it?" in answers[0].content.decode()
        assert not ReplyMail.objects.filter(reply=made).exists()


def test_no_mail_shows_others_a_hidden_comment(db, django_capture_on_commit_callbacks) -> None:
    """Everything due within a month is sent to followers, those who reported, and moderators."""
    with django_capture_on_commit_callbacks(execute=True):
        world = small_world(timezone.now() - dt.timedelta(days=1))
        follow(world.comments["tip"], world.users[STAFF].pk, world.now)
    for task in (tasks.send_reply_mails, tasks.send_corrections, tasks.send_notices, tasks.send_digest):
        task()
    to_writer = [message for message in mail.outbox if message.to == [world.users["writer"].email]]
    others = [message for message in mail.outbox if message not in to_writer]
    assert to_writer, "the writer is told what was decided"
    assert others, "followers and moderators are told that something is there"
    assert {str(message.message()) for message in others if any(w in str(message.message()) for w in HIDDEN)} == set()
