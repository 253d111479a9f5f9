"""Following every link of the site leads to no dead link and to nothing reserved."""

from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.support.bank import add_questions, make_exam
from tests.support.sessions import begin_mock, guest, guest_client

pytestmark = pytest.mark.django_db
MOST = 400


class Links(HTMLParser):
    """The addresses of a page's links, and the places in it that a link can lead to."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.places: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.places |= {value for name, value in attrs if name == "id" and value}
        if tag == "a":
            self.found += [value for name, value in attrs if name == "href" and value]


def crawl(client: Client, start: str = "/") -> dict[str, str]:
    """Return every page that can be reached from here by links, by address. Raises on a status other than 200."""
    waiting, pages = [start], {}
    while waiting and len(pages) < MOST:
        address = waiting.pop()
        if address in pages:
            continue
        response = client.get(address, follow=True)
        assert response.status_code == 200, (address, response.status_code)
        pages[address] = response.getvalue().decode()
        links = Links()
        links.feed(pages[address])
        for link in links.found:
            target = urlsplit(urljoin(address, link))
            is_ours = target.scheme in ("", "http") and target.netloc in ("", "testserver")
            if is_ours and not target.path.startswith(("/admin/", "/static/")):
                waiting.append(target.path + (f"?{target.query}" if target.query else ""))
    return pages


@pytest.fixture
def reserved():
    exam = make_exam()
    add_questions(exam, 2)
    return [version.title for version in add_questions(exam, 2, pool="reserved")]


def titles_in(pages: dict[str, str], titles: list[str]) -> list[tuple[str, str]]:
    marks = [(title, f"Team {title.split()[-1]} has") for title in titles]
    return [(address, title) for address, html in pages.items() for title, stem in marks
            if f">{title}<" in html or stem in html]  # fmt: skip


def test_a_visitor_meets_no_dead_link_and_nothing_reserved(reserved):
    pages = crawl(Client())
    assert len(pages) > 20
    assert titles_in(pages, reserved) == []


def test_a_link_to_a_place_in_a_page_leads_to_an_existing_one(reserved):
    pages, dead = crawl(Client()), []
    places = {}
    for address, html in pages.items():
        links = Links()
        links.feed(html)
        places[address] = links
    for address, links in places.items():
        for link in links.found:
            target, _, place = urljoin(address, link).partition("#")
            if place and target in places and place not in places[target].places:
                dead.append((address, link))
    assert dead == []


def test_a_guest_in_a_mock_meets_reserved_questions_only_in_that_mock(reserved):
    from questions.models import Exam

    owner, token = guest()
    session = begin_mock(owner, Exam.objects.get(), now=timezone.now())
    pages = crawl(guest_client(token))
    met = {address.split("?")[0] for address, _ in titles_in(pages, reserved)}
    assert met == {session.get_absolute_url(), reverse("booklet", args=[session.uuid])}
