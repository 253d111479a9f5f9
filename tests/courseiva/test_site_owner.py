"""The site's name, logo and legal notice are the operator's, on pages, in mails and in metadata."""

from __future__ import annotations

import ast
import datetime as dt
import re
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from courseiva.pages.views import articles
from courseiva.serving.rules.environment import SettingError
from courseiva.serving.rules.owner import Mark, Notice, read_legal_notice, read_mark, read_notebooks, read_site_name
from tests.support.subprocesses import BASE, run_python

NAME = "Ålborg Academy"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'
DRAWN = 'og:image:alt" content="Courseiva'
"""Part of the tag for a preview picture that shows our name, which a renamed site leaves out."""


def test_no_template_names_the_site() -> None:
    lines = [
        f"{path.relative_to(BASE)}: {line.strip()}"
        for path in sorted((BASE / "templates").rglob("*.*"))
        for line in path.read_text().splitlines()
        if "Courseiva" in line and DRAWN not in line
    ]
    assert lines == []


def test_code_names_the_site_only_where_it_names_the_software() -> None:
    named = []
    for app in ("courseiva", "questions", "practice", "discussion"):
        for path in (BASE / app).rglob("*.py"):
            if "Courseiva" in (code := path.read_text()):
                nodes = list(ast.walk(ast.parse(code)))
                told = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}  # docstrings
                said = [node for node in nodes if isinstance(node, ast.Constant) and id(node) not in told]
                named += [f"{path.relative_to(BASE)}: {node.value}" for node in said if "Courseiva" in str(node.value)]
    assert sorted(named) == [
        "courseiva/common/heads/structured_data.py: Courseiva",
        "courseiva/serving/rules/owner.py: Courseiva",
        "practice/readiness/plan/feed/rules.py: -//Courseiva//Plan//EN",
        "questions/versions/material/sources/look.py: CourseivaSourceCheck",
    ]


@pytest.mark.parametrize(
    ("given", "name"), [("", "Courseiva"), (" Alice's Place ", "Alice\u2019s Place"), (NAME, NAME)]
)
def test_a_valid_site_name_is_read(given: str, name: str) -> None:
    assert read_site_name({"SITE_NAME": given}) == name


@pytest.mark.parametrize("given", ["<b>", "A & B", 'say "so"', "x" * 41, "two\nlines", "{{ x }}"])
def test_a_name_that_would_have_to_be_escaped_is_refused(given: str) -> None:
    with pytest.raises(SettingError, match="^SITE_NAME "):
        read_site_name({"SITE_NAME": given})


@pytest.mark.parametrize(
    "given", ["https://github.com/a/b", "a/b", "a/b/tree/main/fixtures", 'a/b/blob/"x', "a/b/blob/x y"]
)
def test_a_folder_of_notebooks_that_colab_cannot_open_is_refused(given: str) -> None:
    with pytest.raises(SettingError, match="^NOTEBOOKS "):
        read_notebooks({"NOTEBOOKS": given})


def test_slashes_around_the_folder_of_notebooks_are_dropped() -> None:
    assert read_notebooks({"NOTEBOOKS": "/acme/bank/blob/main/fixtures/"}) == "acme/bank/blob/main/fixtures"


def test_a_logo_or_notice_that_is_missing_too_large_or_of_another_kind_is_refused(tmp_path: Path) -> None:
    large, empty, other = tmp_path / "large.svg", tmp_path / "empty.md", tmp_path / "mark.gif"
    large.write_bytes(b"x" * 64_001)
    empty.write_text(" \n")
    other.write_bytes(b"GIF89a")
    for path in (large, other, tmp_path / "none.png"):
        with pytest.raises(SettingError, match="^SITE_MARK "):
            read_mark({"SITE_MARK": str(path)})
    other.write_text("# Who\n\n## Where #1")
    found = read_legal_notice({"LEGAL_NOTICE": str(other)})
    assert found is not None
    assert found.text == "## Who\n\n## Where #1", "a page has one first heading"
    for path in (empty, tmp_path / "none.md"):
        with pytest.raises(SettingError, match="^LEGAL_NOTICE "):
            read_legal_notice({"LEGAL_NOTICE": str(path)})


@pytest.fixture
def renamed(settings: Any) -> Client:
    settings.SITE_NAME = NAME
    settings.SITE_MARK = Mark(SVG, "image/svg+xml")
    return Client()


