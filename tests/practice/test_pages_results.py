"""Check the results page with its score, filters and export, and the page of one question."""

import csv
import datetime as dt
import io
import re

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from courseiva.accounts.models import User
from practice.learners.reads.identity import Owner
from practice.models import Mode, SessionItem
from practice.notebook.reads.items import item_page
from practice.sessions.ending.finish import finish
from practice.sessions.player.check import check
from practice.sessions.player.save import claim, save
from practice.sessions.results.reads.results import SHOWN, UNANSWERED, WORDS, result_rows, results_page
from practice.sessions.results.views.results import plain_cell
from questions.models import QuestionVersion
from tests.support.bank import CANARY, NOW, add_questions, make_exam
from tests.support.hooks import figures, parsed, states
from tests.support.sessions import batch, begin_drill, begin_mock, guest, guest_client, right_places, seconds, state

pytestmark = pytest.mark.django_db


@pytest.fixture
def exam():
    exam = make_exam()
    add_questions(exam, 4)
    return exam


def sit(owner, exam, count=10, right=7, answered=9, now=NOW, late=0):
    """Return a finished mock whose first ``right`` answers are right, the rest wrong or unanswered."""
    session = begin_mock(owner, exam, count, now)
    writer = claim(session.uuid, owner, now).writer
    states = []
    for position in range(1, answered + 1):
        places = right_places(session, position)
        states.append(state(position, 1, *(places if position <= right else [(places[0] + 1) % 4]), seconds=60))
    save(session.uuid, owner, batch(writer, *states), now)
    finished = finish(session.uuid, owner, now + dt.timedelta(minutes=10))
    for position in range(answered + 1, answered + 1 + late):
        late_state = state(position, 2, *right_places(session, position))
        save(session.uuid, owner, batch(writer, late_state), now + dt.timedelta(minutes=11))
    return finished


def html(client, name, *args, query=""):
    response = client.get(reverse(name, args=args) + query)
    assert response.status_code == 200
    return response.content.decode()


def test_the_score_is_shown_with_its_total_and_one_sentence(alice, exam):
    session = sit(alice.owner, exam)
    page = results_page(session)
    assert (page.session.score, page.percent, page.passed, page.missed) == (7, 70, True, [8, 9, 10])
    text = html(alice, "results", session.uuid)
    assert "7 of 10, 70%" in text
    evidence = parsed(text).select_one(".figure-evidence").text
    assert figures(evidence)[1:3] == [page.outlook.low, page.outlook.high]
    assert figures(evidence)[-1] == page.pass_mark
    assert figures(parsed(text).select_one('a.btn[href*="show=through"]').text) == [3]


def test_a_percentage_that_only_rounds_up_to_the_pass_mark_is_below_it(alice, exam):
    page = results_page(sit(alice.owner, exam))
    page.session.score, page.session.total = 139, 199
    assert round(100 * 139 / 199) == 70
    assert not page.passed


def test_a_domain_of_fewer_than_three_answers_has_no_share(alice, exam):
    page = results_page(session := sit(alice.owner, exam, count=15))
    assert {domain.answered for domain in page.domains} >= {2, 3}
    rows = parsed(html(alice, "results", session.uuid)).select("tr:has([data-score])")
    assert len(rows) == len(page.domains)
    for domain, row in zip(page.domains, rows, strict=True):
        few = domain.answered < 3
        assert (domain.percent is None, row.select_one("[data-score]")["data-score"] == "few") == (few, few)
        assert (bool(row.select("svg")), "%" in row.text) == (not few, not few)


def test_late_answers_are_shown_as_a_second_figure_and_change_no_score(alice, exam):
    session = sit(alice.owner, exam, late=1)
    page = results_page(session)
    assert (page.session.score, page.late, page.late_score) == (7, 1, 8)
    assert "8 of 10, 80%" in html(alice, "results", session.uuid)
    assert results_page(sit(guest()[0], exam)).late_score is None


