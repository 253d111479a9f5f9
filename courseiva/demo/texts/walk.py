"""Walking through the site as one reader: every link, and every form filled in, empty and filled in wrongly."""

from __future__ import annotations

import json
from collections import Counter, deque
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

from django.core.cache import cache
from django.db import transaction
from django.http import HttpResponse, HttpResponseBase
from django.urls import Resolver404, resolve

from courseiva.demo.accounts import DEMO_PASSWORD
from courseiva.demo.texts.people import Reader
from courseiva.demo.texts.rules.layout import Layout
from courseiva.demo.texts.rules.pages import Field, Form, Page
from courseiva.demo.texts.rules.strings import Collection, json_strings

# How many pages of one URL name are opened, plus one for each new query parameter; more would only repeat them.
VISITS = 2
EACH_IS_ANOTHER = ("article",)  # every page under these is opened, because each has its own template
MOST_REDIRECTS = 5
HERE = ("", "testserver")
FILLED = {
    "email": "somebody@demo.courseiva.example",
    "password": DEMO_PASSWORD,
    "number": "1",
    "date": "2026-12-24",
    "url": "https://page.example/",
    "textarea": "⟦text⟧",
}
WRONG = {"email": "nobody", "password": "no", "number": "99999", "date": "tomorrow", "url": "page"}
TYPED = {"text", "textarea", "search", "tel", *FILLED}


@dataclass
class Met:
    """What the walks found: the strings, the addresses by name that showed a page, and what went wrong."""

    layout: Layout = field(default_factory=Layout)
    collection: Collection = field(default_factory=Collection)
    names: set[str] = field(default_factory=set)
    failures: list[str] = field(default_factory=list)
    sent: set[tuple[str, ...]] = field(default_factory=set)


