"""Today's player sends to the server what a past release's player kept in the browser's storage."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.plugin import DjangoDbBlocker

from tests.support.live import live_environment
from tests.support.subprocesses import Site
from tests.upgrade.restored import World, copied

SEED = """
const { local_storage, session_storage } = %s;
if (!sessionStorage.getItem("sitting-tab")) {
  for (const [key, record] of Object.entries(local_storage)) localStorage.setItem(key, JSON.stringify(record));
  for (const [key, value] of Object.entries(session_storage)) sessionStorage.setItem(key, value);
}
"""
NETWORK = 20_000

pytestmark = [pytest.mark.soak, pytest.mark.browser]


@pytest.fixture
def running(
    upgraded: tuple[str, str],
    static_root: Path,
    tmp_path: Path,
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[tuple[World, Site]]:
    """Yield the upgraded site in a process of its own, whose clock starts at the end of the upgrade."""
    release, url = upgraded
    world, clock = World(release), tmp_path / "clock"
    clock.write_text(str(world.back.timestamp() - time.time()))
    theirs = {"SECRET_KEY": world["secret_key"], "DJANGO_SETTINGS_MODULE": "tests.soak.stepped_clock"}
    with django_db_blocker.unblock(), copied(url, tmp_path) as copy:
        site = Site(copy, **{**live_environment(static_root), **theirs}, TEST_CLOCK=str(clock)).start()
        yield world, site
        site.stop()


def opened(browser: Browser, site: Site, world: World, tab: dict[str, Any]) -> Page:
    """Return the tab as its owner finds it again: cookies and storage as the release left them."""
    who = tab["who"]
    login = world["guest"] if who == "guest" else {"sessionid": world["logins"][who]}
    cookies = {"csrftoken": world["csrf"], **{name: value for name, value in login.items() if "__Host" not in name}}
    context = browser.new_context(base_url=site.url)
    context.add_cookies([{"name": name, "value": value, "url": site.url} for name, value in cookies.items()])
    kept = {name: tab[name] for name in ("local_storage", "session_storage")}
    page = context.new_page()
    page.add_init_script(SEED % json.dumps(kept))
    page.goto(tab["address"])
    return page


def test_answers_kept_in_the_browser_are_sent_when_the_page_is_opened_again(
    running: tuple[World, Site], browser: Browser
) -> None:
    world, site = running
    for name in ("exam conditions", "untimed", "drill", "review", "guest drill"):
        tab = world["tabs"][name]
        page = opened(browser, site, world, tab)
        expect(page.locator("#savestate")).to_have_attribute("data-state", "saved", timeout=NETWORK)
        headers = {"X-CSRFToken": world["csrf"], "Sec-Fetch-Site": "same-origin"}
        claimed = page.request.post(f"{tab['address']}claim/", data={}, headers=headers).json()
        held = {str(item["p"]): item["sel"] for item in claimed["items"] if item["sel"]}
        assert held == {place: row["sel"] for place, row in tab["held"].items()}, name
        assert [item["p"] for item in claimed["items"] if item["flag"]] == [1], name
        page.context.close()
