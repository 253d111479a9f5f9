"""Reads from a page what a browser would send for its forms."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

BUTTONS = {"submit", "button", "image", "reset"}


@dataclass
class Form:
    """A form on a page: its target, what it would send unchanged, and its buttons that have a name."""

    id: str
    action: str
    method: str
    fields: dict[str, list[str]] = field(default_factory=dict)
    buttons: dict[str, list[str]] = field(default_factory=dict)


class _Reader(HTMLParser):
    """Collects the forms and their controls; the content of a template is not a control."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.form: Form | None = None
        self.templates = 0
        self.area: str | None = None
        self.text = ""
        self.select: str | None = None
        self.options: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        facts = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.form = Form(facts.get("id", ""), facts.get("action", ""), facts.get("method", "get").lower())
            self.forms.append(self.form)
        if tag == "template":
            self.templates += 1
        name = facts.get("name", "")
        if self.form is None or self.templates:
            return
        if tag == "textarea":
            self.area, self.text = name, ""
        elif tag == "select":
            self.select, self.options = name, []
        elif tag == "option" and self.select is not None:
            self.options.append((facts.get("value", ""), "selected" in facts))
        elif tag in {"input", "button"} and name:
            self._control(self.form, name, facts.get("type", "submit" if tag == "button" else "text"), facts)

    def _control(self, form: Form, name: str, kind: str, facts: dict[str, str]) -> None:
        if kind in BUTTONS:
            form.buttons.setdefault(name, []).append(facts.get("value", ""))
        elif kind not in {"checkbox", "radio"} or "checked" in facts:
            self._add(name, facts.get("value", "on" if kind == "checkbox" else ""))
        else:
            form.fields.setdefault(name, [])

    def _add(self, name: str, *values: str) -> None:
        assert self.form
        self.form.fields.setdefault(name, []).extend(values)

    def handle_data(self, data: str) -> None:
        if self.area is not None:
            self.text += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.form = None
        elif tag == "template":
            self.templates -= 1
        elif tag == "textarea" and self.area is not None:
            # The first newline after the tag isn't part of the text; newlines are sent as two characters.
            self._add(self.area, self.text.removeprefix("\n").replace("\n", "\r\n"))
            self.area = None
        elif tag == "select" and self.select is not None:
            chosen = [value for value, is_chosen in self.options if is_chosen]
            self._add(self.select, *(chosen or [value for value, _ in self.options[:1]]))
            self.select = None


def forms_of(html: str) -> list[Form]:
    """Return a page's forms, in page order. A field that would send nothing has no values."""
    reader = _Reader()
    reader.feed(html)
    return reader.forms


def form_of(html: str, form_id: str) -> dict[str, list[str]]:
    """Return a form's fields as they would be sent unchanged."""
    fields = {name: values for form in forms_of(html) if form.id == form_id for name, values in form.fields.items()}
    return {name: values for name, values in fields.items() if values}