@pytest.mark.django_db
def test_pages_have_the_operators_name_and_logo_and_no_picture_with_ours(renamed: Client) -> None:
    for path in ("/", "/accounts/login/", "/no/such/page"):
        text = renamed.get(path).text
        assert f'<span class="brand-name">{NAME}</span>' in text
        assert re.search(rf"<title>[^<]*{NAME}[^<]*</title>", text)
        assert f'<meta property="og:site_name" content="{NAME}">' in text
        assert "og:image" not in text
        (version,) = set(re.findall(r'/mark\?(\w+)"', text))
        assert version == Mark(SVG, "").version
    links = re.sub(r"<[^>]*>", " ", renamed.get("/").text)
    assert links.count("Courseiva") == 1, "the credit that the licence of the questions wants"


@pytest.mark.django_db
def test_feeds_and_metadata_have_the_sites_name(renamed: Client) -> None:
    told = renamed.get("/site.webmanifest")
    assert told.headers["Content-Type"] == "application/manifest+json"
    assert (told.json()["name"], told.json()["short_name"]) == (NAME, NAME)
    assert [icon["type"] for icon in told.json()["icons"]] == ["image/svg+xml"]
    assert NAME in renamed.get("/errata/feed.atom").text
    assert renamed.get("/errata/errata.json").json()["title"].startswith(NAME)


def test_the_logo_is_served_unchanged_and_cached(renamed: Client, settings: Any) -> None:
    answer = renamed.get("/mark")
    assert (answer.content, answer.headers["Content-Type"]) == (SVG, "image/svg+xml")
    assert "immutable" in answer.headers["Cache-Control"]
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"], "whatever the picture contains"
    settings.SITE_MARK = None
    assert renamed.get("/mark").status_code == 404


@pytest.mark.django_db
def test_mails_have_the_operators_name_and_never_ours(renamed: Client) -> None:
    renamed.post(reverse("account_reset_password"), {"email": "nobody@example.org"})
    renamed.post(reverse("account_signup"), {"email": "alice@example.org", "password1": "three plain words"})
    assert len(mail.outbox) == 2
    for message in mail.outbox:
        assert NAME in message.subject
        assert NAME in message.body
        assert "Courseiva" not in message.subject + str(message.body)


@pytest.mark.django_db
def test_a_legal_notice_has_a_page_that_every_footer_links(
    client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client.get("/articles/legal-notice/").status_code == 404
    assert "/articles/legal-notice/" not in client.get("/no/such/page").text
    settings.LEGAL_NOTICE = Notice("Run by **Alice**.<script>x</script>", dt.date(2026, 11, 1))
    (article,) = articles.legal_notice(settings.LEGAL_NOTICE)
    monkeypatch.setitem(articles.BY_SLUG, article.slug, article)
    text = client.get("/articles/legal-notice/").text
    assert "<strong>Alice</strong>" in text
    assert "<script>x" not in text
    assert 'datetime="2026-11-01"' in text
    assert '<a href="/articles/legal-notice/">' in client.get("/no/such/page").text


SHOW = """
import django, sys
django.setup()
from django.conf import settings
from courseiva.pages.views.articles import ARTICLES
print(settings.SITE_NAME, settings.DEFAULT_FROM_EMAIL, settings.MFA_TOTP_ISSUER, settings.SITE_MARK.kind, sep="|")
print([article.slug for article in ARTICLES if article.slug == "legal-notice" or settings.SITE_NAME in article.title])
"""


@pytest.mark.long("many processes")
def test_a_process_takes_name_logo_and_notice_from_its_environment(tmp_path: Path) -> None:
    mark, notice = tmp_path / "m.svg", tmp_path / "legal.md"
    mark.write_bytes(SVG)
    notice.write_text("Run by Alice.")
    given = {"SITE_NAME": NAME, "SITE_MARK": str(mark), "LEGAL_NOTICE": str(notice)}
    done = run_python("-c", SHOW, DEBUG="1", DJANGO_SETTINGS_MODULE="courseiva.settings", **given)
    assert done.stdout.splitlines() == [
        f"{NAME}|{NAME} <no-reply@courseiva.example>|{NAME}|image/svg+xml",
        "['about', 'legal-notice']",
    ], done.stderr
