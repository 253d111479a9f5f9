"""PostgreSQL stops or the web server dies under the player in Chromium: answers wait in the browser and are sent by
themselves once the server is back, without a reload. The site runs as in production, DEBUG off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.soak.answering import stored_answers
from tests.soak.machine import Machine, running
from tests.support.subprocesses import Site

NETWORK = 30_000
"""Milliseconds until the player tries again: it waits twice as long each time, here eight seconds at most."""
WATCH = """
window.said = [];
const line = document.getElementById("savestate");
new MutationObserver(() => window.said.push(`${line.dataset.state}: ${line.textContent}`))
  .observe(line, { attributes: true, childList: true, characterData: true, subtree: true });
"""

pytestmark = [pytest.mark.soak, pytest.mark.alone, pytest.mark.browser]


@contextmanager
def stopped(machine: Machine, site: Site, what: str) -> Iterator[None]:
    """Keep the server down for the length of the block."""
    if what == "postgresql":
        machine.cluster.crash()
    else:
        site.kill()
    try:
        yield
    finally:
        (machine.cluster if what == "postgresql" else site).start()


def begin(page: Page, site: Site) -> None:
    """Start a mock as a guest does, and record what the player says from now on."""
    page.goto(f"{site.url}/practice/pmle/mock/")
    page.locator("#start button.btn").click()
    expect(page.locator("#savestate")).to_have_attribute("data-state", "saved")
    page.evaluate(WATCH)


def press(page: Page, keys: str) -> None:
    for key in keys.split():
        page.keyboard.press(key)


@pytest.mark.parametrize(
    ("what", "met"),
    [("postgresql", {503}), ("web server", set())],
)
def test_queued_answers_are_sent_once_the_server_is_back(
    machine: Machine, browser: Browser, tell: Callable[[str], None], what: str, met: set[int]
) -> None:
    site, statuses, errors = machine.site(), [], []
    with running(site):
        page = browser.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        begin(page, site)
        uuid = page.url.split("/sessions/")[1].split("/")[0].replace("-", "")
        with stopped(machine, site, what):
            page.on("response", lambda answer: statuses.append(answer.status) if "/save/" in answer.url else None)
            press(page, "a n b n c")
            line = page.locator("#savestate[data-state=offline][data-waiting='3']")
            expect(line).to_contain_text("3", timeout=NETWORK)
            assert set(statuses) == met
            said = page.evaluate("window.said")
            assert said
            assert not [words for words in said if words.startswith("saved")]
        expect(page.locator("#savestate")).to_have_attribute("data-state", "saved", timeout=NETWORK)
        assert held(machine, uuid) == {1: [[0]], 2: [[1]], 3: [[2]]}
        tell(f"{what} away: {' | '.join(page.evaluate('window.said'))}")
        page.close()
    assert errors == []


def held(machine: Machine, uuid: str) -> dict[int, list[list[int]]]:
    """Return what the server holds of this session."""
    return {position: answer for position, answer in stored_answers(machine.url)[uuid].items() if answer != [[]]}
