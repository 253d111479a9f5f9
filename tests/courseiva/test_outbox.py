"""Mail is stored in the same transaction as its cause and delivered once; a mail server that is down delays nothing."""

from __future__ import annotations

import datetime as dt
import email
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib import admin
from django.core.mail import EmailMessage, send_mail
from django.db import IntegrityError, transaction
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from courseiva.accounts.changes.delete import remove_account
from courseiva.accounts.models import User
from courseiva.celery import app
from courseiva.outbox import deliver as module
from courseiva.outbox import rules
from courseiva.outbox.deliver import AT_ONCE, deliver, purge
from courseiva.outbox.models import MailState, OutgoingMail, RefusedAddress
from courseiva.outbox.reads import outbox
from tests.support.smtp import MailServer, mail_server

NOW = dt.datetime(2026, 11, 24, 12, 0, tzinfo=dt.UTC)
ALICE, BOB = "alice@example.org", "bob@example.org"
PASSWORD = "correct-horse-battery"
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _outbox(settings: Any) -> None:
    settings.EMAIL_BACKEND = "courseiva.outbox.backend.OutboxBackend"
    settings.MAIL_TRANSPORT = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", 1, 5
    settings.EMAIL_HOST_USER = settings.EMAIL_HOST_PASSWORD = ""
    settings.REDIS_URL = ""


@pytest.fixture
def server(settings: Any) -> Iterator[MailServer]:
    with mail_server() as running:
        settings.EMAIL_PORT = running.port
        yield running


def write(*recipients: str, subject: str = "Hello", text: str = "Grüße\n.\nEnd") -> list[OutgoingMail]:
    """Write a mail to each recipient, due at NOW."""
    EmailMessage(subject, text, None, recipients or [ALICE]).send()
    OutgoingMail.objects.filter(tries=0).update(written_at=NOW, due_at=NOW)
    return list(OutgoingMail.objects.order_by("pk"))


def state_of(mail: OutgoingMail) -> MailState:
    mail.refresh_from_db()
    return MailState(mail.state)


def test_a_mail_is_delivered_as_it_was_written_and_its_text_deleted(server: MailServer) -> None:
    (mail,) = write()
    assert deliver(NOW) == 1
    (letter,) = server.letters
    read = email.message_from_bytes(letter.text)
    assert (letter.recipients, read["Subject"], read["Message-ID"]) == ([ALICE], "Hello", mail.message_id)
    assert letter.sender == "no-reply@courseiva.example"
    assert read.get_payload(decode=True).decode() == "Grüße\r\n.\r\nEnd\r\n"  # type: ignore[union-attr]
    assert state_of(mail) == MailState.SENT
    assert bytes(mail.text) == b""
    assert deliver(NOW + dt.timedelta(days=1)) == 0
    assert len(server.letters) == 1


def test_a_mail_and_its_cause_are_written_together_or_not_at_all() -> None:
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        send_mail("Hello", "text", None, [ALICE])
        raise ZeroDivisionError
    assert not OutgoingMail.objects.exists()


def test_the_message_id_is_fixed_when_it_is_written(server: MailServer) -> None:
    server.hang_up_after = "text"  # the text is accepted, but the connection is lost before we hear of it
    (mail,) = write()
    assert deliver(NOW) == 0
    assert state_of(mail) == MailState.WAITING
    server.hang_up_after = ""
    assert deliver(mail.due_at) == 1
    ids = [email.message_from_bytes(letter.text)["Message-ID"] for letter in server.letters]
    assert ids == [mail.message_id, mail.message_id]
    assert mail.message_id.endswith("@courseiva.example>")


def test_a_header_that_names_the_message_itself_is_kept() -> None:
    EmailMessage("Hello", "text", None, [ALICE], headers={"Message-ID": "<own@example.org>"}).send()
    assert OutgoingMail.objects.get().message_id == "<own@example.org>"


def test_each_recipient_gets_a_separate_mail(server: MailServer) -> None:
    write(ALICE, BOB)
    assert deliver(NOW) == 2
    assert [letter.recipients for letter in server.letters] == [[ALICE], [BOB]]
    assert server.connections == 1


def test_a_mail_without_recipients_is_not_stored() -> None:
    assert EmailMessage("Hello", "text").send() == 0
    assert not OutgoingMail.objects.exists()


def test_while_the_server_is_down_there_is_one_try_a_minute_and_no_mail_is_lost() -> None:
    first, second = write(ALICE, BOB)
    assert deliver(NOW) == 0
    assert [state_of(first), state_of(second)] == [MailState.WAITING] * 2
    assert [first.tries, second.tries] == [0, 0], "nobody was asked about either"
    assert {first.due_at, second.due_at} == {NOW + rules.SERVER_REST}
    assert deliver(NOW + rules.SERVER_REST - dt.timedelta(seconds=1)) == 0


