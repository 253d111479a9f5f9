"""Reads from pages and forms what doesn't depend on their wording: states, codes, elements."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bs4 import BeautifulSoup
from django.http import HttpResponse

if TYPE_CHECKING:
    from django.forms import BaseForm


def text_of(page: HttpResponse | str) -> str:
    return page if isinstance(page, str) else page.content.decode()


def parsed(page: HttpResponse | str) -> BeautifulSoup:
    return BeautifulSoup(text_of(page), "html.parser")


def values(page: HttpResponse | str, attribute: str) -> list[str]:
    """Return the values of this attribute on a page, in order."""
    return re.findall(rf'\s{attribute}="([^"]*)"', text_of(page))


def states(page: HttpResponse | str) -> list[str]:
    """Return the states the page is drawn in."""
    return values(page, "data-state")


def messages(page: HttpResponse | str) -> list[str]:
    """Return the messages the site shows after a step."""
    return values(page, "data-message")


def codes(form: BaseForm) -> dict[str, list[str | None]]:
    """Return the codes of a form's errors by field; those of the form as a whole are under ``__all__``."""
    return {name: [error.code for error in errors] for name, errors in form.errors.as_data().items()}


def told(page: HttpResponse) -> list[str]:
    """Return the subjects of the messages above a page: their ``extra_tags``."""
    return [message.extra_tags for message in page.context["messages"]]


def figures(text: str) -> list[int]:
    """Return the whole numbers in a text, in order, however it is worded."""
    return [int(number) for number in re.findall(r"(?<![\w.])\d+(?![\w.]*\w)", text)]
