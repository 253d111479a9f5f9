"""Junk in the editor's form is stored or marked as an error and never causes a server error."""

from __future__ import annotations

import dataclasses
import random

import pytest

from questions.desk import decide as desk
from questions.models import Question
from questions.versions.reads.drafts import draft_of
from tests.support.bank import NOW, draft, make_exam
from tests.support.editing import ADD, EDITORS, JSON, LOOK, address, browser_of, person, sent
from tests.support.html_forms import form_of

pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]
SEEDS = (20261123, 20261127)
ROUNDS = 24  # each round is a request, and hundreds of them found nothing more
JUNK = (
    "", " ", "x", "0", "-1", "1e309", "9" * 400, "²", "½", "٣", "NaN", "\x00", "a\x00b", "\ud800", "\u202e", "🂡" * 50,
    "\r\n\r\n", "[" * 3000, "{clause}", "{", "../../etc", "javascript:alert(1)", "http://[::1", "http://", "//x",
    "https://a..b/", "https://exa mple/", "https://xn--/", "https://" + "a" * 600 + ".example/", "2026-02-30",
    "0000-00-00", "99999-01-01", "<script>", "'; DROP TABLE x; --", "%s%n", "on", "None", "x" * 70_000,
)  # fmt: skip
OF_ROWS = ("options", "sources", "clues")


@pytest.fixture
def question():
    return desk.begin(make_exam(), draft(1), person("alice", EDITORS), NOW)


@pytest.fixture
def editor(question):
    return browser_of(question.authors.get())


def spoil(chance, fields):
    """Return the fields with some filled with junk, dropped, duplicated or renamed to something no form has."""
    names = sorted(fields)
    of_rows = [name for name in names if name.startswith(OF_ROWS)]
    spoilt = dict(fields)
    for _ in range(chance.randint(1, 6)):
        name = chance.choice(of_rows if chance.random() < 0.8 else names)
        what = chance.random()
        if what < 0.6:
            spoilt[name] = chance.choice(JUNK)
        elif what < 0.75:
            spoilt.pop(name, None)
        elif what < 0.9:
            spoilt[name] = [chance.choice(JUNK), chance.choice(JUNK)]
        else:
            row = chance.choice((0, 7, 199, 1000, 99999))
            spoilt[f"{chance.choice(OF_ROWS)}-{row}-{chance.choice(('text', 'url', 'as_of', 'slot', 'ORDER'))}"] = "x"
    return {name: _sendable(value) for name, value in spoilt.items()}


def _sendable(value):
    """Return the value as a browser sends it, with a question mark for what cannot be encoded."""
    if isinstance(value, list):
        return [_sendable(each) for each in value]
    return value.encode("utf-8", "replace").decode()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("page", ["change", "add"])
def test_junk_in_options_and_sources_is_stored_or_marked(question, editor, seed, page):
    chance = random.Random(seed)
    url = address(question) if page == "change" else ADD
    whole = sent(editor, url) | {"title": "Kept as typed"}
    for _ in range(ROUNDS):
        fields = spoil(chance, whole)
        base = {"base": str(Question.objects.get(pk=question.pk).revision)}
        way = chance.choice(("page", "page", "json", "look"))
        if way == "look":
            assert editor.post(LOOK, fields).status_code == 200, fields
            continue
        answer = editor.post(url, fields | base, **(JSON if way == "json" else {}))
        assert answer.status_code in ({200, 302, 409} if way == "page" else {200}), fields
        if way == "page" and answer.status_code == 200:
            typed = form_of(answer.content.decode(), "question-form")
            assert typed["title"] == [title_sent(fields)]


def title_sent(fields):
    """Return the title as typed, which must survive any error elsewhere; of two, Django takes the last."""
    title = fields.get("title", "")
    return title[-1] if isinstance(title, list) else title


def test_marking_an_error_loses_nothing_stored(question, editor):
    before = draft_of(Question.objects.get(pk=question.pk))
    fields = sent(editor, address(question)) | {"sources-0-url": "http://[", "options-0-slot": "99", "trap": "New."}
    page = editor.post(address(question), fields)
    assert page.status_code == 200
    assert page.context["editor"].errors()
    assert draft_of(Question.objects.get(pk=question.pk)) == before
    fields["sources-0-url"], fields["options-0-slot"] = before.sources[0].url, "1"
    editor.post(address(question), fields)
    assert draft_of(Question.objects.get(pk=question.pk)) == dataclasses.replace(before, trap="New.")
