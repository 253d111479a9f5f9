"""Check a question's history with its readings, and the errata as a page, a feed and data."""

from __future__ import annotations

import datetime as dt
import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import time_machine
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from courseiva.common.heads.structured_data import CONTENT_LICENCE
from questions.models import Change, ContentReport, Exam, Question, QuestionVersion
from questions.pages.errata.reads.errata import IN_FEED, PER_PAGE
from questions.pages.errata.rules import KIND_OF_CHANGE, REREAD_DAYS, reread_by
from tests.questions.test_pages_question import graph_of, second_version
from tests.support.bank import NOW, add_outline, add_questions, make_exam
from tests.support.hooks import parsed, states, values

pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]

ATOM = "{http://www.w3.org/2005/Atom}"
PAGE, WITH_SUCCESSORS = 2, 3
LATER, LATEST = NOW + dt.timedelta(days=3), NOW + dt.timedelta(days=9)


@pytest.fixture
def exam() -> Exam:
    exam = make_exam()
    add_questions(exam, 1)
    return exam


def question(number: int) -> Question:
    return Question.objects.select_related("live_version").get(number=number)


def corrected(number: int, change: str = Change.KEY, note: str = "The key was wrong.", **fields: Any) -> None:
    second_version(question(number), change=change, change_note=note, **({"published_at": LATER} | fields))


def reported(number: int, note: str = "3 TB, not 3 GB.", at: dt.datetime = LATER, state: str = "accepted") -> None:
    ContentReport.objects.create(
        version=question(number).live_version, kind="fact", text="The reader's own words.", made_at=NOW,
        fingerprint=f"{number} {note}", state=state, outcome="Yes.", public_note=note, answered_at=at,
    )  # fmt: skip


def retired(number: int, why: str = "The product is gone.", successor: Question | None = None) -> None:
    Question.objects.filter(number=number).update(retired_at=LATEST, retired_why=why, successor=successor)


def kinds(path: str = "/errata/") -> list[str]:
    return values(Client().get(path), "data-kind")


def data(path: str = "/errata/errata.json") -> dict[str, Any]:
    answer = Client().get(path)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/json"
    return json.loads(answer.content)


# The history of one question


def history(number: int = 1) -> list[tuple[str, str]]:
    page = parsed(Client().get(f"/exams/pmle/questions/{number}-situation-{number}/?fresh"))
    return [(line["data-kind"], line.get("data-version", "")) for line in page.select("#changelog li")]


def test_a_history_lists_versions_readings_and_accepted_reports_newest_first(exam: Exam) -> None:
    Question.objects.filter(number=1).update(second_read_on=dt.date(2026, 11, 25))
    corrected(1, published_at=LATEST)
    reported(1, at=LATER - dt.timedelta(days=1))
    assert history() == [("key", "2"), ("read", ""), ("reported", "2"), ("first", "1"), ("opened", "")]


def test_the_reason_is_shown_beside_the_change(exam: Exam) -> None:
    corrected(1)
    page = parsed(Client().get("/exams/pmle/questions/1-situation-1/"))
    assert [note.text for note in page.select("#changelog [data-note]")] == ["The key was wrong."]
    assert page.select_one("#changelog").has_attr("open")


def test_a_reading_is_no_correction_and_does_not_name_its_reader(exam: Exam) -> None:
    Question.objects.filter(number=1).update(second_reader="R. Reader", second_read_on=dt.date(2026, 11, 22))
    answer = Client().get("/exams/pmle/questions/1-situation-1/")
    assert "R. Reader" not in answer.text
    assert not parsed(answer).select_one("#changelog").has_attr("open")
    assert kinds() == []


@pytest.mark.parametrize(("days", "is_due"), [(REREAD_DAYS - 1, False), (REREAD_DAYS, True)])
def test_a_question_not_reread_for_half_a_year_has_a_notice(exam: Exam, days: int, is_due: bool) -> None:
    with time_machine.travel(NOW + dt.timedelta(days=days), tick=False):
        due = values(Client().get("/exams/pmle/questions/1-situation-1/"), "data-reread")
    assert due == ([reread_by(NOW.date()).isoformat()] if is_due else [])


def test_a_second_reading_removes_the_notice(exam: Exam) -> None:
    Question.objects.filter(number=1).update(second_read_on=NOW.date() + dt.timedelta(days=100))
    with time_machine.travel(NOW + dt.timedelta(days=REREAD_DAYS), tick=False):
        assert values(Client().get("/exams/pmle/questions/1-situation-1/"), "data-reread") == []


