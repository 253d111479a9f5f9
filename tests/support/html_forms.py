"""What a browser would send of a form, read from the page."""

from __future__ import annotations

from html.parser import HTMLParser

UNSENT = {"submit", "button", "image", "reset"}


class _Reader(HTMLParser):
    """Collects the controls of the form with this id; what stands in a template is no control."""

    def __init__(self, form_id: str) -> None:
        super().__init__()
        self.form_id = form_id
        self.fields: list[tuple[str, str]] = []
        self.inside = self.templates = 0
        self.area: str | None = None
        self.text = ""
        self.select: str | None = None
        self.options: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        facts = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.inside = facts.get("id") == self.form_id
        if tag == "template":
            self.templates += 1
        name = facts.get("name", "")
        if not self.inside or self.templates:
            return
        if tag == "input" and name and facts.get("type") not in UNSENT:
            if facts.get("type") not in {"checkbox", "radio"} or "checked" in facts:
                self.fields.append((name, facts.get("value", "on" if facts.get("type") == "checkbox" else "")))
        elif tag == "textarea":
            self.area, self.text = name, ""
        elif tag == "select":
            self.select, self.options = name, []
        elif tag == "option" and self.select is not None:
            self.options.append((facts.get("value", ""), "selected" in facts))

    def handle_data(self, data: str) -> None:
        if self.area is not None:
            self.text += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.inside = False
        elif tag == "template":
            self.templates -= 1
        elif tag == "textarea" and self.area is not None:
            # The first line end after the tag is no part of the text; line ends are sent as two characters.
            text = self.text.removeprefix("\n").replace("\n", "\r\n")
            self.fields.append((self.area, text))
            self.area = None
        elif tag == "select" and self.select is not None:
            chosen = [value for value, is_chosen in self.options if is_chosen] or [
                value for value, _ in self.options[:1]
            ]
            self.fields += [(self.select, value) for value in chosen]
            self.select = None


def form_of(html: str, form_id: str) -> dict[str, list[str]]:
    """The fields of a form as they would be sent without a change."""
    reader = _Reader(form_id)
    reader.feed(html)
    found: dict[str, list[str]] = {}
    for name, value in reader.fields:
        found.setdefault(name, []).append(value)
    return found
