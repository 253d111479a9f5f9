"""Each marked question links to its discussion: in the results, on its own page, and in a drill."""

import pytest
from bs4 import BeautifulSoup
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from discussion.models import Comment
from practice.learners.reads.identity import Owner
from practice.models import PracticeSession
from practice.sessions.ending.finish import finish
from practice.sessions.player import save as saving
from tests.discussion.conftest import person, row
from tests.support.bank import add_questions, make_exam
from tests.support.sessions import begin_drill, begin_mock, guest, guest_client, read_through

IN_PLACE = {"HX-Request": "true"}
OPEN = ".breakdown .thread a[data-hx-get]"


@pytest.fixture
def exam(db):
    exam = make_exam()
    add_questions(exam, 2)
    add_questions(exam, 2, pool="reserved")
    return exam


@pytest.fixture
def learner() -> tuple[Owner, Client]:
    owner, token = guest()
    return owner, guest_client(token, headers={"sec-fetch-site": "same-origin"})


@pytest.fixture
def sat(exam, learner) -> PracticeSession:
    """Return a finished mock, each of whose questions has a comment."""
    session = begin_mock(learner[0], exam, count=16, now=timezone.now())
    for item in session.items.select_related("version__question"):
        row(item.version, person(f"p{item.position}"), f"Remark on question {item.version.question_id}.")
    finish(session.uuid, learner[0], read_through(session, learner[0], timezone.now()))
    return session


def page(client: Client, address: str, **headers: str) -> BeautifulSoup:
    response = client.get(address, headers=headers)
    assert response.status_code == 200, address
    return BeautifulSoup(response.content, "html.parser")


def test_every_row_of_the_results_opens_a_breakdown_that_loads_its_thread(sat, learner):
    client = learner[1]
    opened = page(client, reverse("results", args=[sat.uuid])).select(".result[data-hx-get]")
    assert len(opened) == sat.items.count()
    pools = set()
    for place, item in zip(opened, sat.items.select_related("version__question").order_by("position"), strict=True):
        (link,) = page(client, place["data-hx-get"], **IN_PLACE).select(OPEN)
        thread = page(client, link["data-hx-get"], **IN_PLACE)
        assert f"Remark on question {item.version.question_id}." in thread.get_text()
        assert thread.select_one(link["data-hx-target"]), "it takes the place of the link"
        pools.add(item.version.pool)
    assert pools == {"open", "reserved"}


def test_the_page_of_one_question_links_to_its_thread_with_and_without_script(sat, learner):
    for item in sat.items.select_related("version"):
        found = page(learner[1], reverse("breakdown", args=[sat.uuid, item.position]))
        (link,) = found.select(OPEN)
        assert link["href"] == link["data-hx-get"]
        assert f"Remark on question {item.version.question_id}." in page(learner[1], link["href"]).get_text()
        assert found.select('script[src*="htmx"]'), "what loads it in place"


def test_only_a_question_marked_in_a_drill_links_to_its_thread(exam, learner):
    owner, client = learner
    session = begin_drill(owner, exam, timezone.now(), size=5)
    writer = saving.claim(session.uuid, owner, timezone.now()).writer
    sent = {"writer": writer, "items": [{"p": 1, "seq": 1, "sel": [0]}]}
    response = client.post(reverse("check", args=[session.uuid]), sent, content_type="application/json")
    (link,) = BeautifulSoup(response.content, "html.parser").select(OPEN)
    assert Comment.objects.count() == 0
    assert page(client, link["href"]).select("p.empty")
    drill = page(client, reverse("session", args=[session.uuid]))
    assert [each["href"] for each in drill.select(OPEN)] == [link["href"]]


def test_a_running_mock_links_to_no_thread(exam, learner):
    owner, client = learner
    session = begin_mock(owner, exam, count=16, now=timezone.now())
    text = client.get(reverse("session", args=[session.uuid])).content.decode()
    threads = [reverse("thread", args=[exam.slug, item.version.question_id]) for item in
               session.items.select_related("version")]  # fmt: skip
    assert [address for address in threads if address in text] == []
    assert {client.get(address).status_code for address in threads} == {403, 404}