def test_every_filter_shows_the_rows_it_names(alice, exam):
    session = sit(alice.owner, exam, late=1)
    items = session.items
    items.filter(position=2).update(flagged=True, confidence=1)
    items.filter(position=3).update(seconds=500, confidence=3)
    shown = {name: [r.position for r in results_page(session, name).shown] for name in ("flagged", "guessed", "slow")}
    assert shown == {"flagged": [2], "guessed": [2], "slow": [3]}
    assert [row.position for row in results_page(session, "wrong").shown] == [8, 9, 10]
    assert [row.position for row in results_page(session, "late").shown] == [10]
    assert len(results_page(session, "nonsense").shown) == 10


def test_changes_from_wrong_to_right_and_back_are_counted(alice, exam):
    session = begin_mock(alice.owner, exam)
    writer = claim(session.uuid, alice.owner, NOW).writer
    for position, first_right in ((1, True), (2, False), (3, False)):
        right = right_places(session, position)[0]
        wrong = (right + 1) % 4
        order = (right, wrong) if first_right else (wrong, right)
        for sequence, place in enumerate(order, start=1):
            save(session.uuid, alice.owner, batch(writer, state(position, sequence, place)), seconds(sequence))
    page = results_page(finish(session.uuid, alice.owner, seconds(60)))
    assert (page.right_to_wrong, page.wrong_to_right) == (1, 2)


def test_the_prediction_uses_unseen_questions_when_they_are_at_least_half(alice, exam):
    session = sit(alice.owner, exam)
    session.items.filter(position__lte=5).update(seen_before=True)
    outlook = results_page(session).outlook
    assert (outlook.base, outlook.only_fresh) == (5, True)
    session.items.filter(position=6).update(seen_before=True)
    outlook = results_page(session).outlook
    assert (outlook.base, outlook.only_fresh) == (10, False)


def test_a_drill_says_how_much_was_answered_and_offers_its_missed_questions_again(alice, exam):
    session = begin_drill(alice.owner, exam, size=9)
    for position in range(1, 8):
        right = right_places(session, position)[0]
        place = right if position > 2 else (right + 1) % 4
        check(session.uuid, alice.owner, state(position, 1, place), None, seconds(position))
    finish(session.uuid, alice.owner, seconds(60))
    text = html(alice, "results", session.uuid)
    assert "5 of 7, 71%" in text
    assert figures(parsed(text).select_one(".figure-evidence").text)[-2:] == [7, 9]
    fields = {"state": "missed", "session": session.uuid, "size": "100"}
    response = alice.post(reverse("drill", args=["pmle"]), fields, HTTP_SEC_FETCH_SITE="same-origin")
    again = SessionItem.objects.filter(session__uuid=response.url.split("/")[3]).values_list("version_id", flat=True)
    assert set(again) == set(session.items.filter(is_correct=False).values_list("version_id", flat=True))


def test_with_nothing_missed_or_answered_the_result_links_to_practice(alice, exam):
    everything = html(alice, "results", sit(alice.owner, exam, right=10, answered=10).uuid)
    assert not parsed(everything).select('a.btn[href*="show=through"]')
    drill = begin_drill(alice.owner, exam, size=3)
    finish(drill.uuid, alice.owner, NOW)
    nothing = parsed(html(alice, "results", drill.uuid))
    assert figures(nothing.select_one(".figure-number").text) == []
    assert nothing.select_one("a.btn")["href"] == reverse("hub", args=["pmle"])


@pytest.mark.parametrize("per_domain", [4, 12])
@pytest.mark.parametrize("signed_in", [False, True])
def test_results_take_the_same_statements_whatever_the_length_of_the_session(
    per_domain, signed_in, django_assert_num_queries
):
    exam = make_exam()
    add_questions(exam, per_domain + 1)
    client, owner = client_of(signed_in)
    session = sit(owner, exam, count=per_domain * 4, late=1)
    with django_assert_num_queries(13 if signed_in else 11):
        client.get(reverse("results", args=[session.uuid]))


def client_of(signed_in):
    if not signed_in:
        owner, token = guest()
        return guest_client(token), owner
    user = User.objects.create_user("bob@example.org", "long-enough-password")
    client = Client()
    client.force_login(user)
    return client, Owner(user_id=user.pk)


