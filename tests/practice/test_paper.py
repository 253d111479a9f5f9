"""A session on paper is printed without its key, its answers are typed in, and the server's clock decides."""

import json

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from courseiva.common.masks import places_from_mask
from practice.models import LateAnswer, PracticeSession, SessionItem
from practice.sessions.ending.finish import finish
from practice.sessions.models import GRACE, Mode
from practice.sessions.player.check import check
from practice.sessions.player.paper.reads import booklet_of, typed_sheet
from practice.sessions.player.paper.rules import BadLetter, read_letters
from practice.sessions.player.save import claim, pause, save
from practice.start.forms import MockForm
from questions.models import Pool
from tests.support.bank import CANARY, NOW, add_questions, make_exam
from tests.support.hooks import parsed
from tests.support.sessions import (
    batch,
    begin_drill,
    begin_mock,
    guest,
    guest_client,
    right_places,
    seconds,
    state,
)

pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]
SAME_SITE = {"HTTP_SEC_FETCH_SITE": "same-origin"}


@pytest.fixture
def exam():
    exam = make_exam()
    add_questions(exam, 3)
    add_questions(exam, 3, kind="multiple")
    return exam


@pytest.fixture
def mock(alice, exam):
    return begin_mock(alice.owner, exam)


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(seconds(60), tick=False) as traveller:
        yield traveller


def address(session):
    return reverse("sheet", args=[session.uuid])


def drawn(client, session):
    """Return the hidden fields of the page."""
    page = parsed(client.get(address(session)))
    return {name: page.select_one(f"#answers [name={name}]")["value"] for name in ("writer", "base")}


def typed(client, session, rows, **more):
    """Post these rows with the hidden fields of a page just loaded; ``more`` may override them."""
    fields = drawn(client, session) | {f"t-{n}": text for n, text in rows.items()} | more
    return client.post(address(session), fields, **SAME_SITE)


def held(session):
    """Return the chosen places on the server, by position."""
    rows = session.items.order_by("position").values_list("position", "selected", "option_order")
    return {n: places_from_mask(mask, order) for n, mask, order in rows if mask}


def rows_of(response):
    return {int(row["data-row"]): row for row in parsed(response).select("[data-row]")}


@pytest.mark.parametrize(
    ("text", "places"),
    [("", ()), ("b", (1,)), ("BD", (1, 3)), ("d, b", (1, 3)), (" A ", (0,)), ("a+c & d", (0, 2, 3)), ("bbb", (1,))],
)
def test_letters_are_read_in_any_format(text, places):
    assert read_letters(text, "ABCD") == places


@pytest.mark.parametrize(("text", "letter"), [("E", "E"), ("aX", "X"), ("1", "1"), ("ß", "S"), ("b?", "?")])
def test_letters_without_an_option_are_reported(text, letter):
    with pytest.raises(BadLetter) as refused:
        read_letters(text, "ABCD")
    assert refused.value.letter == letter


class TestTheBooklet:
    def test_the_booklet_of_a_running_mock_has_the_sheet_and_every_question_but_no_key(
        self, alice, mock, django_assert_max_num_queries
    ):
        page = parsed(alice.get(reverse("booklet", args=[mock.uuid])))
        assert len(page.select(".paper-row")) == len(page.select(".booklet .question")) == 10
        assert not page.select(".booklet-key")
        assert CANARY not in page.text
        with django_assert_max_num_queries(2) as asked:
            booklet_of(mock)
        assert not any("solution" in query["sql"].lower() for query in asked.captured_queries)

    def test_the_booklet_has_the_sessions_letters_and_marks_multiple_choice(self, alice, mock):
        page = parsed(alice.get(reverse("booklet", args=[mock.uuid])))
        for item in mock.items.select_related("version"):
            row = page.select(".paper-row")[item.position - 1]
            assert row["data-choose"] == str(item.version.choose)
            assert bool(row.select_one(".paper-choose").text) == (item.version.choose > 1)
            bubbles = [bubble.text for bubble in row.select(".bubble")]
            assert bubbles == list("ABCDEF")[: len(item.option_order)]
            assert len(bubbles) + len(row.select(".paper-gap")) == 6

    def test_the_booklet_says_when_time_is_up_and_where_to_type_answers(self, alice, mock):
        page = parsed(alice.get(reverse("booklet", args=[mock.uuid])))
        assert page.select_one("[data-state=running] time")["datetime"].startswith(f"{mock.deadline:%Y-%m-%dT%H:%M}")
        assert address(mock) in page.select_one(".paper-sheet").text

    def test_the_booklet_has_its_key_once_the_mock_is_submitted(self, alice, mock):
        finish(mock.uuid, alice.owner, seconds(120))
        assert parsed(alice.get(reverse("booklet", args=[mock.uuid]))).select(".booklet-key li")

    def test_a_session_that_hides_its_questions_has_no_booklet(self, alice, exam):
        paused = begin_mock(alice.owner, exam, pausable=True)
        pause(paused.uuid, alice.owner, seconds(30))
        check_session = begin_drill(alice.owner, exam)
        PracticeSession.objects.filter(pk=check_session.pk).update(mode=Mode.CHECK)
        for session in (paused, check_session):
            for name in ("booklet", "sheet"):
                response = alice.get(reverse(name, args=[session.uuid]))
                assert (response.status_code, response.url) == (302, session.get_absolute_url())

    def test_only_its_owner_can_open_the_booklet(self, mock):
        stranger = guest_client(guest()[1])
        for name in ("booklet", "sheet"):
            assert stranger.get(reverse(name, args=[mock.uuid])).status_code == 404
        assert stranger.post(address(mock), {"t-1": "A"}, **SAME_SITE).status_code == 404


