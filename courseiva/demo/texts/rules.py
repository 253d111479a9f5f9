"""What a page, a mail or a script says to people, without its markup; pure.

Made-up content stands between the signs ⟦ and ⟧, so that what the site says can be told from what it says it about.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from zoneinfo import available_timezones

OPENS, CLOSES = "⟦", "⟧"
# Inside these a sentence goes on; any other element ends it.
INLINE = frozenset(
    (
        "a",
        "abbr",
        "b",
        "br",
        "cite",
        "code",
        "data",
        "del",
        "dfn",
        "em",
        "i",
        "ins",
        "kbd",
        "mark",
        "q",
        "s",
        "small",
        "span",
        "strong",
        "sub",
        "sup",
        "time",
        "u",
        "var",
    )
)
UNSEEN = frozenset(("script", "style"))
ZONES = available_timezones()  # hundreds of names that nobody here has written
SPOKEN = ("title", "aria-label", "aria-description", "placeholder", "alt", "aria-roledescription")
BUTTONS = ("submit", "button", "reset")
DESCRIPTIONS = ("description", "og:title", "og:description")
CONTENT = re.compile(rf"{OPENS}([^{CLOSES}\d]*)[^{CLOSES}]*(?:{CLOSES}|$)")
ADDRESS = re.compile(r"[\w.+-]+@demo\.courseiva\.example")
LINK = re.compile(r"https?://testserver\S*")
CODE = re.compile(r"\b(?:[0-9a-f]{8}-[0-9a-f-]{27}|[A-Z2-7]{32}|[0-9a-f]{10,64})\b")
LETTERS = re.compile(r"[^\W\d_]{2}")
SLOT = re.compile(r"\{[^{}]*\}")
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
# In a script only what has a blank in it is taken for words, and what looks like a selector, code or an address is not.
LITERAL = re.compile(r"""(?<![\w$])(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`)""")
COMMENT = re.compile(r"^\s*(?://|/?\*).*$", re.MULTILINE)
NOT_WORDS = re.compile(
    r"^[.#\[:]|[\w\]]\[[\w-]+[\]=]|=>|^[\w.#-]+ [>~+] |\w, [.#\[]|^[a-z-]+(?: [a-z-]+)*:|^(?:use strict)$|<\w"
)


@dataclass
class Field:
    """A field of a form as a browser would send it."""

    name: str
    kind: str
    value: str = ""
    is_chosen: bool = True


@dataclass
class Form:
    """A form: where it goes, its fields, and its submit buttons as (name, value)."""

    action: str
    method: str
    fields: list[Field] = field(default_factory=list)
    buttons: list[tuple[str, str]] = field(default_factory=list)


class Page(HTMLParser):
    """The strings of an HTML page in reading order, its links and its forms."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.strings: list[str] = []
        self.links: list[str] = []
        self.forms: list[Form] = []
        self.by_id: dict[str, Form] = {}
        self._form: Form | None = None
        self._area: Field | None = None
        self._select: Field | None = None
        self._words: list[str] = []
        self._unseen = 0
        self._is_zone = False
        self.feed(html)
        self.close()
        self._end_string()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note links, fields and spoken attributes; an element that is not inline ends the string before it."""
        given = {name: value or "" for name, value in attrs}
        if tag not in INLINE:
            self._end_string()
        self._unseen += tag in UNSEEN
        self._is_zone = tag == "option" and given.get("value") in ZONES
        self.strings += spoken(tag, given)
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        elif tag == "form":
            self._form = Form(given.get("action", ""), given.get("method", "get").lower())
            self.forms.append(self._form)
            self.by_id[given.get("id", "")] = self._form
        form = self.by_id.get(given["form"]) if "form" in given else self._form
        if form:
            self._note_field(form, tag, given)

    def handle_endtag(self, tag: str) -> None:
        if tag not in INLINE:
            self._end_string()
        self._unseen -= tag in UNSEEN
        self._is_zone = False
        if tag == "form":
            self._form = None
        elif tag == "textarea":
            self._area = None
        elif tag == "select":
            self._select = None

    def handle_data(self, data: str) -> None:
        """Add to the string; what stands in a text field is its value."""
        if self._area:
            self._area.value += data
        elif not self._unseen and not self._is_zone:
            self._words.append(data)

    def _note_field(self, form: Form, tag: str, given: dict[str, str]) -> None:
        name, kind = given.get("name", ""), given.get("type", "text" if tag == "input" else "submit")
        if tag == "button" or (tag == "input" and kind in (*BUTTONS, "image")):
            if kind == "submit":
                form.buttons.append((name, given.get("value", "")))
        elif tag == "option" and self._select:
            if "selected" in given or not self._select.value:
                self._select.value = given.get("value", "")
        elif name and tag in ("input", "textarea", "select") and "disabled" not in given:
            found = Field(name, tag if tag != "input" else kind, given.get("value", ""))
            if kind in ("radio", "checkbox"):
                found.is_chosen = "checked" in given
            form.fields.append(found)
            self._area = found if tag == "textarea" else None
            self._select = found if tag == "select" else None

    def _end_string(self) -> None:
        text = " ".join("".join(self._words).split())
        self._words = []
        if text:
            self.strings.append(text)


def spoken(tag: str, given: dict[str, str]) -> Iterator[str]:
    """What of an element's attributes a reader meets."""
    yield from (given[name] for name in SPOKEN if given.get(name))
    if tag == "input" and given.get("type") in BUTTONS and given.get("value"):
        yield given["value"]
    if tag == "meta" and (given.get("name") or given.get("property")) in DESCRIPTIONS:
        yield given.get("content", "")
    # What our scripts show at the right moment they find in data attributes.
    yield from (value for name, value in given.items() if name.startswith("data-") and is_sentence(value))


def is_sentence(text: str) -> bool:
    """Whether a value is words for people and no list of names: it begins with a capital and has a blank in it."""
    return " " in text and text[:1].isupper() and not text.startswith(("{", "["))


def mail_strings(subject: str, body: str) -> list[str]:
    """A mail's subject and its paragraphs, whose lines are one string each."""
    return [subject, *(" ".join(part.split()) for part in re.split(r"\n\s*\n", body))]


def json_strings(text: str) -> list[str]:
    """What of an answer to a script is words."""
    return [value for value in _values(json.loads(text)) if is_sentence(value) and not value.lstrip().startswith("<")]


def _values(node: object) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict | list):
        for part in node.values() if isinstance(node, dict) else node:
            yield from _values(part)


def script_strings(source: str) -> list[str]:
    """The literals of a script that are words for people; what is put into a template literal becomes {…}."""
    found = []
    for match in LITERAL.finditer(COMMENT.sub("", source)):
        text = " ".join(re.sub(r"\$\{(?:[^{}]|\{[^{}]*\})*\}", "{…}", next(filter(None, match.groups()), "")).split())
        if " " in text and LETTERS.search(SLOT.sub("", text)) and not NOT_WORDS.search(text):
            found.append(text)
    return found


def readable(text: str) -> str:
    """The string with content as {what it is}, addresses and codes as {address}, {code}."""
    text = CONTENT.sub(lambda match: f"{{{match[1].strip()}}}", " ".join(text.split()))
    text = ADDRESS.sub("{email address}", LINK.sub("{link}", text))
    return CODE.sub("{code}", text)


def says_something(text: str) -> bool:
    """Whether anything but content, numbers and signs is left of it."""
    return bool(LETTERS.search(SLOT.sub("", text)))


@dataclass
class Collection:
    """The strings of the site, each where it was met first. Two that differ in figures alone are one."""

    pages: dict[str, list[str]] = field(default_factory=dict)
    _seen: set[str] = field(default_factory=set)

    def add(self, page: str, strings: list[str]) -> None:
        """Note what is new of a page's strings."""
        for text in map(readable, strings):
            key = NUMBER.sub("0", text)
            if says_something(text) and key not in self._seen:
                self._seen.add(key)
                self.pages.setdefault(page, []).append(text)

    def lines(self) -> Iterator[tuple[str, str]]:
        """Each page with each of its strings as a numbered line: page | number | string."""
        number = 0
        for page, strings in self.pages.items():
            for text in strings:
                number += 1
                yield page, f"{page} | {number} | {text}"
