"""Following every link of the site leads to no dead link and to nothing reserved."""

from dataclasses import dataclass
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.plugin import DjangoDbBlocker

from questions.models import Exam
from tests.support.bank import add_questions, make_exam
from tests.support.sessions import begin_mock, guest, guest_client

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


@dataclass(frozen=True)
class Page:
    """A page that a link led to, and its own links."""

    html: str
    links: Links


Pages = dict[str, Page]
"""The pages that were reached, by address."""


def crawl(client: Client, start: str = "/") -> Pages:
    """Return every page that can be reached from here by links. Raises on a status other than 200."""
    waiting, pages = [start], {}
    while waiting and len(pages) < MOST:
        address = waiting.pop()
        if address in pages:
            continue
        response = client.get(address, follow=True)
        assert response.status_code == 200, (address, response.status_code)
        html, links = response.getvalue().decode(), Links()
        links.feed(html)
        pages[address] = Page(html, links)
        for link in links.found:
            target = urlsplit(urljoin(address, link))
            is_ours = target.scheme in ("", "http") and target.netloc in ("", "testserver")
            if is_ours and not target.path.startswith(("/admin/", "/static/")):
                waiting.append(target.path + (f"?{target.query}" if target.query else ""))
    return pages


def reserved_titles() -> list[str]:
    """Make a bank, and return the titles of its reserved questions."""
    exam = make_exam()
    add_questions(exam, 2)
    return [version.title for version in add_questions(exam, 2, pool="reserved")]


def titles_in(pages: Pages, titles: list[str]) -> list[tuple[str, str]]:
    marks = [(title, f"Team {title.split()[-1]} has") for title in titles]
    return [(address, title) for address, page in pages.items() for title, stem in marks
            if f">{title}<" in page.html or stem in page.html]  # fmt: skip


@dataclass(frozen=True)
class Visit:
    """What a visitor reached, in a bank with these reserved questions."""

    pages: Pages
    reserved: list[str]


@pytest.fixture(scope="class")
def visit(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Visit:
    """Follow all links once for the tests of a class, which look only at what was reached."""
    with django_db_blocker.unblock(), transaction.atomic():
        cache.clear()
        reserved = reserved_titles()
        pages = crawl(Client())
        transaction.set_rollback(True)
    return Visit(pages, reserved)


class TestAVisitor:
    def test_a_visitor_meets_no_dead_link_and_nothing_reserved(self, visit: Visit) -> None:
        assert len(visit.pages) > 20
        assert titles_in(visit.pages, visit.reserved) == []

    def test_a_link_to_a_place_in_a_page_leads_to_an_existing_one(self, visit: Visit) -> None:
        dead, pages = [], visit.pages
        for address, page in pages.items():
            for link in page.links.found:
                target, _, place = urljoin(address, link).partition("#")
                if place and target in pages and place not in pages[target].links.places:
                    dead.append((address, link))
        assert dead == []


@pytest.mark.django_db
def test_a_guest_in_a_mock_meets_reserved_questions_only_in_that_mock() -> None:
    reserved = reserved_titles()
    owner, token = guest()
    session = begin_mock(owner, Exam.objects.get(), now=timezone.now())
    pages = crawl(guest_client(token))
    met = {address.split("?")[0] for address, _ in titles_in(pages, reserved)}
    assert met == {session.get_absolute_url(), reverse("booklet", args=[session.uuid])}
