"""Takes the README's screenshots from a running site: python scripts/screenshots.py http://127.0.0.1:8000

It walks as a guest through an ordinary drill and mock, from `make run`. With `demo` as a second argument it signs in as
the demo people and shows what `make demo` fills in.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "screenshots"
SWITCHES = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]
WIDE = {"width": 1280, "height": 900}
NARROW = {"width": 390, "height": 844}
SETTLE = 1500
READ = 5000  # a question on screen for less is taken for unseen, and its result shows no solution


def main(address: str, demo: bool) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=SWITCHES)
        (people if demo else visitor)(browser, address)
        browser.close()


def visitor(browser: Browser, address: str) -> None:
    wide = new_page(browser, WIDE, "light")
    question(wide, address)
    mock(wide, address)
    drill(new_page(browser, NARROW, "dark"), address)


def new_page(browser: Browser, size: dict[str, int], scheme: str) -> Page:
    context = browser.new_context(viewport=size, color_scheme=scheme)  # type: ignore[arg-type]
    return context.new_page()


def keep(page: Page, name: str) -> None:
    """Save a picture of the window once it has settled."""
    page.wait_for_timeout(SETTLE)
    page.screenshot(path=FOLDER / f"{name}.png")


def question(page: Page, address: str) -> None:
    """A public question after a wrong answer and its verdict."""
    page.goto(f"{address}/exams/pmle/questions/1-x/")
    page.locator(".option input").nth(1).check(force=True)
    page.get_by_role("button", name="Check").click()
    page.locator("#verdict .verdict").scroll_into_view_if_needed()
    keep(page, "question")


def mock(page: Page, address: str) -> None:
    """A half-finished mock, and its result."""
    page.goto(f"{address}/practice/pmle/mock/")
    page.locator("input[name=count][value='20']").check(force=True)
    page.get_by_role("button", name="Start mock exam").click()
    page.wait_for_timeout(SETTLE)
    for n in range(14):
        page.wait_for_timeout(READ)
        page.keyboard.press("bcad"[n % 4])
        if n in (3, 9):
            page.keyboard.press("f")
        page.keyboard.press("n")
    keep(page, "session")
    page.goto(page.url.split("#")[0] + "finish/")
    page.get_by_role("button", name="Submit").click()
    keep(page, "result")


def drill(page: Page, address: str) -> None:
    """A drill on a phone in dark mode."""
    page.goto(f"{address}/practice/pmle/")
    page.get_by_role("button", name="Start").nth(1).click()
    keep(page, "drill")


def people(browser: Browser, address: str) -> None:
    """With `make demo`: the progress page of a learner, and the moderators' queue."""
    for who, path, name in (
        ("learner", "/practice/pmle/readiness/", "progress"),
        ("moderator", "/moderation/", "moderation"),
    ):
        page = new_page(browser, WIDE, "light")
        page.goto(f"{address}/accounts/login/")
        page.fill("input[name=login]", f"{who}@demo.courseiva.example")
        page.fill("input[name=password]", "try-courseiva-today")
        page.keyboard.press("Enter")
        page.wait_for_timeout(SETTLE)
        page.goto(address + path)
        keep(page, name)


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/") if len(sys.argv) > 1 else "http://127.0.0.1:8000", "demo" in sys.argv[2:])
