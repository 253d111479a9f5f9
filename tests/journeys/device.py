"""A learner's browser whose running session is stored on the device, and ways to look into that browser."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Error, Page, expect

from courseiva.accounts.models import User
from practice.models import PracticeSession, SessionItem
from tests.support.subprocesses import Site, wait_until
from tests.support.world import signed_in_client

NETWORK = 20_000
"""Milliseconds the player may take to notice that the network is back."""

STORED = """async () => {
  const [, mark, key] = /courseiva-device=(\\w+)\\.(\\w+)/.exec(document.cookie) ?? [];
  const raw = key && Uint8Array.from(key.match(/../g), (pair) => parseInt(pair, 16));
  const aes = key && await crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["decrypt"]);
  const open = async (bytes) => new TextDecoder().decode(
    await crypto.subtle.decrypt({name: "AES-GCM", iv: bytes.slice(0, 12)}, aes, bytes.slice(12)));
  const found = {caches: [], files: [], raw: "", opened: "", local: "", session: "", databases: []};
  for (const name of await caches.keys()) {
    found.caches.push(name);
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const bytes = await (await cache.match(request)).arrayBuffer();
      found.raw += new TextDecoder().decode(bytes);
      const path = new URL(request.url).pathname;
      found.files.push(path);
      if (key && path.startsWith("/practice/")) found.opened += await open(bytes).catch(() => "");
    }
  }
  found.local = JSON.stringify(localStorage);
  found.session = JSON.stringify(sessionStorage);
  found.databases = (await indexedDB.databases()).map(({name}) => name);
  return found;
}"""

# Opening a cache that was just deleted creates it again, so the wait for their deletion looks at the names alone.
NAMES = "async () => ({caches: await caches.keys(), local: JSON.stringify(localStorage)})"


def holds(page: Page, count: int) -> None:
    """Check that the page says it is offline, and how many answers are queued in the browser."""
    line = page.locator(f'#savestate[data-state=offline][data-waiting="{count}"]')
    expect(line).to_be_visible(timeout=NETWORK)
    if count:
        expect(line).to_contain_text(str(count))


# When a page is left it tries to send its queue once more, even while the driver keeps it offline.
CUT = "() => { window.fetch = () => Promise.reject(new TypeError('cut')); }"


class Learner:
    """A browser with one running session in it."""

    def __init__(self, context: BrowserContext, site: Site, session: PracticeSession) -> None:
        self.context, self.site, self.session = context, site, session
        self.errors: list[str] = []
        self.address = site.url + session.get_absolute_url()
        self.page = context.new_page()
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))

    def open(self) -> Learner:
        """Open the session and wait until it is stored."""
        self.page.goto(self.address)
        self.saved()
        self.kept()
        return self

    def saved(self) -> None:
        expect(self.page.locator("#savestate")).to_have_attribute("data-state", "saved", timeout=NETWORK)

    def waits(self, count: int) -> None:
        """Check that the page says it is offline, and how many answers are queued."""
        holds(self.page, count)

    def kept(self) -> None:
        """Check that the page is stored, and that the service worker is ready to serve it."""
        script = """async (base) => (await navigator.serviceWorker.ready).active.state === "activated"
          && Boolean(await caches.match(base))"""
        assert wait_until(lambda: bool(self.page.evaluate(script, self.session.get_absolute_url())))

    def stored(self) -> dict[str, Any]:
        """Return everything in Cache Storage, localStorage and sessionStorage, and the names of databases."""
        return dict(self.page.evaluate(STORED))

    def names(self) -> dict[str, Any]:
        """Return the names of the caches, and localStorage."""
        return dict(self.page.evaluate(NAMES))

    def press(self, keys: str) -> None:
        for key in keys.split():
            self.page.keyboard.press(key)

    @contextmanager
    def away(self) -> Iterator[None]:
        """Take pages and service worker offline for the block."""
        self.context.set_offline(True)
        try:
            yield
        finally:
            self.context.set_offline(False)

    @contextmanager
    def cut_off(self) -> Iterator[None]:
        """Go offline for the block; the open page sends nothing more, not even when it is left."""
        with self.away():
            self.page.evaluate(CUT)
            yield

    def reload_from_the_device(self) -> None:
        self.page.reload()
        expect(self.page.locator("#session[data-kept]")).to_be_attached()
        expect(self.page.locator("html[data-player=on]")).to_be_attached()

    def finds_nothing(self) -> bool:
        """Return whether the session's address shows the browser's own error page."""
        try:
            self.page.goto(self.address)
        except Error as error:
            return "ERR_" in str(error)
        return False

    def keeps_nothing(self) -> bool:
        """Return whether no page, file or state of a session is left in this browser.

        Queued answers may be left, and with them a bare mark that says whose they are.
        """
        found = self.names()
        kept = [value for name, value in json.loads(found["local"]).items() if name.startswith("session:")]
        return not found["caches"] and all(value == "{}" for value in kept)

    def seconds_left(self) -> int:
        words = self.page.locator("#clock-text").inner_text().split()[0]
        return sum(int(part) * 60**place for place, part in enumerate(reversed(words.split(":"))))

    def chosen(self) -> dict[int, list[str]]:
        """Return the options chosen on the page, as places by question."""
        script = "all => all.map(each => [Number(each.name.slice(2)), each.value])"
        found: dict[int, list[str]] = {}
        for position, place in self.page.locator("#answers input[name^=a-]:checked").evaluate_all(script):
            found.setdefault(position, []).append(place)
        return found

    def answered(self) -> list[int]:
        rows = SessionItem.objects.filter(session=self.session).exclude(selected=0)
        return sorted(rows.values_list("position", flat=True))


def sign_in(context: BrowserContext, site: Site, user: User) -> None:
    """Give this browser the cookies of somebody signed in."""
    for name, morsel in signed_in_client(user).cookies.items():
        context.add_cookies([{"name": name, "value": morsel.value, "url": site.url}])


@contextmanager
def browsing(browser: Browser, site: Site, user: User) -> Iterator[Page]:
    """Yield a page in the browser of somebody signed in; none of its scripts may fail."""
    context = browser.new_context(base_url=site.url)
    sign_in(context, site, user)
    errors: list[str] = []
    page = context.new_page()
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


@contextmanager
def answering(site: Site, status: int) -> Iterator[None]:
    """Replace the site with a server that answers every request with this status, as a proxy does."""

    class Answer(BaseHTTPRequestHandler):
        def answer(self) -> None:
            self.send_response(status)
            self.send_header("Content-Length", "9")
            self.end_headers()
            self.wfile.write(b"from afar")

        do_GET = do_POST = answer  # noqa: N815

        def log_message(self, *args: object) -> None:
            pass

    with down(site):
        server = when_free(lambda: ThreadingHTTPServer(("127.0.0.1", site.port), Answer))
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            server.server_close()
            thread.join()


@contextmanager
def down(site: Site) -> Iterator[None]:
    """Kill the site, and start it again after the block."""
    site.kill()
    try:
        yield
    finally:
        site.start()


def when_free(bind: Callable[[], ThreadingHTTPServer]) -> ThreadingHTTPServer:
    """Try to bind the port for up to ten seconds, because a killed worker frees it a moment after its master."""
    end = time.monotonic() + 10
    while True:
        try:
            return bind()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)