def test_the_export_holds_a_row_for_each_question_and_no_formula(alice, exam):
    session = sit(alice.owner, exam)
    QuestionVersion.objects.filter(pk=session.items.first().version_id).update(title='=HYPERLINK("http://e.example")')
    response = alice.get(reverse("results-csv", args=[session.uuid]))
    assert response["Content-Disposition"] == 'attachment; filename="pmle-2026-11-21-mock.csv"'
    rows = list(csv.DictReader(io.StringIO(response.content.decode())))
    assert len(rows) == 10
    assert rows[0]["title"] == '\'=HYPERLINK("http://e.example")'
    assert [row["result"] for row in rows[6:]] == [WORDS[True], WORDS[False], WORDS[False], UNANSWERED]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", " =", "＝"])  # noqa: RUF001
@pytest.mark.parametrize("unseen", ["", "\ufeff", "\xa0", "\x00", "\x0b", "\u200b", "\u202e", "\u3000", " \ufeff\xa0"])
def test_a_cell_that_starts_like_a_formula_is_exported_as_plain_text(start, unseen):
    assert plain_cell(f"{unseen}{start}1+1").startswith("'")
    assert plain_cell(f"a{unseen}{start}1") == f"a{unseen}{start}1"
    assert plain_cell(None) == ""


def test_a_question_links_to_its_neighbours_within_the_filter(alice, exam):
    session = sit(alice.owner, exam)
    middle = item_page(session, 9, "wrong", NOW)
    assert (middle.before, middle.after, middle.place, middle.total) == (8, 10, 2, 3)
    assert item_page(session, 1, "wrong", NOW).show == "all"
    last = parsed(html(alice, "breakdown", session.uuid, 10, query="?show=wrong"))
    assert figures(last.select_one("[data-state=last]").text) == [3]


def test_a_question_opened_in_the_list_comes_as_a_fragment_with_its_stem(alice, exam):
    session = sit(alice.owner, exam)
    response = alice.get(reverse("breakdown", args=[session.uuid, 1]), HTTP_HX_REQUEST="true")
    text = response.content.decode()
    assert "<html" not in text
    assert CANARY in text
    assert "deciding words" in text


def test_only_public_questions_link_to_their_page(alice, exam):
    session = sit(alice.owner, exam)
    question = session.items.first().version.question
    assert question.get_absolute_url() in html(alice, "breakdown", session.uuid, 1)
    type(question).objects.filter(pk=question.pk).update(pool="reserved")
    assert question.get_absolute_url() not in html(alice, "breakdown", session.uuid, 1)


def test_only_checked_questions_of_a_running_drill_have_a_page(alice, exam):
    session = begin_drill(alice.owner, exam, size=3)
    check(session.uuid, alice.owner, state(1, 1, 0), None, NOW)
    text = html(alice, "breakdown", session.uuid, 1)
    assert states(text)[-1] == "last"
    assert parsed(text).select_one(f'a.btn[href="{session.get_absolute_url()}"]')
    second = reverse("breakdown", args=[session.uuid, 2])
    assert second not in text
    assert alice.get(second).status_code == 404


def test_rows_of_an_unanswered_question_differ_between_mock_and_drill(alice, exam):
    session = sit(alice.owner, exam)
    assert result_rows(session, list(session.items.all()))[9].word == UNANSWERED
    drill = begin_drill(alice.owner, exam, size=2)
    check(drill.uuid, alice.owner, state(1, 1), None, NOW, reveal=True)
    finish(drill.uuid, alice.owner, NOW)
    assert drill.mode == Mode.DRILL
    rows = results_page(finish(drill.uuid, alice.owner, NOW)).rows
    assert [row.word for row in rows] == [SHOWN, WORDS[None]]


@pytest.mark.django_db
def test_the_booklet_holds_a_blank_sheet_the_questions_and_the_key_last(alice):
    exam = make_exam()
    add_questions(exam, 2)
    session = begin_mock(alice.owner, exam, 6, timezone.now())
    address = reverse("booklet", args=[session.uuid])
    finish(session.uuid, alice.owner, seconds(9))
    text = alice.get(address).text
    sheet, questions, key = (
        text.index('class="sheet sheet--wide'),
        text.index('class="question stack"'),
        text.index("booklet-key"),
    )
    assert sheet < questions < key
    assert CANARY not in text
    answers = re.findall(r"<li>([A-D])</li>", text[key:])
    assert answers == ["ABCD"[right_places(session, position)[0]] for position in range(1, 7)]