class TestStarting:
    def test_a_mock_on_paper_leads_to_its_booklet_on_the_same_clock(self, exam):
        fields = {"blueprint": "june-2026", "count": "10", "time_factor": "1", "conditions": "exam"}
        clients = Client(), Client()
        ways = [
            client.post(reverse("mock", args=["pmle"]), fields | more, **SAME_SITE).url
            for client, more in zip(clients, ({}, {"medium": "paper"}), strict=True)
        ]
        screen, paper = PracticeSession.objects.order_by("pk")
        assert ways == [screen.get_absolute_url(), reverse("booklet", args=[paper.uuid])]
        assert screen.deadline == paper.deadline
        assert clients[1].get(ways[1]).status_code == 200

    def test_the_start_page_offers_paper_and_screen_with_screen_preselected(self, alice, exam):
        page = parsed(alice.get(reverse("mock", args=["pmle"])))
        chosen = {field["value"]: field.has_attr("checked") for field in page.select("[name=medium]")}
        assert chosen == {"screen": True, "paper": False}
        assert set(dict(MockForm.base_fields["medium"].choices)) == set(chosen)

    def test_a_drill_can_be_started_on_paper(self, alice, exam):
        response = alice.post(reverse("drill", args=["pmle"]), {"size": "3", "paper": "1"}, **SAME_SITE)
        assert response.url == reverse("booklet", args=[PracticeSession.objects.get().uuid])

    def test_a_running_mock_leads_to_its_booklet_and_its_sheet(self, alice, mock):
        page = parsed(alice.get(reverse("mock", args=["pmle"])))
        links = {link["href"] for link in page.select("[data-paper] a")}
        assert links == {reverse("booklet", args=[mock.uuid]), address(mock)}


