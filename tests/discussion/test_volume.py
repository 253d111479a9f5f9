"""With a hundred thousand comments on a question an index keeps the first page's statements and time the same."""

from __future__ import annotations

import statistics
import time

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from discussion.models import Comment, Kind, State
from discussion.threads.reads import PER_PAGE
from tests.discussion.conftest import person, row
from tests.support.bank import NOW, add_questions

COUNT, FEW, REPLIES, BATCH = 100_000, 100, 100, 10_000
STATEMENTS, STATEMENTS_SIGNED_IN = 4, 11
RUNS, MOST = 25, 3


@pytest.fixture
def crowd(exam, version):
    """Return a question with very many comments, and one with few."""
    quiet = add_questions(exam, 1, domains=("d2",))[0]
    people = [person(f"p{n}") for n in range(10)]
    fill(version, people, COUNT)
    fill(quiet, people, FEW)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return version, quiet


def fill(version, people, count):
    """Store ``count`` comments: every seventh is held, and the newest has the maximum number of replies."""
    for start in range(0, count, BATCH):
        Comment.objects.bulk_create(
            Comment(
                question=version.question, version=version, author=people[n % 10], text="t", html="<p>t</p>",
                kind=Kind.TIP, state=State.VISIBLE if n % 7 else State.HELD, state_at=NOW, created_at=NOW,
                screened_at=NOW, listed=bool(n % 7), helpful=n % 50,
            )
            for n in range(start, min(start + BATCH, count))
        )  # fmt: skip
    newest = Comment.objects.filter(question=version.question, listed=True).latest("pk")
    Comment.objects.bulk_create(
        Comment(
            question=version.question, version=version, author=people[0], text="r", html="<p>r</p>", kind=Kind.REPLY,
            parent=newest, state=State.VISIBLE, state_at=NOW, created_at=NOW, screened_at=NOW,
        )
        for _ in range(REPLIES)
    )  # fmt: skip


def address_of(version) -> str:
    return reverse("thread", args=["pmle", version.question_id])


@pytest.mark.soak
def test_the_first_page_and_a_late_one_are_read_from_an_index(crowd):
    address = address_of(crowd[0])
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


@pytest.mark.soak
def test_the_first_page_takes_hardly_longer_than_with_a_hundred_comments(crowd, client_of, alice):
    row(crowd[0], alice, "Mine, which waits.", state=State.HELD)
    row(crowd[1], alice, "Mine, which waits.", state=State.HELD)
    readers = {"a stranger": (Client(), STATEMENTS), "signed in": (client_of(alice), STATEMENTS_SIGNED_IN)}
    for name, (client, statements) in readers.items():
        for sort in ("newest", "helpful"):
            for version in crowd:
                with CaptureQueriesContext(connection) as asked:
                    page = client.get(address_of(version), {"sort": sort})
                assert len(page.context["page"].lines) == PER_PAGE
                assert len(asked) == statements, (name, [each["sql"] for each in asked])
            many, few = seconds(client, sort, crowd)
            print(f"{name}, {sort}: {many * 1000:.1f} ms of {COUNT} comments, {few * 1000:.1f} ms of {FEW}")
            assert many < MOST * few, (name, sort)


def seconds(client: Client, sort: str, versions) -> list[float]:
    """Return the median time of the first page of each, requested in turns, so that both meet the same load."""
    taken = [[], []]
    for _ in range(RUNS):
        for times, version in zip(taken, versions, strict=True):
            start = time.perf_counter()
            client.get(address_of(version), {"sort": sort})
            times.append(time.perf_counter() - start)
    return [statistics.median(times) for times in taken]
