"""Check who may use a session's addresses, what they reveal and store, and what a GET may write."""

import json
import uuid

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from courseiva.accounts.models import User
from practice.learners.reads.identity import GUEST_COOKIE, GUEST_DAYS, Owner
from practice.models import GRACE, Learner, PracticeSession, SessionItem
from tests.support.bank import CANARY, add_questions, make_exam
from tests.support.sessions import begin_drill, begin_mock, guest, guest_client, read_through, right_places

pytestmark = pytest.mark.django_db
SAME_SITE = {"HTTP_SEC_FETCH_SITE": "same-origin"}


@pytest.fixture
def exam():
    exam = make_exam()
    add_questions(exam, 2)
    add_questions(exam, 2, pool="reserved")
    return exam


@pytest.fixture
def mock(alice, exam):
    return begin_mock(alice.owner, exam, now=timezone.now())


def post(client, session, name, body, **headers):
    address = reverse(name, args=[session.uuid])
    return client.post(address, json.dumps(body), content_type="application/json", **headers)


def save(client, session, writer, *items):
    return post(client, session, "save", {"writer": writer, "items": list(items)})


def test_a_session_is_claimed_saved_and_finished(alice, mock):
    claimed = post(alice, mock, "claim", {}).json()
    assert claimed["writer"] == 1
    assert len(claimed["items"]) == 10
    answer = save(alice, mock, 1, {"p": 1, "seq": 1, "sel": list(right_places(mock, 1))})
    assert answer.json()["saved"] == [1]
    finished = alice.post(reverse("finish", args=[mock.uuid]))
    assert finished.url == reverse("results", args=[mock.uuid])
    page = alice.get(finished.url)
    assert page.status_code == 200
    assert "1 of 10" in page.content.decode()


def test_a_claim_returns_the_last_saver_not_the_last_claimer(alice, mock):
    assert post(alice, mock, "claim", {}).json()["latest"] == 0
    save(alice, mock, 1, {"p": 1, "seq": 1, "sel": [0]}, {"p": 2, "seq": 2, "sel": [0]})
    assert [post(alice, mock, "claim", {}).json()["latest"] for _ in range(2)] == [1, 1]
    save(alice, mock, 3, {"p": 1, "seq": 1, "sel": [1]})
    assert post(alice, mock, "claim", {}).json()["latest"] == 3


@pytest.mark.parametrize(
    ("zone", "kept"),
    [("Europe/Berlin", "Europe/Berlin"), ("Mars/Olympus", "UTC"), ("../etc/passwd", "UTC"), (7, "UTC")],
)
def test_a_claim_returns_the_learners_time_zone(alice, mock, zone, kept):
    post(alice, mock, "claim", {"zone": zone})
    assert Learner.objects.get().time_zone == kept


def test_every_save_keeps_the_guest_for_another_180_days(alice, mock):
    response = save(alice, mock, 0, {"p": 1, "seq": 1, "sel": [0]})
    assert response.cookies[GUEST_COOKIE]["max-age"] == GUEST_DAYS * 86400
    alice.cookies[GUEST_COOKIE] = response.cookies[GUEST_COOKIE].value
    assert alice.get(reverse("session", args=[mock.uuid])).status_code == 200


def test_a_running_mock_reveals_nothing_at_any_of_its_addresses(alice, mock):
    responses = [
        alice.get(reverse("session", args=[mock.uuid])),
        alice.get(reverse("finish", args=[mock.uuid])),
        alice.get(reverse("results", args=[mock.uuid])),
        alice.get(reverse("results-csv", args=[mock.uuid])),
        alice.get(reverse("breakdown", args=[mock.uuid, 1])),
        post(alice, mock, "claim", {}),
        save(alice, mock, 1, {"p": 1, "seq": 1, "sel": [0]}),
        post(alice, mock, "check", {"writer": 1, "items": [{"p": 1, "seq": 2, "sel": [0]}]}),
        alice.post(reverse("hint", args=[mock.uuid, 1])),
        alice.post(reverse("session", args=[mock.uuid]), {"writer": "1", "base": "", "a-1": "0", "check": "1"}),
        alice.get(reverse("hub", args=["pmle"])),
        alice.get(reverse("history")),
    ]
    for response in responses:
        text = response.content.decode()
        assert CANARY not in text
        assert "key_mask" not in text
        assert "is_correct" not in text
        assert '"right"' not in text