def test_when_the_server_is_back_everything_goes_out(settings: Any) -> None:
    write(ALICE, BOB)
    deliver(NOW)
    with mail_server() as running:
        settings.EMAIL_PORT = running.port
        assert deliver(NOW + rules.SERVER_REST) == 2


@pytest.mark.parametrize(
    ("verb", "answer"),
    [("MAIL", "530 5.7.0 sign in first"), ("RCPT", "421 closing"), ("hello", "554 not today")],
)
def test_a_server_error_is_not_counted_against_the_mail(server: MailServer, verb: str, answer: str) -> None:
    server.answers[verb] = answer
    first, second = write(ALICE, BOB)
    assert deliver(NOW) == 0
    assert [state_of(first), state_of(second)] == [MailState.WAITING] * 2
    assert not RefusedAddress.objects.exists()
    server.answers.clear()
    assert deliver(NOW + rules.wait_after(1)) == 2


@pytest.mark.parametrize("answer", ["550 5.1.1 no such user", "550 unknown", "553 5.1.3 what?", "552 5.2.2 full"])
def test_a_refused_address_is_marked_and_its_mail_not_tried_again(server: MailServer, answer: str) -> None:
    server.answers["RCPT"] = answer
    (mail,) = write("Alice@Example.org")
    assert deliver(NOW) == 0
    assert state_of(mail) == MailState.REFUSED
    assert (bytes(mail.text), mail.error) == (b"", answer)
    mark = RefusedAddress.objects.get()
    assert (mark.address, mark.reason) == (ALICE, answer)


@pytest.mark.parametrize("answer", ["554 5.7.1 relay access denied", "450 4.2.0 greylisted", "550 5.7.26 no SPF"])
def test_a_failure_that_may_be_our_own_fault_is_tried_again(server: MailServer, answer: str) -> None:
    server.answers["RCPT"] = answer
    (mail,) = write()
    for number in (1, 2, 3):
        now = NOW if number == 1 else mail.due_at
        deliver(now)
        assert state_of(mail) == MailState.WAITING
        assert (mail.tries, mail.due_at) == (number, now + rules.WAITS[number - 1])
    assert not RefusedAddress.objects.exists()


def test_a_refused_text_ends_the_tries_and_marks_no_address(server: MailServer) -> None:
    server.answers["text"] = "554 5.6.0 spam"
    (mail,) = write()
    deliver(NOW)
    assert state_of(mail) == MailState.REFUSED
    assert not RefusedAddress.objects.exists(), "the text was refused, not the address"
    server.answers["text"] = "451 4.3.0 later"
    _, second = write(BOB)
    deliver(NOW)
    assert (state_of(second), second.tries) == (MailState.WAITING, 1)


def test_a_marked_address_is_left_alone_for_a_day_and_then_tried_again(server: MailServer) -> None:
    RefusedAddress.objects.create(address=ALICE, reason="550", refused_at=timezone.now() - dt.timedelta(hours=23))
    send_mail("Hello", "text", None, ["Alice@example.org"])
    assert OutgoingMail.objects.get().state == MailState.REFUSED
    RefusedAddress.objects.update(refused_at=timezone.now() - dt.timedelta(hours=25))
    send_mail("Hello again", "text", None, [ALICE])
    assert deliver(timezone.now()) == 1
    assert not RefusedAddress.objects.exists(), "what was accepted takes the mark away"


def test_a_mail_is_given_up_after_three_days_and_its_text_deleted(server: MailServer) -> None:
    (mail,) = write()
    assert deliver(NOW + rules.GIVEN_UP_AFTER + dt.timedelta(seconds=1)) == 0
    assert state_of(mail) == MailState.GIVEN_UP
    assert bytes(mail.text) == b""
    assert server.letters == []


