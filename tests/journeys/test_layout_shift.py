"""Nothing moves while a session's page loads: the layout shift that Chromium measures is zero."""

from __future__ import annotations

from itertools import product

import pytest
from playwright.sync_api import Route, expect

from tests.journeys.test_nothing_is_lost import MODES, NARROW, WIDE, Begin, begin, check, press, saved  # noqa: F401
from tests.journeys.trickle import trickling

pytestmark = [pytest.mark.soak, pytest.mark.browser]

LATE = 700  # milliseconds; what moves within 500 of a key or click is not counted as a shift
VIEWPORTS = {"1280": WIDE, "390": NARROW}
OPENED = [*product(MODES, VIEWPORTS, ("", "#q3", "#summary", "#sheet"))]
# The gate opens each mode, and each width; the narrow mock and drill are those that arrive in pieces.
IN_THE_GATE = {
    ("mock", "1280", ""), ("drill", "1280", ""), ("review", "390", ""), ("drill", "1280"), ("review", "390"),
}  # fmt: skip
WATCH = """
window.moves = [];
const name = ({ node }) => node?.id || node?.className || node?.nodeName;
new PerformanceObserver((list) => {
  for (const { value, sources, hadRecentInput } of list.getEntries()) {
    if (!hadRecentInput) moves.push([value, sources.map(name)]);
  }
}).observe({ type: "layout-shift", buffered: true });
"""


@pytest.mark.parametrize(
    ("mode", "width", "place"),
    [pytest.param(*case, marks=pytest.mark.gate if case in IN_THE_GATE else ()) for case in OPENED],
)
def test_nothing_moves_when_a_session_opens(begin: Begin, mode: str, width: str, place: str) -> None:  # noqa: F811
    learner = begin(mode, VIEWPORTS[width])
    page = learner.context.new_page()
    page.add_init_script(WATCH)
    page.goto(learner.site.url + learner.session.get_absolute_url() + place)
    saved(page)
    assert page.evaluate("moves") == []


@pytest.mark.parametrize("viewport", [WIDE, pytest.param(NARROW, marks=pytest.mark.gate)], ids=["1280", "390"])
@pytest.mark.parametrize("mode", ["mock", "drill"])
def test_nothing_moves_when_a_page_arrives_in_pieces(begin: Begin, mode: str, viewport: dict[str, int]) -> None:  # noqa: F811
    learner = begin(mode, viewport)
    with trickling(learner.site, learner.session.get_absolute_url()) as address:
        page = learner.context.new_page()
        page.add_init_script(WATCH)
        page.goto(address)
        saved(page)
        moves = page.evaluate("moves")
        page.close()
    assert moves == []


@pytest.mark.parametrize(
    ("mode", "width"),
    [
        pytest.param(*case, marks=pytest.mark.gate if case in IN_THE_GATE else ())
        for case in product(MODES[1:], VIEWPORTS)
    ],
)
def test_nothing_moves_when_a_verdict_comes_late(begin: Begin, mode: str, width: str) -> None:  # noqa: F811
    learner = begin(mode, VIEWPORTS[width])
    page = learner.context.new_page()
    page.add_init_script(WATCH)
    page.goto(learner.site.url + learner.session.get_absolute_url())
    saved(page)
    held: list[Route] = []
    page.route("**/check/", lambda route: held.append(route))  # noqa: PLW0108  Playwright asks for its signature
    for position in (1, 2):
        press(page, "a")
        check(page, position)
        page.wait_for_timeout(LATE)
        held.pop().continue_()
        expect(page.locator(f"#q{position} .verdict")).to_be_visible()
        expect(page.locator("#bar-next:not(.btn--quiet)")).to_be_visible()
        press(page, "n")
    assert page.evaluate("moves") == []
