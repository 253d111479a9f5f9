"""Anybody can ask for something to be taken down, and gets a receipt that nobody can guess and an answer by mail."""

from __future__ import annotations

import datetime as dt
import uuid

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from courseiva.accounts.staff.groups import EDITORS, MODERATORS
from discussion.comments.errors import NotAModerator, NotThere, Refused, TooMany
from discussion.keeping.keep import TAKEDOWNS_KEPT, purge_takedowns
from discussion.models import Outcome, Takedown
from discussion.moderation.digest import send_digest
from discussion.people.takedowns.request import HOURLY, Request, answer_takedown, ask, tell_of_takedowns
from questions.reports.reads.reporters import Reporter
from tests.discussion.conftest import in_group, person
from tests.support.bank import NOW
from tests.support.hooks import codes, states, values

FORM = "/takedown/"
DESK = "/moderation/takedowns/"
ASKED = {"address": "/discussion/comment/7/", "ground": "rights", "text": "It is my book.", "email": "eve@example.com"}
ANSWER = {"outcome": "removed", "answer": "We have removed the comment."}
LATER = NOW + dt.timedelta(hours=2)


@pytest.fixture(autouse=True)
def _empty_cache():
    cache.clear()


@pytest.fixture
def taken(db) -> Takedown:
    return ask(Request(**ASKED, name="Eve"), Reporter(network="192.0.2.1"), NOW)


class TestAsking:
    def test_anyone_can_send_a_request_without_an_account_and_gets_a_receipt(self, client, db):
        page = client.get(FORM)
        assert (page.status_code, "no-store" in page.headers["Cache-Control"]) == (200, True)
        sent = client.post(FORM, {**ASKED, "name": ""})
        row = Takedown.objects.get()
        assert sent.headers["Location"] == reverse("takedown", args=[row.token])
        assert {name: getattr(row, name) for name in ASKED} == ASKED
        receipt = Client().get(sent.headers["Location"])
        assert states(receipt) == ["open"]
        body = receipt.content.decode()
        assert ASKED["text"] in body
        assert ASKED["email"] not in body
        assert b"noindex" in receipt.content

    def test_a_receipt_cannot_be_guessed(self, client, taken):
        assert client.get(reverse("takedown", args=[uuid.uuid4()])).status_code == 404
        assert client.get(f"{FORM}{taken.pk}/").status_code == 404
        assert taken.token.version == 4

    def test_a_missing_field_is_named_and_what_was_typed_stays(self, client, db):
        page = client.post(FORM, {"text": "It is my book.", "email": "nobody", "ground": "fate"})
        assert (page.status_code, codes(page.context["form"])) == (
            400,
            {"address": ["required"], "ground": ["invalid_choice"], "email": ["invalid"]},
        )
        assert "It is my book." in page.content.decode()

    def test_a_request_sent_twice_is_stored_once_but_each_persons_separately(self, taken):
        again = ask(Request(**ASKED), Reporter(network="192.0.2.1"), LATER)
        other = ask(Request(**ASKED), Reporter(network="192.0.2.2"), LATER)
        assert (again, other.pk != taken.pk, other.token != taken.token) == (taken, True, True)

    def test_requests_are_limited_for_each_network(self, client, db):
        for n in range(HOURLY):
            ask(Request(**{**ASKED, "text": f"Work {n}."}), Reporter(network="192.0.2.1"), NOW)
        with pytest.raises(TooMany):
            ask(Request(**{**ASKED, "text": "One more."}), Reporter(network="192.0.2.1"), NOW)
        ask(Request(**{**ASKED, "text": "One more."}), Reporter(network="192.0.2.2"), NOW)
        for n in range(HOURLY):
            client.post(FORM, {**ASKED, "text": f"Page {n}."})
        page = client.post(FORM, {**ASKED, "text": "Another."})
        assert (page.status_code, values(page, "data-code")) == (429, ["too-many"])
        assert "Another." in page.content.decode()

    def test_the_form_needs_a_csrf_token(self, db):
        assert Client(enforce_csrf_checks=True).post(FORM, ASKED).status_code == 403

    def test_what_is_typed_is_escaped_on_every_page(self, client, client_of, moderator):
        client.post(FORM, {**ASKED, "text": "<script>alert(1)</script>", "address": "<img src=x>", "name": "<b>E</b>"})
        row = Takedown.objects.get()
        desk = client_of(moderator)
        for page in (desk.get(DESK), desk.get(f"{DESK}{row.pk}/"), client.get(reverse("takedown", args=[row.token]))):
            body = page.content.decode()
            assert not any(tag in body for tag in ("<script>", "<img src=x>", "<b>E</b>"))
            assert "&lt;script&gt;" in body


