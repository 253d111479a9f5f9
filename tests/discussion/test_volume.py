"""A hundred thousand comments on one question: the first page is read from an index, in the same statements."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from discussion.models import Comment, Kind, State
from discussion.selectors.threads import PER_PAGE
from tests.discussion.conftest import person
from tests.support.bank import NOW

COUNT, REPLIES, BATCH = 100_000, 100, 10_000
STATEMENTS = 4


@pytest.fixture
def crowd(version):
    """Every seventh is held; the newest has as many replies as there may be."""
    people = [person(f"p{n}") for n in range(10)]
    for start in range(0, COUNT, BATCH):
        Comment.objects.bulk_create(
            Comment(
                question=version.question, version=version, author=people[n % 10], text="t", html="<p>t</p>",
                kind=Kind.TIP, state=State.VISIBLE if n % 7 else State.HELD, state_at=NOW, created_at=NOW,
                screened_at=NOW, listed=bool(n % 7), helpful=n % 50,
            )
            for n in range(start, start + BATCH)
        )  # fmt: skip
    newest = Comment.objects.filter(listed=True).latest("pk")
    Comment.objects.bulk_create(
        Comment(
            question=version.question, version=version, author=people[0], text="r", html="<p>r</p>", kind=Kind.REPLY,
            parent=newest, state=State.VISIBLE, state_at=NOW, created_at=NOW, screened_at=NOW,
        )
        for _ in range(REPLIES)
    )  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return version


@pytest.mark.soak
def test_the_first_page_and_a_deep_one_are_read_from_an_index(crowd):
    address = reverse("thread", args=["pmle", crowd.question_id])
    deep = {"newest": f"{int(NOW.timestamp() * 10**6)}-{COUNT // 2}", "helpful": f"25-{COUNT // 2}"}
    for sort, index in (("newest", "comment_newest"), ("helpful", "comment_helpful")):
        for after in ("", deep[sort]):
            with CaptureQueriesContext(
                connection,
            ) as asked:
                page = Client().get(address, {"sort": sort, "after": after})
            assert len(page.context["page"].lines) == PER_PAGE
            assert len(asked) == STATEMENTS
            (listing,) = [each["sql"] for each in asked if f"LIMIT {PER_PAGE + 1}" in each["sql"]]
            with connection.cursor() as cursor:
                cursor.execute(("EXPLAIN " if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN ") + listing)
                plan = " ".join(str(part) for line in cursor.fetchall() for part in line)
            assert index in plan, plan
            assert "Sort" not in plan, plan
            assert "TEMP B-TREE" not in plan, plan
