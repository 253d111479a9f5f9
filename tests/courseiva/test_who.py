"""The header's last item is the same for everybody on cached pages, and names the reader on pages of their own."""

import datetime as dt

import pytest
from django.core.cache import cache
from django.db import connection
from django.http import HttpRequest
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from courseiva.accounts.changes.desk import note_moderator
from courseiva.accounts.models import User
from courseiva.accounts.staff.groups import MODERATORS
from discussion.models import State, Suspension
from discussion.moderation.reads.desk import has_found_desk
from tests.discussion.conftest import in_group, row
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.hooks import parsed

pytestmark = pytest.mark.django_db
WHO = reverse("account_who")
FAR = dt.datetime(2099, 1, 1, tzinfo=dt.UTC)


@pytest.fixture
def carol() -> Client:
    client = Client()
    client.force_login(User.objects.create_user("carol@example.com", "long-enough", display_name="Carol <C>"))
    return client


def test_a_shared_page_names_nobody_and_has_the_address_to_ask(carol: Client) -> None:
    pages = [parsed(client.get("/articles/privacy/")).select_one(".who") for client in (Client(), carol)]
    assert pages[0] == pages[1]
    assert pages[0]
    link = pages[0].select_one("a")
    assert link
    assert (link["href"], link["data-who"]) == (reverse("account_home"), WHO)


def test_a_stranger_is_told_where_to_sign_in_without_a_statement() -> None:
    with CaptureQueriesContext(connection) as queries:
        answer = Client().get(WHO)
    assert len(queries) == 0
    assert "no-store" in answer["Cache-Control"]
    assert [link["href"] for link in parsed(answer).select("a[data-stranger]")] == [reverse("account_login")]


def test_a_signed_in_reader_sees_their_public_name_and_never_the_address(carol: Client) -> None:
    answer = carol.get(WHO)
    assert "Carol &lt;C&gt;" in answer.text
    assert "carol@" not in answer.text
    assert [link["href"] for link in parsed(answer).select("a[data-person]")] == [reverse("account_home")]


def test_an_expired_login_counts_as_a_stranger(carol: Client) -> None:
    User.objects.update(is_active=False)
    assert parsed(carol.get(WHO)).select("a[data-stranger]")


def test_a_readers_own_pages_show_the_name_without_script(carol: Client) -> None:
    hub = reverse("hub", args=[make_exam().slug])
    assert parsed(Client().get(hub)).select(".who a[data-stranger]")
    assert parsed(carol.get(hub)).select(".who a[data-person]")
    assert parsed(carol.get(reverse("account_home"))).select(".who a[data-person]")


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_the_header_links_a_moderator_to_the_queue_after_their_first_visit() -> None:
    cache.clear()
    mona = signed_in(in_group("mona", MODERATORS))
    row(add_questions(make_exam(), 1)[0], None, "A remark.", state=State.HELD)
    assert not parsed(mona.get(WHO)).select("[data-desk]")
    mona.get(reverse("moderation"))
    for address in (WHO, reverse("account_home")):
        (link,) = parsed(mona.get(address)).select("[data-desk]")
        assert (link["href"], link["data-desk"]) == (reverse("moderation"), "1")
    row(add_questions(make_exam("ace"), 1)[0], None, "Another.", state=State.HELD)
    assert parsed(mona.get(WHO)).select_one("[data-desk]")["data-desk"] == "1"  # the count may be up to a minute old
    Suspension.objects.create(user=User.objects.get(display_name="Mona"), until=FAR, reason="Slept.", made_at=NOW)
    assert not parsed(mona.get(WHO)).select("[data-desk]")


def test_signing_in_records_whether_the_person_moderates() -> None:
    for user, expected in ((in_group("mona", MODERATORS), True), (User.objects.create_user("d@example.org"), False)):
        cache.clear()
        note_moderator(HttpRequest(), user)
        assert has_found_desk(user.pk) is expected


def test_no_statement_checks_whether_other_people_moderate(carol: Client) -> None:
    with CaptureQueriesContext(connection) as queries:
        carol.get(WHO)
    assert len(queries) == 2