class TestWhatModeratorsAreTold:
    def test_moderators_are_mailed_at_once_but_at_most_once_a_day(
        self, db, moderator, django_capture_on_commit_callbacks
    ):
        boss = person("boss", is_superuser=True)
        for n in range(3):
            with django_capture_on_commit_callbacks(execute=True):
                ask(Request(**{**ASKED, "text": f"Work {n}."}), Reporter(network="192.0.2.1"), NOW)
        assert {message.to[0] for message in mail.outbox} == {moderator.email, boss.email}
        assert len(mail.outbox) == 2
        assert reverse("moderation-takedowns") in mail.outbox[0].body

    def test_nobody_is_reminded_of_an_answered_request(self, taken, moderator):
        answer_takedown(taken.pk, Outcome.KEPT, "No.", moderator, LATER)
        assert tell_of_takedowns(LATER) == 0

    def test_the_daily_mail_counts_open_requests(self, taken, moderator):
        assert send_digest(LATER) == 1
        assert reverse("moderation-takedowns") in mail.outbox[0].body


class TestAnswering:
    def test_only_moderators_see_and_answer_requests(self, client, client_of, taken, alice, moderator):
        editor = in_group("ed", EDITORS, is_staff=True)
        for address in (DESK, f"{DESK}{taken.pk}/"):
            assert client.get(address).status_code == 302
            assert [client_of(user).get(address).status_code for user in (alice, editor)] == [404, 404]
            assert client_of(moderator).get(address).status_code == 200
        assert client_of(alice).post(f"{DESK}{taken.pk}/", ANSWER).status_code == 404
        with pytest.raises(NotAModerator):
            answer_takedown(taken.pk, Outcome.KEPT, "No.", alice, LATER)
        with pytest.raises(NotThere):
            answer_takedown(10**6, Outcome.KEPT, "No.", moderator, LATER)
        assert client_of(moderator).get(f"{DESK}{10**6}/").status_code == 404

    def test_the_answer_is_mailed_and_shown_on_the_receipt(self, client, client_of, taken, moderator):
        assert values(client_of(moderator).get("/moderation/"), "data-beside") == ["takedowns"]
        sent = client_of(moderator).post(f"{DESK}{taken.pk}/", ANSWER)
        assert sent.headers["Location"] == DESK
        (message,) = mail.outbox
        address = reverse("takedown", args=[taken.token])
        assert (message.to, ANSWER["answer"] in message.body, address in message.body) == ([ASKED["email"]], True, True)
        receipt = client.get(address)
        assert states(receipt) == ["removed"]
        assert ANSWER["answer"] in receipt.content.decode()
        assert values(client_of(moderator).get("/moderation/"), "data-beside") == []

    def test_a_second_answer_is_refused_and_shown_again_as_typed(self, client_of, taken, moderator):
        answer_takedown(taken.pk, Outcome.KEPT, "The first.", in_group("max", MODERATORS), LATER)
        page = client_of(moderator).post(f"{DESK}{taken.pk}/", ANSWER)
        assert (page.status_code, values(page, "data-code")) == (400, ["takedown-answered"])
        assert ANSWER["answer"] in page.content.decode()
        assert len(mail.outbox) == 1
        with pytest.raises(Refused):
            answer_takedown(taken.pk, Outcome.REMOVED, "Again.", moderator, LATER)

    def test_an_answer_that_cannot_be_mailed_is_not_recorded(self, taken, moderator, monkeypatch):
        def fails(*_, **__):
            raise OSError("no mail server")

        monkeypatch.setattr("django.core.mail.EmailMessage.send", fails)
        with pytest.raises(OSError, match="no mail"):
            answer_takedown(taken.pk, Outcome.KEPT, "No.", moderator, LATER)
        assert Takedown.objects.get().answered_at is None

    def test_an_answer_needs_an_outcome_and_a_text(self, client_of, taken, moderator):
        page = client_of(moderator).post(f"{DESK}{taken.pk}/", {"answer": " "})
        assert codes(page.context["form"]) == {"outcome": ["required"], "answer": ["required"]}

    def test_waiting_requests_come_first_with_the_oldest_on_top(self, client_of, taken, moderator):
        second = ask(Request(**{**ASKED, "text": "Two."}), Reporter(network="192.0.2.1"), LATER)
        third = ask(Request(**{**ASKED, "text": "Three."}), Reporter(network="192.0.2.1"), LATER)
        answer_takedown(taken.pk, Outcome.PARTLY, "Half.", moderator, LATER)
        page = client_of(moderator).get(DESK)
        assert values(page, "data-takedown") == [str(each.pk) for each in (second, third, taken)]

    @pytest.mark.parametrize("count", [1, 18])
    def test_the_statement_count_does_not_grow_with_the_list(
        self, client_of, moderator, count, django_assert_num_queries
    ):
        for n in range(count):
            ask(Request(**ASKED), Reporter(network=f"192.0.2.{n}"), NOW)
        desk = client_of(moderator)
        with django_assert_num_queries(8):
            desk.get(DESK)


def test_a_request_is_deleted_a_year_after_its_answer(taken, moderator):
    assert purge_takedowns(NOW + 2 * TAKEDOWNS_KEPT) == 0
    answer_takedown(taken.pk, Outcome.KEPT, "No.", moderator, LATER)
    assert purge_takedowns(LATER + TAKEDOWNS_KEPT - dt.timedelta(seconds=1)) == 0
    assert purge_takedowns(LATER + TAKEDOWNS_KEPT) == 1
    assert not Takedown.objects.exists()


def test_the_contact_page_links_to_the_form(client, db):
    assert f'href="{FORM}"' in client.get("/articles/contact/").content.decode()