class TestTyping:
    def test_every_row_that_can_be_read_is_saved(self, alice, mock):
        response = typed(alice, mock, {1: "b", 2: "A, C", 3: ""})
        assert (response.status_code, response.url) == (302, address(mock))
        assert held(mock) == {1: [1], 2: [0, 2]}
        assert rows_of(alice.get(address(mock)))[2].input["value"] == "A C"

    def test_an_unreadable_row_is_reported_and_shown_as_typed(self, alice, mock):
        response = typed(alice, mock, {1: "b", 2: "aX", 3: "c"}, finish="1")
        assert response.status_code == 400
        row = rows_of(response)[2]
        assert (row["data-state"], row.input["value"], row.input["aria-invalid"]) == ("wrong", "aX", "true")
        assert parsed(response).select_one("[role=alert][data-code=no-such-letter] a")["href"] == f"#{row.input['id']}"
        assert held(mock) == {1: [1], 3: [2]}
        page = parsed(response)
        again = {name: page.select_one(f"#answers [name={name}]")["value"] for name in ("writer", "base")}
        rows = {row.input["name"]: row.input["value"] for row in rows_of(response).values()}
        response = alice.post(address(mock), again | rows | {"t-2": "a", "finish": "1"}, **SAME_SITE)
        assert response.url == reverse("finish", args=[mock.uuid])
        assert held(mock) == {1: [1], 2: [0], 3: [2]}

    def test_too_few_or_too_many_letters_are_stored_as_typed_and_reported(self, alice, mock):
        several = mock.items.filter(version__choose=2).first().position
        one = mock.items.filter(version__choose=1).first().position
        typed(alice, mock, {several: "A", one: "AB"})
        rows = rows_of(alice.get(address(mock)))
        assert (rows[several]["data-state"], rows[one]["data-state"]) == ("incomplete", "too-many")
        assert held(mock) == {several: [0], one: [0, 1]}

    def test_an_emptied_row_is_unanswered_again(self, alice, mock):
        typed(alice, mock, {1: "b"})
        typed(alice, mock, {1: ""})
        assert held(mock) == {}

    def test_a_row_the_page_did_not_change_stays_as_another_page_saved_it(self, alice, mock):
        page = drawn(alice, mock)
        writer = claim(mock.uuid, alice.owner, seconds(60)).writer
        save(mock.uuid, alice.owner, batch(writer, state(1, 1, 2)), seconds(60))
        response = typed(alice, mock, {1: "", 2: "b"}, base=page["base"])
        assert response.status_code == 302
        assert held(mock) == {1: [2], 2: [1]}

    def test_the_sheet_keeps_flags_strike_outs_and_time_from_the_player(self, alice, mock):
        writer = claim(mock.uuid, alice.owner, seconds(60)).writer
        shown = state(1, 1, 2, flagged=True, struck=(0,), seconds=40)
        save(mock.uuid, alice.owner, batch(writer, shown), seconds(60))
        row = rows_of(alice.get(address(mock)))[1]
        assert json.loads(row["data-known"]) == {"out": [0], "flag": True, "conf": None, "sec": 40}
        typed(alice, mock, {1: "b"})
        item = mock.items.get(position=1)
        assert (item.flagged, bool(item.struck), item.seconds) == (True, True, 40)
        assert held(mock) == {1: [1]}

    def test_an_older_page_must_confirm_before_it_takes_over(self, alice, mock):
        page = drawn(alice, mock)
        claim(mock.uuid, alice.owner, seconds(60))
        response = typed(alice, mock, {1: "b"}, **page)
        assert response.status_code == 409
        form = parsed(response).select_one("form[action]:has([name=take_over])")
        assert form["action"] == address(mock)
        fields = {field["name"]: field["value"] for field in form.select("input")}
        assert alice.post(form["action"], fields, **SAME_SITE).status_code == 302
        assert held(mock) == {1: [1]}

    def test_a_checked_row_of_a_drill_cannot_be_changed(self, alice, exam):
        drill = begin_drill(alice.owner, exam, size=3)
        first = right_places(drill, 1)
        check(drill.uuid, alice.owner, state(1, 1, *first), None, seconds(60))
        row = rows_of(alice.get(address(drill)))[1]
        assert (row["data-state"], row.input.has_attr("disabled")) == ("closed", True)
        assert typed(alice, drill, {1: "D" if first != (3,) else "A", 2: "b"}).status_code == 302
        assert held(drill) == {1: list(first), 2: [1]}

    def test_the_sheets_questions_are_read_in_one_statement_without_solutions(self, mock, django_assert_num_queries):
        with django_assert_num_queries(1) as asked:
            typed_sheet(mock, seconds(60))
        assert "solution" not in asked.captured_queries[0]["sql"].lower()

    def test_a_forged_sheet_is_refused(self, alice, mock):
        alice.handler.enforce_csrf_checks = True
        assert alice.post(address(mock), {"t-1": "A"}, HTTP_SEC_FETCH_SITE="cross-site").status_code == 403


class TestTheClock:
    def test_answers_typed_after_time_are_kept_as_late_and_change_no_score(self, alice, mock, clock):
        page = drawn(alice, mock)
        clock.move_to(mock.deadline + GRACE * 2)
        response = typed_late(alice, mock, page)
        assert response.url == reverse("results", args=[mock.uuid])
        mock.refresh_from_db()
        assert (mock.score, held(mock)) == (0, {})
        assert LateAnswer.objects.filter(session=mock).count() == 2
        assert alice.get(address(mock)).status_code == 302

    def test_answers_typed_in_at_the_end_are_first_exposures_whose_solutions_open(self, alice, exam, clock):
        add_questions(exam, 3, pool=Pool.RESERVED)
        mock = begin_mock(alice.owner, exam)
        clock.move_to(mock.started_at + (mock.deadline - mock.started_at) * 0.9)
        typed(alice, mock, dict.fromkeys(range(1, 10), "A"))
        finish(mock.uuid, alice.owner, mock.deadline)
        items = SessionItem.objects.filter(session=mock)
        assert not items.filter(withheld=True).exists()
        assert items.filter(first_exposure=True).count() == 9

    def test_printing_typing_one_letter_and_submitting_opens_no_reserved_solution(self, alice, exam):
        add_questions(exam, 3, pool=Pool.RESERVED)
        mock = begin_mock(alice.owner, exam, now=NOW)
        typed(alice, mock, {1: "A"})
        finish(mock.uuid, alice.owner, seconds(3000))
        assert mock.items.filter(withheld=True, version__pool=Pool.RESERVED).count() >= 7


def typed_late(client, session, page):
    return client.post(address(session), page | {"t-1": "B", "t-2": "A"}, **SAME_SITE)
