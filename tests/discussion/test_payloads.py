"""Whatever people try to run in a comment stays text that everyone can read; tests/soak tests it in a browser."""

import hashlib
import re

import pytest
from bs4 import BeautifulSoup

from discussion.comments.rules import markup
from tests.discussion.payloads import OPTION, PAYLOADS, PUBLISHED, PUBLISHED_AT, letters, published_files, readable

TAGS = {"p", "a", "em", "strong", "code", "pre", "ul", "ol", "li", "blockquote", "br", "span", "h1", "h2", "h3"}


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_payload_is_shown_whole_and_creates_no_element_that_could_run(payload):
    shown = BeautifulSoup(markup.render(payload, {1: OPTION}), "html.parser")
    assert letters(shown.get_text()) == readable(payload)
    assert {tag.name for tag in shown.find_all(True)} <= TAGS
    assert {name for tag in shown.find_all(True) for name in tag.attrs} <= {"href", "rel", "class"}


def test_the_published_list_is_unchanged():
    told = re.search(r"`([0-9a-f]{64})`", (PUBLISHED_AT.parent / "README.md").read_text())
    assert told
    assert hashlib.sha256(b"".join(file.read_bytes() for file in published_files())).hexdigest() == told[1]
    assert len(PUBLISHED) == 20
    assert "Apache License" in (PUBLISHED_AT / "LICENSE").read_text()
