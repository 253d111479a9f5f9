"""Replies are mailed once and only to those who asked, and one click ends the mails."""

from __future__ import annotations

import datetime as dt
import uuid

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from discussion.mail.follow import follow, stop
from discussion.mail.send import send_replies
from discussion.mail.settle import UNDO_TIME
from discussion.models import Act, Kind, ReplyMail, State, Subscription
from discussion.moderation.acts.decide import decide
from discussion.moderation.acts.decide import reverse as reverse_act
from tests.discussion.conftest import row
from tests.support.bank import NOW
from tests.support.hooks import values


@pytest.fixture
def conversation(version, known, alice, bob, moderator):
    """Return a comment by Alice that she and the moderator follow; Bob may reply without being held."""
    first = row(version, known(alice), "A tip.")
    known(bob)
    follow(first, alice.pk, NOW)
    follow(first, moderator.pk, NOW)
    return first


def test_a_reply_is_mailed_to_followers_once_and_not_to_its_author(say, conversation, alice, bob, moderator):
    follow(conversation, bob.pk, NOW)
    reply = say(bob, "Thank you for it.", Kind.REPLY, parent=conversation)
    assert sorted(message.to[0] for message in mail.outbox) == [alice.email, moderator.email]
    body = mail.outbox[0].body
    assert reverse("comment", args=[conversation.pk]) + f"#c{reply.pk}" in body
    assert "Bob" in body
    assert bob.email not in body
    assert "Thank you for it" not in body
    assert send_replies(NOW) == 0


def test_every_mail_has_a_one_click_unsubscribe(say, conversation, bob):
    say(bob, "Yes.", Kind.REPLY, parent=conversation)
    for message in mail.outbox:
        token = Subscription.objects.get(user__email=message.to[0]).token
        address = reverse("unsubscribe", args=[token])
        assert message.extra_headers["List-Unsubscribe"].endswith(f"{address}>")
        assert message.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert address in message.body


def test_one_click_unsubscribe_needs_no_login_or_other_token_and_a_get_changes_nothing(conversation, alice):
    client = Client(enforce_csrf_checks=True)
    mine = Subscription.objects.get(user=alice)
    address = reverse("unsubscribe", args=[mine.token])
    assert client.get(address).status_code == 200
    assert Subscription.objects.filter(pk=mine.pk).exists()
    page = client.post(address, {"List-Unsubscribe": "One-Click"})
    assert page.status_code == 200
    assert values(page, "data-stopped") == ["one"]
    assert not Subscription.objects.filter(user=alice).exists()
    assert Subscription.objects.count() == 1
    assert client.post(address).status_code == 200


def test_all_mails_can_be_stopped_at_once(conversation, version, alice):
    follow(row(version, alice, "Another."), alice.pk, NOW)
    address = reverse("unsubscribe", args=[Subscription.objects.filter(user=alice)[0].token])
    assert values(Client().post(address, {"every": "1"}), "data-stopped") == ["every"]
    assert not Subscription.objects.filter(user=alice).exists()
    assert Subscription.objects.count() == 1
    stop(uuid.uuid4(), every=True)
    assert Subscription.objects.count() == 1


def test_a_held_reply_is_mailed_only_when_a_moderator_lets_it_through(
    conversation, version, alice, bob, moderator, django_capture_on_commit_callbacks
):
    reply = row(version, bob, "Hm.", parent=conversation, state=State.HELD)
    assert send_replies(NOW) == 0
    with django_capture_on_commit_callbacks(execute=True):
        decide(reply, Act.APPROVE, moderator, now := timezone.now())
    assert mail.outbox == [], "it can still be undone"
    assert send_replies(now + UNDO_TIME) == 2
    assert {message.to[0] for message in mail.outbox} == {alice.email, moderator.email}


def test_an_approval_undone_in_time_is_mailed_to_nobody(conversation, version, bob, moderator):
    reply = row(version, bob, "Hm.", parent=conversation, state=State.HELD)
    reverse_act(decide(reply, Act.APPROVE, moderator, now := timezone.now()), moderator, now)
    assert send_replies(now + UNDO_TIME) == 0
    assert mail.outbox == []


def test_after_a_second_approval_the_mail_waits_as_long_as_after_the_first(conversation, version, bob, moderator):
    reply = row(version, bob, "Hm.", parent=conversation, state=State.HELD)
    reverse_act(decide(reply, Act.APPROVE, moderator, NOW), moderator, NOW + dt.timedelta(seconds=7))
    assert not ReplyMail.objects.exists()
    decide(reply, Act.APPROVE, moderator, again := NOW + dt.timedelta(seconds=8))
    assert send_replies(NOW + UNDO_TIME) == 0
    assert mail.outbox == []
    assert send_replies(again + UNDO_TIME) == 2


def test_a_mailed_reply_that_becomes_visible_again_is_not_mailed_again(conversation, version, bob, moderator):
    reply = row(version, bob, "Hm.", parent=conversation, state=State.HELD)
    decide(reply, Act.APPROVE, moderator, NOW)
    assert send_replies(NOW + UNDO_TIME) == 2
    reverse_act(decide(reply, Act.SPAM, moderator, NOW + UNDO_TIME), moderator, NOW + 2 * UNDO_TIME)
    assert send_replies(NOW + 4 * UNDO_TIME) == 0


def test_a_reply_removed_before_it_is_mailed_is_not_mailed(conversation, version, bob):
    reply = row(version, bob, "Hm.", parent=conversation, state=State.REMOVED)
    ReplyMail.objects.create(subscription=Subscription.objects.all()[0], reply=reply, due_at=NOW)
    assert send_replies(NOW) == 0
    assert mail.outbox == []
    assert not ReplyMail.objects.exists()


def test_a_mail_that_cannot_be_sent_is_tried_again(conversation, version, bob, monkeypatch):
    reply = row(version, bob, "Hm.", parent=conversation)
    ReplyMail.objects.create(subscription=Subscription.objects.all()[0], reply=reply, due_at=NOW)

    def fails(*_, **__):
        raise OSError("no mail server")

    with monkeypatch.context() as broken:
        broken.setattr("django.core.mail.EmailMessage.send", fails)
        assert send_replies(NOW) == 0
    assert send_replies(NOW) == 1
