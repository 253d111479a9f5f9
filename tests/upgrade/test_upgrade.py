"""No answer is lost in an upgrade: with each release's dump migrated to the present code, everybody can carry on.

The addresses are those of the release: a page that was open while the site was upgraded knows no others. What its
player posts has to be served there and not redirected, because a player takes a redirect for a failure.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from tests.support.html_forms import form_of
from tests.upgrade import lookups
from tests.upgrade.restored import RELEASES, Browser, World
from tests.upgrade.small_bank import REAL, real_rows, write_real

pytestmark = pytest.mark.long("old release")
FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
RUNNING = ("exam conditions", "untimed", "drill", "review", "guest drill")
MS = 1000


def replay(browser: Browser, tab: dict[str, Any], writer: int | None = None) -> list[Any]:
    """Send a tab's queue as its player would; return the response to each save."""
    told = []
    for request in tab["requests"]:
        body = dict(request["body"])
        if "writer" in body:
            body["writer"] = writer or body["writer"]
        answer = browser.send(request["path"], body)
        assert answer.status_code in (200, 204), (request["path"], answer.status_code, answer.content)
        if request["path"].endswith("/claim/"):
            writer = answer.json()["writer"]
        elif request["path"].endswith("/save/"):
            told.append(answer.json())
        elif request["path"].endswith("/check/"):
            assert b"breakdown" in answer.content
    return told


def held(browser: Browser, tab: dict[str, Any]) -> dict[str, Any]:
    """Return what the server sends to a reopened page, by question."""
    answer = browser.send(f"{tab['address']}claim/", {})
    assert answer.status_code == 200
    return {str(item["p"]): item for item in answer.json()["items"] if item["sel"]}


def of_each(mark: str, rows: dict[str, Any]) -> dict[str, Any]:
    return {place: row[mark] for place, row in rows.items()}


def results(found: Any) -> dict[str, list[Any]]:
    """Return every score in an export, by the id of its session, whatever the parts of the export are called."""
    if isinstance(found, list):
        return {name: score for each in found for name, score in results(each).items()}
    if not isinstance(found, dict):
        return {}
    ids = [value for value in found.values() if isinstance(value, str) and re.fullmatch(r"[0-9a-f-]{36}", value)]
    if "score" in found and "total" in found and ids:
        return {ids[0]: [found["score"], found["total"]]}
    return {name: score for each in found.values() for name, score in results(each).items()}


