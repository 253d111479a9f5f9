"""The admin uses the site's paper, ink and type: every variable of Django's stylesheet is set from a token."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from tests.support.hooks import parsed
from tests.test_contrast import TOKENS

STATIC = TOKENS.parent
SHEET = re.sub(r"/\*.*?\*/", "", (STATIC / "admin.css").read_text(), flags=re.DOTALL)
TOKEN_NAMES = set(re.findall(r"--([\w-]+):", TOKENS.read_text()))
MAPPED = dict(re.findall(r"--([\w-]+):\s*([^;]+);", SHEET.split("}", 1)[0]))


def of_django() -> set[str]:
    """Return the variables that Django's admin defines."""
    path = finders.find("admin/css/base.css")
    assert isinstance(path, str)
    return set(re.findall(r"^\s+--([\w-]+):", Path(path).read_text(), flags=re.MULTILINE))


def test_each_variable_of_django_is_set_from_a_token() -> None:
    assert of_django() - {"accent"} == set(MAPPED)
    assert {value for value in MAPPED.values() if not re.fullmatch(r"var\(--[\w-]+\)", value)} == set()
    assert {value[6:-1] for value in MAPPED.values()} <= TOKEN_NAMES


def test_the_accent_colour_in_light_mode_is_our_token() -> None:
    """It is set twice, because Django has a colour of its own by that name."""
    chosen = re.search(r'html\[data-theme="light"\] \{ --accent: ([^;]+);', SHEET)
    token = re.search(r"--accent: ([^;]+);", TOKENS.read_text())
    assert chosen
    assert token
    assert chosen[1] == token[1]


def test_no_colour_is_hard_coded_and_no_text_is_small() -> None:
    assert not re.findall(r"#[0-9a-f]{3,8}\b|\brgba?\(|\bhsl", SHEET)
    assert len(re.findall(r"oklch\(", SHEET)) == 1
    assert min(float(size) for size in re.findall(r"font(?:-size)?:[^;]*?([\d.]+)rem", SHEET)) >= 0.8125


@pytest.mark.django_db
def test_our_tokens_are_loaded_after_djangos_colours_and_before_the_admins_styles(admin_client: Client) -> None:
    links = [link["href"] for link in parsed(admin_client.get(reverse("admin:index"))).select("link[rel=stylesheet]")]
    names = [re.sub(r"(\.[0-9a-f]{12})?\.css$", "", link.rsplit("/", 1)[1]) for link in links]
    assert names[:4] == ["base", "dark_mode", "tokens", "admin"]