def test_two_deliveries_at_once_send_one_mail(server: MailServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second run reads the row before the first has claimed it."""
    (mail,) = write()
    real = module._deliver_one

    def after_another(connection: Any, row: OutgoingMail, now: dt.datetime) -> bool:
        monkeypatch.setattr(module, "_deliver_one", real)
        deliver(now)
        return real(connection, row, now)

    monkeypatch.setattr(module, "_deliver_one", after_another)
    assert deliver(NOW) == 0
    assert state_of(mail) == MailState.SENT
    assert len(server.letters) == 1


def test_a_kill_between_acceptance_and_commit_sends_the_mail_again(
    server: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    (mail,) = write()

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr("courseiva.outbox.deliver._sent", die)
        with pytest.raises(KeyboardInterrupt):
            deliver(NOW)
    assert state_of(mail) == MailState.WAITING
    assert deliver(mail.due_at) == 1
    assert len({email.message_from_bytes(letter.text)["Message-ID"] for letter in server.letters}) == 1


def test_a_run_sends_no_more_mails_than_its_limit(server: MailServer) -> None:
    write(*(f"p{number}@example.org" for number in range(AT_ONCE + 1)))
    assert [deliver(NOW), deliver(NOW), deliver(NOW)] == [AT_ONCE, 1, 0]


def test_the_statement_count_does_not_grow_with_the_delayed_mails(
    django_assert_num_queries: Callable[..., Any],
) -> None:
    with django_assert_num_queries(2):
        deliver(NOW)
    write(ALICE, BOB)
    OutgoingMail.objects.update(due_at=NOW + dt.timedelta(hours=1))
    with django_assert_num_queries(2):
        deliver(NOW)


def test_rows_of_ended_mails_are_kept_for_a_week(server: MailServer) -> None:
    write()
    deliver(NOW)
    assert purge(NOW + dt.timedelta(days=6)) == 0
    assert purge(NOW + dt.timedelta(days=8)) == 1


def test_the_database_itself_refuses_to_keep_the_text_of_an_ended_mail() -> None:
    (mail,) = write()
    with pytest.raises(IntegrityError), transaction.atomic():
        OutgoingMail.objects.filter(pk=mail.pk).update(state=MailState.SENT, ended_at=NOW)


def test_the_backlog_takes_one_statement(django_assert_num_queries: Callable[..., Any]) -> None:
    assert (outbox(NOW).waiting, outbox(NOW).oldest_seconds, outbox(NOW).failed) == (0, 0, 0)
    write(ALICE, BOB)
    OutgoingMail.objects.filter(recipient=BOB).update(state=MailState.GIVEN_UP, text=b"", ended_at=NOW)
    with django_assert_num_queries(1):
        found = outbox(NOW + dt.timedelta(seconds=90))
    assert (found.waiting, found.oldest_seconds, found.failed) == (1, 90, 1)


def test_signing_up_and_resetting_work_while_the_mail_server_is_down(client: Client, settings: Any) -> None:
    page = client.post(reverse("account_signup"), {"email": ALICE, "password1": PASSWORD})
    assert page.status_code == 302
    deliver(timezone.now())
    assert EmailAddress.objects.get(email=ALICE).verified is False
    with mail_server() as running:
        settings.EMAIL_PORT = running.port
        assert deliver(timezone.now() + rules.SERVER_REST) == 1
    text = email.message_from_bytes(running.letters[0].text).get_payload(decode=True).decode()  # type: ignore[union-attr]
    link = re.search(r"https?://testserver(/accounts/confirm-email/\S+)", text)
    assert link
    client.post(link[1])
    assert EmailAddress.objects.get(email=ALICE).verified is True
    settings.EMAIL_PORT = 1
    assert Client().post(reverse("account_reset_password"), {"email": ALICE}).status_code == 302
    (waiting,) = OutgoingMail.objects.filter(state=MailState.WAITING)
    assert b"password" in bytes(waiting.text)


@pytest.mark.django_db(transaction=True)
def test_with_redis_writing_a_mail_queues_its_delivery_and_without_it_nothing(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    monkeypatch.setattr("courseiva.outbox.write.after_commit", sent.append)
    write()
    assert sent == []
    settings.REDIS_URL = "redis://redis.example/0"
    write()
    assert sent == ["outbox.deliver"]
    assert {"outbox.deliver", "outbox.purge"} <= set(app.tasks)


def test_deleting_an_account_deletes_its_mail() -> None:
    user = User.objects.create_user(ALICE)
    write(ALICE, BOB)
    RefusedAddress.objects.create(address=ALICE, reason="550", refused_at=NOW)
    remove_account(user.pk, NOW)
    assert [mail.recipient for mail in OutgoingMail.objects.all()] == [BOB]
    assert not RefusedAddress.objects.exists()


def test_staff_see_which_mails_wait_but_not_their_text(rf: RequestFactory) -> None:
    (mail,) = write(text="the secret link")
    shown = admin.site._registry[OutgoingMail]
    assert "text" not in (*shown.fields, *shown.list_display)  # type: ignore[misc]
    request = rf.get("/")
    request.user = User.objects.create_superuser("root@example.org")
    assert not any(ask(request) for ask in (shown.has_add_permission, shown.has_change_permission))
    assert not shown.has_delete_permission(request)
    assert "text" in shown.get_queryset(request).get(pk=mail.pk).get_deferred_fields()
    assert admin.site._registry[RefusedAddress].has_delete_permission(request)