def test_a_reserved_question_is_shown_nowhere_until_a_finished_session_has_shown_it(alice, mock, exam):
    reserved = SessionItem.objects.filter(session=mock, version__pool="reserved").select_related("version").first()
    address = reverse("breakdown", args=[mock.uuid, reserved.position])
    assert alice.get(address).status_code == 404
    now = read_through(mock, alice.owner, timezone.now())
    with time_machine.travel(now, tick=False):
        alice.post(reverse("finish", args=[mock.uuid]))
    assert CANARY in alice.get(address).content.decode()
    assert guest_client(guest()[1]).get(address).status_code == 404


def test_another_learners_session_is_not_found(mock):
    bob = guest_client(guest()[1])
    for client in (bob, Client()):
        for name in ("session", "finish", "results", "results-csv"):
            assert client.get(reverse(name, args=[mock.uuid])).status_code == 404
        for name in ("claim", "save", "check"):
            assert post(client, mock, name, {"writer": 0, "items": []}).status_code == 404
        for name in ("finish", "discard", "pause"):
            assert client.post(reverse(name, args=[mock.uuid])).status_code == 404
    assert alice_sees_open(mock)


def alice_sees_open(mock):
    mock.refresh_from_db()
    return mock.is_open


def test_a_wrong_address_is_not_found(alice):
    assert alice.get(reverse("session", args=[uuid.uuid4()])).status_code == 404


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"null", b'{"writer": 1}', b'{"writer": "1", "items": []}', b"\xff\xfe", b"[" * 100_000]
)
def test_junk_is_refused_with_a_reason_and_nothing_is_stored(alice, mock, body):
    response = alice.post(reverse("save", args=[mock.uuid]), body, content_type="application/json")
    assert response.status_code == 400
    assert response.json()["error"]
    assert not SessionItem.objects.exclude(selected=0).exists()


@pytest.mark.parametrize(
    "item",
    [
        7, None, {}, {"p": 1}, {"p": "1", "seq": 1}, {"p": 1, "seq": -1}, {"p": 1, "seq": 1, "sel": [99]},
        {"p": 1, "seq": 1, "sel": "0"}, {"p": 1, "seq": 1, "sel": [True]}, {"p": 1, "seq": 1, "conf": 9},
        {"p": 1, "seq": 1, "sec": -4}, {"p": 99, "seq": 1}, {"p": 1, "seq": 1, "flag": 1}, {"p": 1, "seq": 2**40},
    ],
)  # fmt: skip
def test_only_the_bad_item_of_a_save_is_refused(alice, mock, item):
    post(alice, mock, "claim", {})
    answer = save(alice, mock, 1, item, {"p": 2, "seq": 1, "sel": [0]}).json()
    assert answer["saved"] == [2]
    assert len(answer["refused"]) == 1
    assert answer["refused"][0]["reason"]


def test_an_older_writer_gets_409(alice, mock):
    post(alice, mock, "claim", {})
    post(alice, mock, "claim", {})
    response = save(alice, mock, 1, {"p": 1, "seq": 1, "sel": [0]})
    assert (response.status_code, response.json()["writer"]) == (409, 2)


def test_a_get_writes_only_when_it_closes_the_owners_expired_session(alice, mock, exam):
    addresses = [reverse(n, args=[mock.uuid]) for n in ("session", "finish", "results")]
    addresses += [reverse("hub", args=["pmle"]), reverse("mock", args=["pmle"]), reverse("history")]
    with CaptureQueriesContext(connection) as statements:
        for address in addresses:
            alice.get(address)
    assert not [s for s in statements if not s["sql"].lstrip("( ").upper().startswith("SELECT")]
    PracticeSession.objects.update(deadline=timezone.now() - 2 * GRACE)
    response = alice.get(reverse("session", args=[mock.uuid]))
    assert response.url == reverse("results", args=[mock.uuid])
    mock.refresh_from_db()
    assert mock.finished_at == mock.deadline


def test_pages_of_a_session_are_never_stored(alice, mock):
    for name in ("session", "finish"):
        assert "no-store" in alice.get(reverse(name, args=[mock.uuid]))["Cache-Control"]