class Walk:
    """One reader's walk. Whatever a form changes is undone once the response has been read."""

    def __init__(self, who: Reader, met: Met) -> None:
        self.who = who
        self.met = met
        self._visits: Counter[str] = Counter()
        self._asked: set[tuple[str, str]] = set()
        self._waiting: deque[str] = deque()

    def go(self, starts: list[str]) -> None:
        """Open these addresses and all they link to, then submit the forms found on the way."""
        forms: list[tuple[str, Form]] = []
        self._waiting.extend(starts)
        while self._waiting:
            address = self._waiting.popleft()
            page = self._open(address)
            if page:
                forms += [(address, form) for form in page.forms]
                self._waiting.extend(self._fresh(address, page.links))
        for address, form in forms:
            self._try(address, form)

    def send(self, address: str, data: dict[str, Any] | str, content_type: str = "") -> None:
        """A POST that doesn't come from a form on a page, such as a script's."""
        extra: dict[str, Any] = {"content_type": content_type} if content_type else {}
        self._undone(address, data, **extra)

    def _fresh(self, address: str, links: list[str]) -> list[str]:
        found = []
        for link in links:
            parts = urlsplit(urljoin(address, link))
            if parts.scheme in ("", "http") and parts.netloc in HERE and not parts.path.startswith("/static/"):
                target = parts.path + (f"?{parts.query}" if parts.query else "")
                if self._is_new(named(parts.path), parts.path, {name for name, _ in parse_qsl(parts.query)}):
                    found.append(target)
        return found

    def _is_new(self, page: str, path: str, asked: set[str]) -> bool:
        page = path if page in EACH_IS_ANOTHER else page
        asks = {(page, name) for name in asked}
        is_new = bool(asks - self._asked) if asks else self._visits[page] < VISITS
        self._asked |= asks
        self._visits[page] += not asks
        return is_new

    def _open(self, address: str) -> Page | None:
        with transaction.atomic():
            response = self.who.client.get(address)
            page = self._read(address, response)
        if 300 <= response.status_code < 400:
            self._waiting.extend(self._fresh(address, [response.headers["Location"]]))
        return page

    def _read(self, address: str, response: HttpResponseBase) -> Page | None:
        """Collect the strings of a page, or of a response to a script."""
        name = named(urlsplit(address).path)
        if response.status_code >= 500:
            self.met.failures.append(f"{self.who.name}: {address} answered {response.status_code}")
        kind = response.headers.get("Content-Type", "")
        if not isinstance(response, HttpResponse):
            return None
        title = f"{self.who.name}: {name}" + (f" ({response.status_code})" if response.status_code >= 400 else "")
        if kind.startswith("application/json") and "attachment" not in response.headers.get("Content-Disposition", ""):
            self.met.collection.add(title, json_strings(response.content.decode()))
        if not kind.startswith("text/html") or not response.content:
            return None
        page = Page(response.content.decode(), self.met.layout)
        if response.status_code < 400 or name not in self.met.names:
            self.met.names.add(name)
        self.met.collection.add(title, page.strings)
        return page

    def _try(self, address: str, form: Form) -> None:
        """Submit a form in each possible way; one with the same fields says the same to every reader."""
        target = urljoin(address, form.action or address)
        parts = urlsplit(target)
        if parts.netloc not in HERE:
            return
        key = (named(parts.path), form.method, *sorted({each.name for each in form.fields}))
        if key in self.met.sent:
            return
        self.met.sent.add(key)
        buttons = form.buttons or [("", "")]
        trials = [(filled, button) for button in dict(buttons).items()]
        trials += [(emptied, buttons[0]), (spoilt, buttons[0])]
        for fill, (name, value) in trials:
            data = fill(form.fields) | ({name: [value]} if name else {})
            if form.method == "post":
                self._undone(target, data)
            else:
                self._open(f"{parts.path}?{urlencode(data, doseq=True)}")

    def _undone(self, address: str, data: dict[str, Any] | str, **extra: Any) -> None:
        """Submit it, follow redirects, and restore everything: rows, cookies, and attempt counts."""
        cookies = SimpleCookie({name: each.value for name, each in self.who.client.cookies.items()})
        with transaction.atomic():
            response = self.who.client.post(address, data, **extra)
            self._read(address, response)
            for _ in range(MOST_REDIRECTS):
                if not 300 <= response.status_code < 400:
                    break
                address = urljoin(address, response.headers["Location"])
                if urlsplit(address).netloc not in HERE:
                    break
                response = self.who.client.get(address)
                self._read(address, response)
            transaction.set_rollback(True)
        self.who.client.cookies = cookies
        cache.clear()


def named(path: str) -> str:
    """The URL's name, with its namespace; for one of Django's URLs without a name, its route."""
    try:
        match = resolve(path)
    except Resolver404:
        return "an address that does not exist"
    return match.view_name if match.url_name else match.route


def filled(fields: list[Field]) -> dict[str, list[str]]:
    """Filled in hastily: whatever is selected already, else the first choice; words in empty text fields."""
    data: dict[str, list[str]] = {}
    for each in fields:
        if each.kind == "radio" and each.name not in data:
            data[each.name] = [next((f.value for f in _named(fields, each.name) if f.is_chosen), each.value)]
        elif each.kind in TYPED:
            data[each.name] = [each.value or FILLED.get(each.kind, "⟦words⟧")]
        elif each.is_chosen and each.kind not in ("radio", "file"):
            data.setdefault(each.name, []).append(each.value)
    return data


def emptied(fields: list[Field]) -> dict[str, list[str]]:
    """Nothing typed or chosen."""
    return {each.name: [each.value] for each in fields if each.kind == "hidden"}


def spoilt(fields: list[Field]) -> dict[str, list[str]]:
    """Something invalid in every field."""
    hidden = emptied(fields)
    return {each.name: [WRONG.get(each.kind, "x")] for each in fields} | hidden


def _named(fields: list[Field], name: str) -> list[Field]:
    return [each for each in fields if each.name == name]


def script_body(**values: object) -> str:
    return json.dumps(values)
