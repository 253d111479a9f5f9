"""A learner is asked once which of several exams they prepare for; public pages stay the same for everybody."""

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from courseiva.accounts.models import User
from practice.learners.reads.identity import EXAM_COOKIE, Owner
from practice.models import Learner
from questions.models import Blueprint, Exam
from tests.support.bank import add_questions, make_exam
from tests.support.sessions import begin_drill, guest, guest_client

pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]
OWN = {"HTTP_SEC_FETCH_SITE": "same-origin"}
PLACES = {
    "practise": "/practice/{}/",
    "mock": "/practice/{}/mock/",
    "study": "/exams/{}/",
    "progress": "/practice/{}/readiness/",
}
ASKS = 'name="exam"'
STRANGER, ASKED, GUEST, USER = 1, 2, 3, 4
"""SQL statements of the header's fragment, of the page that asks, and of the fragment for a guest and for a user."""


@pytest.fixture
def exams():
    """Create two exams, neither of which has the slug of the original site's exam."""
    made = [make_exam(slug) for slug in ("ace", "pca")]
    for exam in made:
        add_questions(exam, 2)
    return made


def choose(client, slug, to="practise", **headers):
    return client.post(reverse("my-exam"), {"exam": slug, "to": to}, **(headers or OWN))


def leads_to(client, place="practise"):
    """Return where a header link leads from a page that belongs to no exam, or "" where it asks for the exam."""
    response = client.get(reverse("my-place", args=[place]))
    assert response.headers["Cache-Control"].count("no-store")
    if response.status_code == 200:
        assert ASKS in response.text
    return response.headers.get("Location", "")


def user_client(email="bob@example.org"):
    client = Client()
    client.user = User.objects.create_user(email, "three plain words")
    client.force_login(client.user)
    return client


class TestSeveralExams:
    @pytest.mark.parametrize("place", PLACES)
    def test_a_visitor_is_asked_for_the_exam_and_sent_on_after_choosing(self, exams, place):
        client = Client()
        assert leads_to(client, place) == ""
        chosen = choose(client, "pca", place)
        assert chosen.headers["Location"] == PLACES[place].format("pca") == leads_to(client, place)
        assert client.get(chosen.headers["Location"]).status_code == 200

    def test_the_choice_is_in_a_cookie_that_does_not_identify_its_owner(self, exams):
        response = choose(Client(), "pca")
        cookie = response.cookies[EXAM_COOKIE]
        assert (cookie.value, cookie["httponly"], cookie["samesite"]) == ("pca", True, "Lax")
        assert list(response.cookies) == [EXAM_COOKIE]
        assert not Learner.objects.exists()

    def test_the_home_page_asks_every_visitor_the_same_way_beside_a_question(self, exams):
        pages = [Client().get("/") for _ in range(2)]
        assert pages[0].content == pages[1].content
        assert ASKS in pages[0].text
        assert 'name="slot"' in pages[0].text
        assert "public" in pages[0].headers["Cache-Control"]
        client = Client()
        assert choose(client, "pca", "home").headers["Location"] == "/"
        page = client.get("/")
        assert ASKS not in page.text
        assert 'action="/practice/pca/answer/' in page.text
        assert "no-store" in page.headers["Cache-Control"]
        assert "/ace/" not in page.text.partition("<main")[0]

    @pytest.mark.parametrize("address", ["/articles/", "/exams/", "/search/", "/exams/ace/", "/exams/ace/questions/"])
    def test_public_pages_are_the_same_bytes_whatever_the_choice(self, exams, address):
        clients = [Client(), Client(), Client(), user_client()]
        for client, slug in zip(clients[1:], ("pca", "ace", "pca"), strict=True):
            choose(client, slug)
        assert len({client.get(address).content for client in clients}) == 1

    def test_links_on_an_exams_pages_stay_in_that_exam(self, exams):
        client = Client()
        choose(client, "pca")
        head = client.get("/exams/ace/").text.partition("<main")[0]
        assert "/practice/ace/mock/" in head
        assert "/pca/" not in head
        assert f'href="{reverse("my-exam")}?to=study"' in head

    def test_the_account_remembers_the_exam_for_other_browsers(self, exams):
        client = user_client()
        choose(client, "pca")
        other = Client()
        other.force_login(client.user)
        assert leads_to(other) == "/practice/pca/"
        choose(other, "ace")
        assert leads_to(client) == "/practice/ace/"  # the account's choice wins over the cookie

    def test_at_sign_in_the_browsers_choice_applies_if_the_account_has_none(self, exams):
        client = Client()
        choose(client, "pca")
        user = User.objects.create_user("carol@example.org", "three plain words")
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        for chosen in ("pca", "ace"):
            client.post(reverse("account_login"), {"login": user.email, "password": "three plain words"})
            other = Client()
            other.force_login(user)
            assert leads_to(other) == f"/practice/{chosen}/" == leads_to(client)
            choose(other, "ace")
            client.post(reverse("account_logout"))
            assert leads_to(client) == "/practice/pca/"

    def test_a_learner_who_has_practised_is_not_asked(self, exams):
        owner, token = guest()
        begin_drill(owner, exams[1], size=1)
        client = guest_client(token)
        assert leads_to(client) == "/practice/pca/"
        assert ASKS not in client.get("/").text
        choose(client, "ace")
        assert leads_to(client) == "/practice/ace/"

    def test_a_cookie_with_an_unknown_exam_asks_again(self, exams):
        for slug in ("pmle", "", "../admin", "x" * 3000):
            client = Client()
            client.cookies[EXAM_COOKIE] = slug
            assert leads_to(client) == ""
            assert ASKS in client.get("/").text

    def test_only_our_own_origin_may_set_an_existing_exam(self, exams):
        assert choose(Client(), "pca", HTTP_SEC_FETCH_SITE="cross-site").status_code == 403
        client = Client()
        for slug in ("pmle", ""):
            response = choose(client, slug)
            assert response.status_code == 400
            assert 'role="alert"' in response.text
            assert ASKS in response.text
        assert EXAM_COOKIE not in client.cookies
        assert choose(client, "pca", "https://elsewhere.example/").headers["Location"] == "/practice/pca/"
        assert client.get("/my-exam/elsewhere/").status_code == 404

    def test_the_fragment_is_the_exams_header_and_empty_for_strangers(self, exams):
        client = Client()
        asked = client.get(reverse("my-places"))
        assert (asked.status_code, asked.content) == (204, b"")
        choose(client, "pca")
        html = client.get(reverse("my-places") + "?place=mock").text
        assert 'href="/practice/pca/mock/" aria-current="true"' in html
        assert ">PCA<" in html
        assert "data-my-places" not in html

    def test_an_exam_without_a_current_guide_cannot_be_chosen(self, exams):
        Blueprint.objects.filter(exam=exams[0]).update(is_current=False)
        cache.clear()
        assert leads_to(Client()) == "/practice/pca/"
        assert reverse("my-exam") not in Client().get("/exams/pca/").text

    def test_clearing_a_guest_clears_the_chosen_exam(self, exams):
        owner, token = guest()
        begin_drill(owner, exams[1], size=1)
        client = guest_client(token)
        choose(client, "ace")
        client.post(reverse("forget-guest"), **OWN)
        assert leads_to(client) == ""