def test_an_ended_login_is_answered_differently_from_another_learners_session(exam, django_user_model):
    user = django_user_model.objects.create_user(email="carol@example.com", password="x")
    session = begin_mock(Owner(user_id=user.pk), exam, now=timezone.now())
    response = save(Client(), session, 0, {"p": 1, "seq": 1, "sel": [0]})
    assert (response.status_code, response.json()["login"]) == (403, True)
    other = Client()
    other.force_login(User.objects.create_user(email="bob@example.com", password="x"))
    assert save(other, session, 0, {"p": 1, "seq": 1, "sel": [0]}).status_code == 404
    typed = Client().post(reverse("session", args=[session.uuid]), {"writer": "0", "base": "", "a-1": "2"})
    assert typed.status_code == 403
    assert '<input type="hidden" name="a-1" value="2">' in typed.content.decode()


def test_a_page_without_script_saves_what_it_changed_and_no_more(alice, mock):
    address = reverse("session", args=[mock.uuid])
    page = alice.get(address).content.decode()
    assert f'name="base" value="{";" * 9}"' in page
    alice.post(address, {"writer": "0", "base": ";", "a-1": "2", "place": "1"})
    alice.post(address, {"writer": "1", "base": "2;", "a-1": "2", "a-2": "1", "f-2": "1"})
    stored = {item.position: item for item in mock.items.all()}
    assert stored[1].selected == 1 << int(stored[1].option_order[2], 16)
    assert stored[2].selected == 1 << int(stored[2].option_order[1], 16)
    assert stored[2].flagged
    assert stored[1].sequence < stored[2].writer + 10


def test_an_older_page_without_script_is_asked_to_take_over_and_keeps_its_input(alice, mock):
    address = reverse("session", args=[mock.uuid])
    alice.post(address, {"writer": "0", "base": "", "a-1": "2"})
    refused = alice.post(address, {"writer": "0", "base": "-;", "a-2": "1"})
    assert refused.status_code == 409
    assert '<input type="hidden" name="a-2" value="1">' in refused.content.decode()
    taken = alice.post(address, {"writer": "0", "base": "-;", "a-2": "1", "take_over": "1"})
    assert taken.status_code == 302
    assert SessionItem.objects.exclude(selected=0).count() == 2


def test_a_drill_without_script_marks_an_answer_and_shows_the_verdict_in_place(alice, exam):
    drill = begin_drill(alice.owner, exam, size=3, now=timezone.now())
    address = reverse("session", args=[drill.uuid])
    places = [str(place) for place in right_places(drill, 2)]
    response = alice.post(address, {"writer": "0", "base": "-;", "a-2": places, "check": "2"})
    assert response.url == f"{address}#q2"
    page = alice.get(address).content.decode()
    assert "Right." in page
    assert page.count(CANARY + " quick") == 1


def test_start_pages_need_our_own_origin_and_create_a_guest(exam):
    stranger = Client(enforce_csrf_checks=True)
    fields = {"blueprint": "june-2026", "count": "10", "time_factor": "1", "conditions": "exam"}
    for forged in ({}, {"HTTP_ORIGIN": "https://evil.example"}, {"HTTP_SEC_FETCH_SITE": "cross-site"}):
        assert stranger.post(reverse("mock", args=["pmle"]), fields, **forged).status_code == 403
    assert not Learner.objects.exists()
    started = stranger.post(reverse("mock", args=["pmle"]), fields, **SAME_SITE)
    assert started.status_code == 302
    assert stranger.cookies[GUEST_COOKIE]["httponly"]
    assert stranger.get(started.url).status_code == 200


def test_a_tampered_guest_cookie_is_ignored(mock, alice):
    alice.cookies[GUEST_COOKIE] = alice.cookies[GUEST_COOKIE].value + "x"
    assert alice.get(reverse("session", args=[mock.uuid])).status_code == 404


def test_guest_work_is_adopted_at_login_or_sign_up_and_not_before(exam, django_user_model):
    owner, token = guest()
    client = guest_client(token)
    session = begin_mock(owner, exam, now=timezone.now())
    user = django_user_model.objects.create_user(email="carol@example.com", password="a long password")
    user.emailaddress_set.create(email=user.email, verified=True, primary=True)
    assert not Learner.objects.filter(user=user).exists()
    client.post(reverse("account_login"), {"login": user.email, "password": "a long password"})
    session.refresh_from_db()
    assert session.learner.user == user
    assert Learner.objects.count() == 1
    assert client.get(reverse("session", args=[session.uuid])).status_code == 200
    client.logout()
    address = reverse("session", args=[session.uuid])
    assert client.get(address).url == f"{reverse('account_login')}?next={address}"
