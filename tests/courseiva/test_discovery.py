"""Sitemaps, robots.txt, security.txt and the feed name every public address with its true date, and nothing hidden."""

import datetime as dt
import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from courseiva.pages.views.articles import ARTICLES
from questions.models import ContentReport, Exam, Question, QuestionVersion, StudyModule
from questions.pages.counted import reads as counted
from questions.pages.reads.machines import sitemap
from tests.support.bank import NOW, add_outline, add_questions, make_exam
from tests.support.hooks import states

pytestmark = pytest.mark.django_db

SITEMAP, ATOM = "{http://www.sitemaps.org/schemas/sitemap/0.9}", "{http://www.w3.org/2005/Atom}"
BASE = "http://testserver"
LATER = NOW + dt.timedelta(days=3)


@pytest.fixture
def exam() -> Exam:
    exam = make_exam()
    add_outline(exam)
    add_questions(exam, 2)
    add_questions(exam, 2, pool="reserved")
    StudyModule.objects.create(
        exam=exam,
        domain=exam.domains.get(key="d1"),
        number=1,
        slug="m",
        title="M",
        summary="S.",
        body="",
        changed_at=NOW,
    )
    return exam


def entries(path: str) -> dict[str, dt.datetime | None]:
    answer = Client().get(path)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/xml; charset=utf-8"
    found: dict[str, dt.datetime | None] = {}
    for node in ET.fromstring(answer.content):
        address, date = node.findtext(f"{SITEMAP}loc"), node.findtext(f"{SITEMAP}lastmod")
        assert address
        assert address not in found
        found[address.removeprefix(BASE)] = dt.datetime.fromisoformat(date) if date else None
    return found


def everything() -> dict[str, dt.datetime | None]:
    return {path: date for part in entries("/sitemap.xml") for path, date in entries(part).items()}


def test_search_engines_may_index_every_address_in_a_sitemap(exam: Exam) -> None:
    found = everything()
    assert len(found) > 40
    for path in found:
        page = Client().get(path)
        assert page.status_code == 200, path
        assert f'<link rel="canonical" href="{BASE}{path}">' in page.text
        assert "noindex" not in page.text


def test_the_sitemap_covers_every_kind_of_page(exam: Exam) -> None:
    found = everything()
    assert {article.path for article in ARTICLES} <= set(found)
    wanted = ["", "questions/", "collections/", "collections/hard/", "domains/d6/", "concepts/c6/", "modules/1-m/",
              "questions/12-situation-12/", "study-guide/", "calibration/"]  # fmt: skip
    assert [each for each in wanted if f"/exams/pmle/{each}" not in found] == []