class TestStatements:
    def count(self, client, address):
        with CaptureQueriesContext(connection) as found:
            client.get(address)
        return len(found)

    @pytest.mark.parametrize("more", [0, 2])
    def test_the_statement_count_does_not_grow_with_the_exams(self, exams, more):
        for n in range(more):
            make_exam(f"more-{n}")
        assert self.count(Client(), reverse("my-places")) == STRANGER
        assert self.count(Client(), reverse("my-place", args=["mock"])) == ASKED
        owner, token = guest()
        begin_drill(owner, exams[1], size=1)
        guest_client(token).get(reverse("my-places"))  # from here on there are several exams
        assert self.count(guest_client(token), reverse("my-places")) == GUEST
        user = user_client()
        choose(user, "pca")
        assert self.count(user, reverse("my-places")) == USER

    def test_the_number_of_exams_is_looked_up_once_a_minute(self, exams):
        address = reverse("hub", args=["ace"])
        first, second = (self.count(Client(), address) for _ in range(2))
        assert (first - second, settings.EXAM_CHOICE_SECONDS) == (1, 60)


class TestOneExam:
    """With one exam nobody is asked to choose, whatever its slug."""

    @pytest.fixture
    def exam(self):
        exam = make_exam("ace")
        add_questions(exam, 2)
        cache.clear()
        return exam

    @pytest.mark.parametrize("place", PLACES)
    def test_every_header_link_leads_to_the_only_exam(self, exam, place):
        assert leads_to(Client(), place) == PLACES[place].format("ace")
        asked = Client().get(reverse("my-exam") + f"?to={place}")
        assert asked.headers["Location"] == PLACES[place].format("ace")
        assert f'href="{PLACES[place].format("ace")}"' in Client().get(reverse("my-places")).text

    @pytest.mark.parametrize("address", ["/", "/exams/ace/", "/practice/ace/", "/practice/ace/mock/"])
    def test_with_one_exam_no_page_offers_another(self, exam, address):
        html = Client().get(address).text
        assert reverse("my-exam") not in html
        assert 'href="/practice/ace/readiness/"' in html

    def test_the_home_page_has_a_question_of_the_only_exam(self, exam):
        assert 'action="/practice/ace/answer/' in Client().get("/").text


class TestNoExam:
    @pytest.mark.parametrize("place", PLACES)
    def test_on_a_site_without_an_exam_every_header_link_says_so(self, place):
        response = Client().get(reverse("my-place", args=[place]))
        assert response.status_code == 200
        assert ASKS not in response.text
        assert "load_bank" in response.text

    @pytest.mark.parametrize("address", ["/", "/exams/", "/articles/", "/practice/history/", "/accounts/"])
    def test_pages_render_on_a_site_without_an_exam(self, address):
        assert Client().get(address).status_code == 200
        assert not Exam.objects.exists()
        assert Client().get(reverse("my-places")).status_code == 204


def test_the_chosen_exam_is_exported_and_deleted_with_the_account():
    make_exam("ace")
    make_exam("pca")
    client = user_client()
    choose(client, "pca")
    assert b'"exam": "PCA"' in client.get(reverse("export-json")).getvalue()
    begin = Owner(user_id=client.user.pk)
    learner = Learner.objects.get(**begin.of_learner)
    Exam.objects.get(slug="pca").delete()
    learner.refresh_from_db()
    assert learner.exam is None
