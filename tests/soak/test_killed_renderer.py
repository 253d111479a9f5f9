"""A renderer is killed during a session, in a Chromium without a driver: its tab comes back with queue and answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from practice.models import PracticeSession, SessionItem
from tests.journeys.device import down
from tests.support.bank import add_questions, make_exam
from tests.support.plain_chromium import LONGEST, NotSaid, PlainChromium
from tests.support.sessions import begin_mock, guest, guest_client
from tests.support.subprocesses import Site, wait_until

pytestmark = [pytest.mark.soak, pytest.mark.browser]

STATE = 'document.getElementById("savestate")?.textContent'
KEPT = "Boolean(document.querySelector('#session[data-kept]')) && document.documentElement.dataset.player === 'on'"
CHOSEN = "[...document.querySelectorAll('#answers input[name^=a-]:checked')].map((each) => each.name + each.value)"
WAITING = "Object.keys(localStorage).filter((key) => key.startsWith('answers:'))"
ON_THE_DEVICE = """(async () => {
  const ready = await Promise.race([navigator.serviceWorker.ready, new Promise((done) => setTimeout(done, 100))]);
  return ready?.active?.state === "activated" && Boolean(await caches.match(location.pathname));
})()"""
HERE = "document.querySelector('.question.is-current')?.id"


class Tab:
    """The tab with the session, and its contents."""

    def __init__(self, browser: PlainChromium, target: str) -> None:
        self.browser, self.target = browser, target

    def look(self, script: str) -> Any:
        try:
            return self.browser.look(self.target, script)
        except NotSaid:
            return None

    def comes_to(self, script: str, wanted: Any) -> None:
        seen: list[Any] = [None]

        def so() -> bool:
            seen[0] = self.look(script)
            return bool(seen[0] == wanted)

        assert wait_until(so, LONGEST), seen

    def choose(self, position: int, place: int) -> None:
        self.browser.look(self.target, f"location.hash = 'q{position}'")
        self.comes_to(HERE, f"q{position}")
        self.browser.look(self.target, f"document.querySelectorAll('#q{position} .option input')[{place}].click()")


@pytest.fixture
def session_and_token(live_rows: None) -> tuple[PracticeSession, str]:
    exam = make_exam()
    add_questions(exam, 4)
    add_questions(exam, 4, pool="reserved")
    owner, token = guest()
    return begin_mock(owner, exam, now=timezone.now()), token


@pytest.fixture
def chromium(needs_chromium: str, tmp_path: Path) -> Iterator[PlainChromium]:
    browser = PlainChromium(needs_chromium, tmp_path / "profile")
    yield browser
    browser.close()


def answered(session: PracticeSession) -> list[int]:
    return sorted(SessionItem.objects.filter(session=session).exclude(selected=0).values_list("position", flat=True))


def test_a_killed_renderer_loses_nothing_with_and_without_the_network(
    live_site: Site, chromium: PlainChromium, session_and_token: tuple[PracticeSession, str]
) -> None:
    session, token = session_and_token
    cookies = [
        {"name": name, "value": morsel.value, "url": live_site.url}
        for name, morsel in guest_client(token).cookies.items()
    ]
    chromium.ask("Storage.setCookies", cookies=cookies)
    tab = Tab(chromium, chromium.open(live_site.url + session.get_absolute_url()))
    tab.comes_to(STATE, "Saved")
    tab.comes_to(ON_THE_DEVICE, True)
    tab.choose(1, 0)
    tab.comes_to(STATE, "Saved")
    with down(live_site):
        tab.choose(2, 1)
        tab.choose(3, 2)
        tab.comes_to(STATE, "Offline, 2 waiting")
        assert chromium.kill_renderers()
        chromium.reload(tab.target)
        tab.comes_to(KEPT, True)
        tab.comes_to(STATE, "Offline, 2 waiting")
        tab.comes_to(CHOSEN, ["a-10", "a-21", "a-32"])
        tab.choose(4, 3)
        tab.comes_to(STATE, "Offline, 3 waiting")
        assert answered(session) == [1]
        assert chromium.kill_renderers()
    chromium.reload(tab.target)
    tab.comes_to(STATE, "Saved")
    tab.comes_to(CHOSEN, ["a-10", "a-21", "a-32", "a-43"])
    tab.comes_to(WAITING, [])
    assert answered(session) == [1, 2, 3, 4]