def test_readers_of_the_prompt_are_counted_by_day_and_remove_the_notice(exam: Exam) -> None:
    days = [{"on": "2026-11-25", "by": "model", "readers": 2, "agreed": 1}]
    Question.objects.filter(number=1).update(readings=days)
    with time_machine.travel(NOW + dt.timedelta(days=REREAD_DAYS), tick=False):
        page = Client().get("/exams/pmle/questions/1-situation-1/")
    assert (values(page, "data-readers"), values(page, "data-agreed")) == (["2"], ["1"])
    assert values(page, "data-reread") == []


def test_the_page_shown_after_an_answer_has_the_notice_too(exam: Exam) -> None:
    with time_machine.travel(NOW + dt.timedelta(days=REREAD_DAYS), tick=False):
        answer = Client().post(
            "/practice/pmle/answer/", {"question": "1", "slot": "2"}, HTTP_SEC_FETCH_SITE="same-origin"
        )
    assert len(values(answer, "data-reread")) == 1


def test_metadata_has_version_dates_sources_objectives_licence_and_corrections(exam: Exam) -> None:
    add_outline(exam)
    live = question(1).live_version
    assert live
    live.solution.text["objectives"] = ["1.1.a", "gone.9"]
    live.solution.save()
    corrected(1)
    reported(1)
    page = Client().get("/exams/pmle/questions/1-situation-1/").text
    quiz = graph_of(page)["@graph"][1]
    assert (quiz["version"], quiz["datePublished"], quiz["dateModified"]) == (2, "2026-11-21", "2026-11-24")
    assert quiz["citation"] == [{"@type": "CreativeWork", "name": "Page", "url": "https://source.example/page"}]
    [aligned] = quiz["educationalAlignment"]
    assert (aligned["targetName"], aligned["alignmentType"]) == ("1.1.a", "assesses")
    target = aligned["targetUrl"].removeprefix("http://testserver")
    assert parsed(Client().get(target.partition("#")[0])).find(id=target.partition("#")[2])
    assert parsed(page).select_one('[data-objective="1.1.a"] a')["href"] == target
    assert quiz["license"] == CONTENT_LICENCE
    policy = quiz["publisher"]["correctionsPolicy"].removeprefix("http://testserver")
    assert parsed(Client().get(policy.partition("#")[0])).find(id=policy.partition("#")[2])
    told = [each["text"] for each in quiz["correction"]]
    assert sorted(told) == ["3 TB, not 3 GB.", "The key was wrong."]
    shown = [note.text for note in parsed(page).select("#changelog [data-note]")]
    assert set(told) <= set(shown)


def test_the_licence_file_and_every_page_name_the_licence_of_the_content() -> None:
    assert CONTENT_LICENCE in (Path(settings.BASE_DIR) / "LICENSE").read_text()
    assert parsed(Client().get("/errata/")).select_one('footer a[rel="license"]')["href"] == CONTENT_LICENCE


# The errata of the site


def test_every_change_of_a_version_has_a_kind() -> None:
    assert set(KIND_OF_CHANGE) == set(Change.values)


def test_errata_are_corrections_checks_and_retirements_newest_first(exam: Exam) -> None:
    corrected(1, Change.TYPO, "A comma.", published_at=NOW + dt.timedelta(days=1))
    corrected(2, Change.SEMANTIC, "Another region.", published_at=NOW + dt.timedelta(days=2))
    corrected(3, Change.KEY, published_at=NOW + dt.timedelta(days=3))
    reported(4, at=NOW + dt.timedelta(days=4))
    Question.objects.filter(number=5).update(withdrawn_at=NOW + dt.timedelta(days=5))
    retired(6)
    wanted = ["retired", "checking", "reported", "key", "meaning", "wording"]
    assert kinds() == wanted
    assert [row["kind"] for row in data()["errata"]] == wanted
    root = ET.fromstring(Client().get("/errata/feed.atom").content)
    assert [entry.find(f"{ATOM}category").attrib["term"] for entry in root.iter(f"{ATOM}entry")] == wanted
    assert root.findtext(f"{ATOM}updated") == LATEST.isoformat()


def test_first_publications_declined_reports_and_changes_without_a_note_are_not_errata(exam: Exam) -> None:
    reported(1, note="")
    reported(2, note="", state="declined")
    assert kinds() == []
    assert states(Client().get("/errata/")) == ["none"]
    assert data()["errata"] == []
    root = ET.fromstring(Client().get("/errata/feed.atom").content)
    assert root.findtext(f"{ATOM}updated") == "1970-01-01T00:00:00+00:00"


