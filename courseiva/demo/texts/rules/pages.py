"""An HTML page without its markup: its strings in reading order, its links and its forms; pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from zoneinfo import available_timezones

from courseiva.demo.texts.rules.layout import Element, Layout

# Inside these a sentence continues, unless the layout sets them apart; any other element ends it.
INLINE = frozenset(
    ("a", "abbr", "b", "br", "cite", "code", "data", "del", "dfn", "em", "i", "ins", "kbd", "mark", "q", "s", "small",
     "span", "strong", "sub", "sup", "time", "u", "var")
)  # fmt: skip
INSIDE_WORDS = frozenset(("sub", "sup"))
EMPTY = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")
)
CLOSED_BY_THE_NEXT = frozenset(("dd", "dt", "li", "option", "p", "td", "th", "tr"))
UNSEEN = frozenset(("script", "style"))
ZONES = available_timezones()  # hundreds of names that aren't ours
SPOKEN = ("title", "aria-label", "aria-description", "placeholder", "alt", "aria-roledescription")
BUTTONS = ("submit", "button", "reset")
DESCRIPTIONS = ("description", "og:title", "og:description")
# Placed between words while a string is collected: one means that what follows is set apart, the other that an element
# begins or ends.
APART, EDGE = "\x1c", "\x1d"
TOUCHING = re.compile(rf"(?<=[\w⟧.!?…”)]){EDGE}+(?=[\w⟦“✓✗])")
# Strings that mean nothing alone, so they are joined to what follows: a number, an option's letter, a symbol.
BARE = re.compile(r"[\W\d_]*[A-Z]?")


@dataclass
class Field:
    """A form field as a browser would send it."""

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

    def __init__(self, html: str, layout: Layout | None = None) -> None:
        super().__init__()
        self.strings: list[str] = []
        self.links: list[str] = []
        self.forms: list[Form] = []
        self.by_id: dict[str, Form] = {}
        self._layout = layout or Layout()
        self._path: list[Element] = []
        self._form: Form | None = None
        self._area: Field | None = None
        self._select: Field | None = None
        self._words: list[str] = []
        self._unseen = 0
        self._is_zone = False
        self._is_after_link = False
        self.feed(html)
        self.close()
        self._end_string()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record links, fields and spoken attributes; an element that isn't inline ends the string before it."""
        given = {name: value or "" for name, value in attrs}
        self._enter(Element(tag, frozenset(given.get("class", "").split())), is_hidden="hidden" in given)
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
        self._leave(tag)
        self._unseen -= tag in UNSEEN
        self._is_zone = False
        if tag == "form":
            self._form = None
        elif tag == "textarea":
            self._area = None
        elif tag == "select":
            self._select = None

    def handle_data(self, data: str) -> None:
        """Add to the current string; text in a textarea is its value."""
        if self._area:
            self._area.value += data
        elif not self._unseen and not self._is_zone:
            self._words.append(data)
            self._is_after_link = self._is_after_link and not data.strip()

    def _enter(self, element: Element, is_hidden: bool) -> None:
        if self._path and element.tag == self._path[-1].tag and element.tag in CLOSED_BY_THE_NEXT:
            self._path.pop()
        self._path.append(element)
        self._mark_edge(element.tag, is_apart=is_hidden or (element.tag == "a" and self._is_after_link))
        if element.tag in EMPTY:
            self._path.pop()

    def _leave(self, tag: str) -> None:
        """Close the element and those left open inside it; a stray end tag closes nothing."""
        if any(each.tag == tag for each in self._path):
            while self._path[-1].tag != tag:
                self._path.pop()
            self._mark_edge(tag, is_apart=False)
            self._path.pop()
            self._is_after_link = tag == "a"

    def _mark_edge(self, tag: str, is_apart: bool) -> None:
        """End the string at the edge of a block; otherwise mark the kind of edge."""
        if tag not in INLINE:
            self._end_string()
        elif is_apart or self._layout.sets_apart(self._path):
            self._words.append(APART)
        elif tag not in INSIDE_WORDS:
            self._words.append(" " if tag == "br" else EDGE)

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
        self.strings += told_apart("".join(self._words))
        self._words = []
        self._is_after_link = False


def told_apart(gathered: str) -> Iterator[str]:
    """The strings in a block's text with its edges marked."""
    before = ""
    for part in TOUCHING.sub(APART, gathered).replace(EDGE, "").split(APART):
        text = " ".join(part.split())
        if BARE.fullmatch(text):
            before = f"{before} {text}".strip()
        else:
            yield f"{before} {text}".strip()
            before = ""
    if before:
        yield before


def spoken(tag: str, given: dict[str, str]) -> Iterator[str]:
    """The attributes of an element that a reader sees or hears."""
    yield from (given[name] for name in SPOKEN if given.get(name))
    if tag == "input" and given.get("type") in BUTTONS and given.get("value"):
        yield given["value"]
    if tag == "meta" and (given.get("name") or given.get("property")) in DESCRIPTIONS:
        yield given.get("content", "")
    # Our scripts take the texts they show from data attributes.
    yield from (value for name, value in given.items() if name.startswith("data-") and is_sentence(value))


def is_sentence(text: str) -> bool:
    """Whether a value is words for people, not a list of names: it starts with a capital and contains a space."""
    return " " in text and text[:1].isupper() and not text.startswith(("{", "["))