def test_every_release_has_its_dump() -> None:
    released = re.findall(r"^## (\d+\.\d+\.\d+), ", (FIXTURES.parent / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert released
    assert set(released) <= set(RELEASES), "tests/upgrade/README.md says how to make one"


def test_an_open_page_sends_its_queue_to_the_address_it_knows(world: World) -> None:
    for name in RUNNING:
        tab = world["tabs"][name]
        browser = world.browser(tab["who"])
        for saved in replay(browser, tab):
            assert (saved["refused"], saved["late"], saved["remaining"]) == ([], [], tab["remaining"]), name
            assert saved["saved"], name
        assert browser.submit(f"{tab['address']}finish/").status_code == 200
        assert results(browser.export())[tab["uuid"]] == [tab["score"], tab["total"]], name


def test_a_reopened_page_finds_its_acknowledged_answers_and_sends_the_rest(world: World) -> None:
    for name in RUNNING:
        tab = world["tabs"][name]
        browser = world.browser(tab["who"])
        assert browser.get(tab["address"], follow=True).status_code == 200, name
        assert set(held(browser, tab)) == {"1", "2", "3"} & set(tab["held"]), name
        claimed = browser.send(f"{tab['address']}claim/", {}).json()
        replay(browser, {**tab, "requests": [r for r in tab["requests"] if r["body"]]}, claimed["writer"])
        after = held(browser, tab)
        for mark in ("sel", "out", "flag"):
            assert of_each(mark, after) == of_each(mark, tab["held"]), name


def test_a_queue_that_is_sent_twice_changes_nothing(world: World) -> None:
    tab = world["tabs"]["exam conditions"]
    browser = world.browser(tab["who"])
    assert replay(browser, tab) == replay(browser, tab)
    assert of_each("sel", held(browser, tab)) == of_each("sel", tab["held"])


def test_a_page_superseded_by_another_tab_is_told_and_can_take_over(world: World) -> None:
    tab = world["tabs"]["two tabs"]
    browser = world.browser(tab["who"])
    save = tab["requests"][0]
    assert browser.send(save["path"], save["body"]).status_code == 409
    writer = browser.send(f"{tab['address']}claim/", {}).json()["writer"]
    replay(browser, tab, writer)
    assert of_each("sel", held(browser, tab)) == of_each("sel", tab["held"])


def test_a_paused_clock_stays_paused_through_the_upgrade(world: World) -> None:
    tab = world["tabs"]["paused"]
    browser = world.browser(tab["who"])
    assert browser.get(tab["address"], follow=True).status_code == 200
    assert browser.submit(f"{tab['address']}pause/", resume="1").status_code == 200
    claimed = browser.send(f"{tab['address']}claim/", {}).json()
    assert (claimed["remaining"], claimed["paused"]) == (tab["remaining"], False)
    assert tab["remaining"] > dt.timedelta(minutes=10).total_seconds() * MS


def test_answers_after_time_ran_out_are_kept_as_late_and_change_no_score(world: World) -> None:
    tab = world["tabs"]["time ran out"]
    browser = world.browser(tab["who"])
    (saved,) = replay(browser, tab)
    assert saved["over"]
    assert sorted(saved["late"]) == tab["late"]
    assert browser.get(f"{tab['address']}results/", follow=True).status_code == 200
    assert results(browser.export())[tab["uuid"]] == [tab["score"], tab["total"]]


def test_a_page_without_script_from_before_the_upgrade_can_save(world: World) -> None:
    form = world["form"]
    browser = world.browser(form["who"])
    answer = browser.submit(form["address"], **form["fields"])
    assert answer.status_code == 200
    assert of_each("sel", held(browser, form)) == form["held"]


def test_finished_sessions_keep_their_scores(seen: World) -> None:
    for who in sorted({name for name, _, _ in seen["scores"].values()}):
        browser = seen.browser(who)
        mine = {uuid: row[1:] for uuid, row in seen["scores"].items() if row[0] == who}
        found = results(browser.export())
        assert {uuid: found.get(uuid) for uuid in mine} == mine
        for uuid in mine:
            for page in ("results/", "items/1/", "booklet/", "results.csv"):
                answer = browser.get(f"/practice/sessions/{uuid}/{page}", follow=True)
                assert answer.status_code == 200, (who, page)


def test_a_guest_continues_and_signing_in_keeps_the_guests_work(world: World) -> None:
    guest, tab = world.browser("guest"), world["tabs"]["guest drill"]
    scores = world["guest_scores"]
    assert {uuid: results(guest.export()).get(uuid) for uuid in scores} == scores
    guest.get("/accounts/login/")
    guest.submit("/accounts/login/", login=world["emails"]["emil"], password=world["password"])
    found = results(guest.export())
    assert {uuid: found.get(uuid) for uuid in scores} == scores
    assert world["tabs"]["time ran out"]["uuid"] in found
    replay(guest, tab)
    assert of_each("sel", held(guest, tab)) == of_each("sel", tab["held"])
    assert not results(world.browser("guest").export())


def test_every_address_a_learner_may_have_stored_still_works(seen: World) -> None:
    exam = seen["exam"]
    pages = ("", "mock/", "readiness/", "modules/", "modules/1/")
    kept = [f"/practice/{exam}/{page}" for page in pages]
    kept += ["/", "/practice/history/", "/reports/", "/accounts/", "/accounts/delete/", "/discussion/export.json"]
    browser = seen.browser("anna")
    for address in kept:
        assert browser.get(address, follow=True).status_code == 200, address


def test_every_public_address_still_works(seen: World) -> None:
    exam, visitor = seen["exam"], seen.browser("stranger")
    pages = ("", "questions/", "domains/tides/", "study-guide/", "collections/", "calibration/", "feed.atom")
    for page in (*pages, "modules/1-reading-a-tide-table/"):
        assert visitor.get(f"/exams/{exam}/{page}", follow=True).status_code == 200, page
    numbers = {key: number for key, (_, number) in seen["questions"].items() if number}
    gone = "cargo-hamina"
    for key, number in numbers.items():
        where = exam if key.split("-")[0] in ("tides", "cargo") else "pmle"
        status = visitor.get(f"/exams/{where}/questions/{number}-whatever/", follow=True).status_code
        assert status == 200 or key == gone, (key, status)


def test_loading_todays_bank_finds_no_edits_and_leaves_unchanged_questions_alone(world: World, tmp_path: Path) -> None:
    write_real(tmp_path, FIXTURES)
    said = StringIO()
    call_command("load_bank", str(tmp_path), stdout=said)
    now, then = real_rows(FIXTURES), world["real"]
    same = sum(now[key] == then[key] for key in now)
    counts = {what: int(n) for n, what in re.findall(r"(\d+) ([a-z ]+?)[,.]", said.getvalue())}
    assert "conflict" not in said.getvalue()
    assert set(counts) <= {"unchanged", "changed"}
    assert sum(counts.values()) == len(now) == len(REAL)
    assert counts.get("unchanged", 0) >= same


def test_published_versions_are_unchanged(world: World) -> None:
    call_command("rerender", stdout=StringIO())
    assert lookups.versions() == world["versions"]


def test_derived_rows_equal_those_that_a_rebuild_derives(world: World) -> None:
    counts, learners = lookups.item_statistics(), lookups.derived_of_learners()
    assert counts["versions"]
    assert all(learners.values())
    call_command("rebuild_analytics", stdout=StringIO())
    assert lookups.item_statistics() == counts
    assert lookups.derived_of_learners() == learners
    call_command("calibrate", world["exam"], stdout=StringIO())


def test_drafts_on_the_desk_can_be_opened_changed_and_published(world: World) -> None:
    editor, reviewer = world.browser("edith"), world.browser("rolf")
    for key in ("tides-cadiz", "tides-dover", "cargo-cadiz", "a-quay-without-a-crane"):
        answer = editor.get(f"/admin/questions/question/{lookups.question_id(key)}/change/", follow=True)
        assert answer.status_code == 200, key
        assert form_of(answer.content.decode(), "question-form")["title"]
    waiting = f"/admin/questions/question/{lookups.question_id('tides-dover')}/"
    base = form_of(reviewer.get(f"{waiting}change/").content.decode(), "question-form")["base"]
    assert lookups.live_version_number("tides-dover") == 1
    reviewer.submit(f"{waiting}act/publish/", base=base, change="semantic", text="Says which book.")
    assert lookups.live_version_number("tides-dover") == 2


def test_a_thread_shows_what_everybody_may_read_and_nothing_else(seen: World) -> None:
    thread = f"/discussion/{seen['exam']}/{lookups.question_id('tides-aalborg')}/"
    page = seen.browser("stranger").get(thread, follow=True).content.decode()
    for words in ("everything else waits", "hangs beside the door", "the sources say hour", "knows tides"):
        assert words in page, words
    for words in ("in my exam on Tuesday", "for little money", "0045 555", "Held until", "take this back", "Dora"):
        assert words not in page, words
    assert "Held until" in seen.browser("anna").get(thread, follow=True).content.decode()


def test_the_moderators_queue_opens_and_takes_a_decision(world: World) -> None:
    moderator = world.browser("mona")
    for page in ("", "log/", "search/?q=tide", f"comment/{lookups.comment_id('Held until')}/"):
        assert moderator.get(f"/moderation/{page}", follow=True).status_code == 200, page
    queue = moderator.get("/moderation/").content.decode()
    assert "Held until" in queue
    assert "the same as the tip" in queue
    held_one = lookups.comment_id("Held until")
    thread = f"/discussion/{world['exam']}/{lookups.question_id('tides-aalborg')}/"
    # A page opened before the upgrade doesn't say how it showed a comment, so it can't decide on it.
    moderator.submit("/moderation/decide/", comment=str(held_one), act="approve")
    assert "Held until" not in world.browser("stranger").get(thread, follow=True).content.decode()
    seen = re.search(rf'name="seen" value="({held_one}-[^"]+)"', moderator.get("/moderation/").content.decode())
    assert seen
    moderator.submit("/moderation/decide/", comment=str(held_one), act="approve", seen=seen[1])
    assert "Held until" in world.browser("stranger").get(thread, follow=True).content.decode()


def test_reports_show_their_outcome_to_their_reporter(seen: World) -> None:
    words = {"anna": "The next version says it.", "ben": "in its first words", "clara": "Another reader reported"}
    for who, outcome in words.items():
        browser = seen.browser(who)
        listed = browser.get("/reports/", follow=True).content.decode()
        address = re.findall(r"/reports/[0-9a-f-]{36}/", listed)[-1]
        assert outcome in listed + browser.get(address, follow=True).content.decode()


def test_a_deleted_account_stays_deleted_through_the_upgrade(seen: World) -> None:
    browser = seen.browser("stranger")
    browser.get("/accounts/login/")
    browser.submit("/accounts/login/", login=seen["emails"]["dora"], password=seen["password"])
    assert seen["emails"]["dora"] not in json.dumps(browser.export())
    browser.submit("/accounts/login/", login=seen["emails"]["anna"], password=seen["password"])
    assert seen["emails"]["anna"] in json.dumps(browser.export())


def test_staff_find_the_statistics_the_calibration_and_the_regrades(seen: World) -> None:
    boss = seen.browser("bossa")
    for page in ("questions/versionstatistics/", "questions/versionstatistics/radar/", "practice/regrade/",
                 "questions/question/", "questions/contentreport/", "practice/learner/", "accounts/user/"):  # fmt: skip
        assert boss.get(f"/admin/{page}", follow=True).status_code == 200, page
    notices = seen.browser("anna")
    changed = [uuid for uuid, row in seen["scores"].items() if row[0] == "anna" and row[2] == 7]
    assert changed
    for uuid in changed:
        page = notices.get(f"/practice/sessions/{uuid}/results/", follow=True).content.decode()
        assert "No step is right here." in page