class TestGoingThrough:
    @pytest.fixture
    def session(self, alice, exam):
        """Return a mock of ten: 8 to 10 are missed, 2 and 8 flagged, 3 guessed and 4 slow."""
        session = sit(alice.owner, exam)
        SessionItem.objects.filter(session=session, position__in=(2, 8)).update(flagged=True)
        SessionItem.objects.filter(session=session, position=3).update(confidence=1)
        SessionItem.objects.filter(session=session, position=4).update(seconds=300)
        return session

    def test_one_walk_goes_through_missed_flagged_guessed_and_slow_questions_once_each(self, alice, session):
        result = parsed(html(alice, "results", session.uuid))
        start = result.select_one("[data-walk] a[rel=next]")
        assert figures(start.text) == [6]
        [ways] = [
            [(a["href"].partition("show=")[2], figures(a.text)) for a in result.select("[data-walk] a:not(.btn)")]
        ]
        assert ways == [("wrong", [3]), ("flagged", [2]), ("guessed", [1]), ("slow", [1])]
        met, page = [], parsed(alice.get(start["href"]).text)
        while following := page.select_one(".bar [rel=next]"):
            met.append(following["href"])
            page = parsed(alice.get(following["href"]).text)
        assert [int(address.split("/items/")[1].partition("/")[0]) for address in met] == [3, 4, 8, 9, 10]
        assert page.select_one(".bar [rel=up]")["href"] == reverse("results", args=[session.uuid])
        assert "last" in states(str(page))
        assert page.select_one("form [name=session]")

    def test_withheld_questions_are_not_counted_in_a_walk(self, alice, session):
        SessionItem.objects.filter(session=session, position__in=(8, 9, 10)).update(withheld=True)
        page = results_page(session)
        assert page.through.to_read == 3
        assert [(way.key, way.to_read) for way in page.ways] == [("flagged", 1), ("guessed", 1), ("slow", 1)]

    def test_nothing_important_is_inside_a_closed_drawer(self, alice, session):
        page = parsed(html(alice, "results", session.uuid))
        assert page.select("main details") == page.select("main details.result")
        missed = parsed(html(alice, "breakdown", session.uuid, 8))
        assert missed.select_one(".deeper details[open]")
        assert not parsed(html(alice, "breakdown", session.uuid, 1)).select_one(".deeper details[open]")


class TestRetake:
    def test_one_click_starts_another_mock_with_the_same_guide_length_and_time(self, alice, exam):
        session = sit(alice.owner, exam)
        form = parsed(html(alice, "results", session.uuid)).select_one("form[data-retake]")
        # 24 lone questions, of which ten were met
        assert (form["data-left"], form["data-unseen"]) == ("14", "10")
        fields = {field["name"]: field["value"] for field in form.select("input")}
        again = alice.post(form["action"], fields, HTTP_SEC_FETCH_SITE="same-origin", follow=True).context["session"]
        assert again.pk != session.pk
        for name in ("blueprint", "total", "minutes", "time_factor", "pausable"):
            assert getattr(again, name) == getattr(session, name)

    def test_the_page_counts_seen_questions_if_too_few_are_unseen(self, alice, exam):
        sit(alice.owner, exam)
        session = sit(alice.owner, exam, now=NOW + dt.timedelta(days=1))
        form = parsed(html(alice, "results", session.uuid)).select_one("form[data-retake]")
        assert (form["data-left"], form["data-unseen"]) == (
            "4",
            "2",
        )

    def test_no_retake_is_offered_after_a_drill_or_if_the_bank_is_too_small(self, alice, exam):
        drill = begin_drill(alice.owner, exam)
        finish(drill.uuid, alice.owner, seconds(60))
        assert "data-retake" not in html(alice, "results", drill.uuid)
        session = sit(alice.owner, exam)
        exam.questions.filter(domain__key="d1").update(withdrawn_at=NOW)
        cache.clear()  # within a minute, the bank is counted again
        assert "data-retake" not in html(alice, "results", session.uuid)