def test_a_large_bank_has_a_sitemap_for_each_range_of_numbers(exam: Exam, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = entries("/sitemaps/pmle/questions.xml")
    for module in (sitemap, counted):
        monkeypatch.setattr(module, "NUMBERS", 5)
    Question.objects.filter(number__in=range(6, 11)).update(withdrawn_at=NOW)
    QuestionVersion.objects.filter(live_of__number=12).update(published_at=LATER)
    index = entries("/sitemap.xml?parts")
    parts = {path: date for path, date in index.items() if "/questions" in path}
    assert parts == {"/sitemaps/pmle/questions.xml": NOW, "/sitemaps/pmle/questions-3.xml": LATER}
    found = [path for part in parts for path in entries(f"{part}?parts")]
    assert found == [path for path in whole if int(path.split("/")[4].partition("-")[0]) not in range(6, 11)]
    for part in (0, 1, 2, 4, 10**30):
        assert Client().get(f"/sitemaps/pmle/questions-{part}.xml").status_code == 404


@pytest.mark.parametrize("state", ["withdrawn_at", "retired_at"])
def test_nothing_reserved_withdrawn_or_retired_is_listed(exam: Exam, state: str) -> None:
    Question.objects.filter(number=3).update(**{state: NOW})
    numbers = re.findall(r"/questions/(\d+)-", " ".join(everything()))
    assert sorted(map(int, numbers)) == [1, 2, *range(4, 13)]
    feed = Client().get("/exams/pmle/feed.atom").text
    assert "questions/3-" not in feed
    assert not re.search(r"Situation (1[3-9]|2\d)", feed)


def test_a_sitemaps_date_is_the_date_of_the_last_change(exam: Exam) -> None:
    assert entries("/sitemaps/pmle/questions.xml")["/exams/pmle/questions/1-situation-1/"] == NOW
    QuestionVersion.objects.filter(live_of__number=1).update(published_at=LATER)
    questions, pages = entries("/sitemaps/pmle/questions.xml?a"), entries("/sitemaps/pmle/pages.xml?a")
    assert questions["/exams/pmle/questions/1-situation-1/"] == LATER
    assert questions["/exams/pmle/questions/2-situation-2/"] == NOW
    domain = exam.domains.get(key="d1")
    assert Question.objects.get(number=1).domain == domain
    assert pages["/exams/pmle/domains/d1/"] == pages["/exams/pmle/concepts/c1/"] == pages["/exams/pmle/"] == LATER
    assert pages["/exams/pmle/domains/d2/"] == NOW
    index = entries("/sitemap.xml?a")
    assert index["/sitemaps/pmle/questions.xml"] == index["/sitemaps/pmle/pages.xml"] == LATER


@pytest.mark.parametrize("state", ["withdrawn_at", "retired_at"])
def test_removing_a_question_changes_the_pages_that_listed_it(exam: Exam, state: str) -> None:
    Question.objects.filter(number=1).update(**{state: LATER})
    assert entries("/sitemaps/pmle/pages.xml")["/exams/pmle/domains/d1/"] == LATER


def test_an_accepted_report_shown_on_a_page_updates_its_sitemap_date(exam: Exam) -> None:
    version = Question.objects.get(number=2).live_version
    assert version
    ContentReport.objects.create(
        version=version, kind="fact", text="x", made_at=NOW, fingerprint="x", state="accepted", outcome="Yes.",
        public_note="A word mended.", answered_at=LATER,
    )  # fmt: skip
    assert entries("/sitemaps/pmle/questions.xml")["/exams/pmle/questions/2-situation-2/"] == LATER


def test_the_statement_count_does_not_grow_with_the_bank(exam: Exam) -> None:
    counts = []
    for more in (0, 3):
        add_questions(exam, more)
        with CaptureQueriesContext(connection) as queries:
            for path in ("/sitemap.xml", "/sitemaps/pmle/pages.xml", "/sitemaps/pmle/questions.xml"):
                Client().get(f"{path}?{more}")
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_robots_are_sent_to_the_sitemap_and_kept_off_personal_pages() -> None:
    answer = Client().get("/robots.txt")
    assert answer.headers["Content-Type"].startswith("text/plain")
    lines = answer.text.splitlines()
    assert f"Sitemap: {BASE}/sitemap.xml" in lines
    assert {"Disallow: /practice/", "Disallow: /accounts/", "Disallow: /admin/"} <= set(lines)
    assert "Disallow: /" not in lines


def test_addresses_use_the_sites_host_not_the_requests(exam: Exam, settings: Any) -> None:
    settings.SITE_URL = "https://learn.example.org"
    for path in ("/robots.txt", "/sitemap.xml", "/exams/pmle/feed.atom", "/.well-known/security.txt"):
        text = Client().get(path).text
        assert "https://learn.example.org/" in text
        assert "testserver" not in text


def test_canonical_links_and_previews_name_the_site_not_the_request(exam: Exam, settings: Any) -> None:
    paths = list(everything())
    settings.SITE_URL = "https://learn.example.org"
    for path in paths:
        page = Client().get(path, headers={"host": "other.example"}).text
        assert f'<link rel="canonical" href="https://learn.example.org{path}">' in page
        assert f'property="og:url" content="https://learn.example.org{path}"' in page
        assert "other.example" not in page


def test_security_txt_gives_a_contact_and_an_expiry_date(settings: Any) -> None:
    settings.CONTACT_EMAIL = "holes@learn.example.org"
    answer = Client().get("/.well-known/security.txt")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    fields = dict(line.split(": ", 1) for line in answer.text.splitlines())
    assert fields["Contact"] == "mailto:holes@learn.example.org"
    assert fields["Canonical"] == f"{BASE}/.well-known/security.txt"
    left = dt.datetime.fromisoformat(fields["Expires"]) - dt.datetime.now(dt.UTC)
    assert dt.timedelta(days=90) < left < dt.timedelta(days=365)
    html = Client().get("/articles/contact/").text
    assert "holes@learn.example.org" in html
    assert states(html) == []


def test_without_an_address_there_is_no_security_txt_and_the_contact_page_says_so(settings: Any) -> None:
    settings.CONTACT_EMAIL = ""
    assert Client().get("/.well-known/security.txt").status_code == 404
    html = Client().get("/articles/contact/").text
    assert states(html) == ["no-address", "no-private-address"]
    assert "security.txt" not in html


def feed() -> ET.Element:
    answer = Client().get("/exams/pmle/feed.atom?fresh")
    assert answer.headers["Content-Type"] == "application/atom+xml; charset=utf-8"
    return ET.fromstring(answer.content)


def test_the_feed_shows_what_is_new_and_what_was_revised_latest_first(exam: Exam) -> None:
    QuestionVersion.objects.filter(live_of__number=2).update(
        published_at=LATER, number=2, change_note="A limit was added.", title="Rise & <fall>"
    )
    root = feed()
    assert root.findtext(f"{ATOM}updated") == LATER.isoformat()
    told = [(e.findtext(f"{ATOM}title"), e.findtext(f"{ATOM}summary")) for e in root.iter(f"{ATOM}entry")]
    title, summary = told[0]
    assert (title, summary.endswith("A limit was added.")) == ("Rise & <fall>", True)
    assert told[1] == ("Situation 12", "New")
    assert len(told) == 12
    ids = [entry.findtext(f"{ATOM}id") for entry in root.iter(f"{ATOM}entry")]
    assert len(set(ids)) == 12
    assert ids[0] == f"{BASE}/exams/pmle/questions/2"  # its id didn't change when it was revised
    content = next(root.iter(f"{ATOM}content"))
    assert content.get("type") == "html"
    assert (content.text or "").startswith("<p>Team 2 has")
    for link in root.iter(f"{ATOM}link"):
        assert Client().get((link.get("href") or "").removeprefix(BASE)).status_code == 200


def test_the_feed_never_gives_an_answer_away(exam: Exam) -> None:
    assert "zqcanary" not in Client().get("/exams/pmle/feed.atom").text


def test_an_empty_feed_is_valid() -> None:
    make_exam()
    assert feed().findtext(f"{ATOM}updated") == "1970-01-01T00:00:00+00:00"


def test_pages_of_an_exam_point_to_its_feed(exam: Exam) -> None:
    link = '<link rel="alternate" type="application/atom+xml" href="/exams/pmle/feed.atom"'
    for path in ("/exams/pmle/", "/exams/pmle/questions/1-situation-1/", "/exams/pmle/concepts/c1/"):
        assert link in Client().get(path).text