@pytest.mark.parametrize("where", ["draft", "live", "then"])
def test_errata_name_no_reserved_question(exam: Exam, where: str) -> None:
    corrected(1)
    live = question(1).live_version_id
    if where == "draft":
        Question.objects.filter(number=1).update(pool="reserved")
    else:
        QuestionVersion.objects.filter(pk=live).update(pool="reserved")
        if where == "then":
            second_version(question(1), pool="open", change=Change.FIRST, published_at=LATEST)
    assert kinds() == []
    assert data()["count"] == 0


def test_a_retired_question_links_to_its_successor_and_not_to_a_missing_page(exam: Exam) -> None:
    retired(1, successor=question(2))
    page = parsed(Client().get("/errata/"))
    assert page.select_one("[data-successor] a")["href"] == "/exams/pmle/questions/2-situation-2/"
    assert not page.select('a[href="/exams/pmle/questions/1-situation-1/"]')
    assert Client().get("/exams/pmle/questions/1-situation-1/").status_code == 410
    [row] = data()["errata"]
    assert (row["note"], row["successor"]) == (
        "The product is gone.", "http://testserver/exams/pmle/questions/2-situation-2/",
    )  # fmt: skip


def test_a_reserved_successor_is_not_named(exam: Exam) -> None:
    [version] = add_questions(exam, 1, pool="reserved", domains=("d1",))
    retired(1, successor=version.question)
    assert not parsed(Client().get("/errata/")).select("[data-successor]")
    assert data()["errata"][0]["successor"] is None


def test_errata_reveal_no_key_no_readers_words_and_no_report_address(exam: Exam) -> None:
    corrected(1)
    reported(2)
    token = str(ContentReport.objects.get().token)
    for path in ("/errata/", "/errata/feed.atom", "/errata/errata.json"):
        text = Client().get(path).text
        assert "zqcanary" not in text
        assert "own words" not in text
        assert token not in text


@pytest.mark.parametrize("count", [1, 3])
def test_the_statement_count_does_not_grow_with_the_errata(exam: Exam, count: int) -> None:
    for number in range(1, count + 1):
        corrected(number)
        retired(number + 3, successor=question(1))
    for path in ("/errata/", "/errata/feed.atom", "/errata/errata.json"):
        Client().get(f"{path}?warm")
        with CaptureQueriesContext(connection) as queries:
            Client().get(f"{path}?fresh")
        assert len(queries) == WITH_SUCCESSORS
    Question.objects.update(successor=None)
    with CaptureQueriesContext(connection) as queries:
        Client().get("/errata/?again")
    assert len(queries) == PAGE


def test_a_long_list_is_paged_and_the_feed_has_only_the_newest(exam: Exam) -> None:
    for n in range(PER_PAGE + 1):
        reported(1, note=f"Note {n}.", at=NOW + dt.timedelta(hours=n))
    first, second = parsed(Client().get("/errata/")), parsed(Client().get("/errata/?page=2"))
    assert len(first.select("ol.errata > li")) == PER_PAGE
    assert len(second.select("ol.errata > li")) == 1
    assert second.select_one('link[rel="canonical"]')["href"].endswith("/errata/?page=2")
    assert Client().get("/errata/feed.atom").text.count("<entry>") == IN_FEED
    page = data()
    following = data(page["next"].removeprefix("http://testserver"))
    keys = [row["id"] for row in page["errata"] + following["errata"]]
    assert len(set(keys)) == page["count"] == PER_PAGE + 1
    assert following["next"] is None


def test_an_entry_keeps_its_id_when_newer_ones_appear(exam: Exam) -> None:
    corrected(1)
    before = [row["id"] for row in data()["errata"]]
    corrected(2, published_at=LATEST)
    after = [row["id"] for row in data("/errata/errata.json?fresh")["errata"]]
    assert before == ["pmle-1-key-2"]
    assert after == ["pmle-2-key-2", *before]


@pytest.mark.parametrize("path", ["/errata/", "/errata/feed.atom", "/errata/errata.json"])
def test_errata_are_cached_like_any_public_page(exam: Exam, path: str) -> None:
    answer = Client().get(path)
    assert not answer.cookies
    assert {"public", "max-age=300"} <= set(re.split(r",\s*", answer.headers["Cache-Control"]))
    assert Client().get(path, HTTP_IF_NONE_MATCH=answer.headers["ETag"]).status_code == 304
    assert Client().post(path).status_code == 405


def test_the_footer_the_exam_and_the_sitemap_link_to_the_errata(exam: Exam) -> None:
    corrected(1)
    assert parsed(Client().get("/exams/pmle/")).select('main a[href="/errata/"]')
    assert parsed(Client().get("/")).select('footer a[href="/errata/"]')
    sitemap = Client().get("/sitemaps/site.xml").text
    assert re.search(rf"/errata/</loc>\s*<lastmod>{LATER:%Y-%m-%d}", sitemap)
