"""After an answer, the learner is offered the same scenario with one thing changed: a contrast."""

import pytest
from bs4 import BeautifulSoup
from django.urls import reverse
from django.utils import timezone

from practice.models import Learner, PracticeSession, ReadinessSnapshot, SessionItem
from practice.readiness.derive.analyse import analyse
from practice.sessions.ending.finish import finish
from practice.sessions.models import Mode
from practice.sessions.player.check import check
from practice.sessions.player.save import claim, save
from questions.models import Question, VersionStatistics
from tests.support.bank import CANARY, NOW, add_questions, make_exam
from tests.support.families import add_family
from tests.support.sessions import (
    batch,
    begin_drill,
    begin_mock,
    guest,
    guest_client,
    read_through,
    right_places,
    seconds,
    state,
)

pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]
SAME_ORIGIN = {"HTTP_SEC_FETCH_SITE": "same-origin"}


@pytest.fixture
def exam():
    return make_exam()


@pytest.fixture
def family(exam):
    return add_family(exam)


@pytest.fixture
def drill(exam, alice, family):
    """Return a drill of two questions, the first of them from the family and already marked."""
    add_questions(exam, 1, domains=("d2",))
    session = begin_drill(alice.owner, exam, order="random")
    position = session.items.get(version__in=family).position
    check(session.uuid, alice.owner, state(position, 1, *right_places(session, position)), None, seconds(1))
    session.at = position
    return session


def address(session, position=None):
    return reverse("contrast", args=[session.uuid, position or session.at])


def asked(alice, session):
    """Return the variant the page asks, and the form that answers it."""
    page = BeautifulSoup(alice.get(address(session)).text, "html.parser")
    number = int(page.select_one("form.ask [name=variant]")["value"])
    return Question.objects.select_related("live_version__solution").get(pk=number), page.select_one("form.ask")


def answer(alice, session, right=True, **fields):
    variant, _ = asked(alice, session)
    key = variant.live_version.solution.key_mask.bit_length() - 1
    slot = key if right else key % 4 + 1
    sent = fields or {"slot": slot}
    return alice.post(address(session), {"variant": variant.pk, **sent}, **SAME_ORIGIN)


class TestFromADrill:
    def test_the_verdict_links_to_the_contrast(self, alice, drill):
        for text in (
            alice.get(drill.get_absolute_url()).text,
            alice.get(reverse("breakdown", args=[drill.uuid, drill.at])).text,
        ):
            assert f'href="{address(drill)}"' in text

    def test_the_players_fragment_links_to_the_contrast(self, exam, alice, family):
        session = begin_drill(alice.owner, exam, order="random")
        writer = claim(session.uuid, alice.owner, NOW).writer
        body = {"writer": writer, "items": [{"p": 1, "seq": 1, "sel": [0]}]}
        text = alice.post(reverse("check", args=[session.uuid]), body, content_type="application/json").text
        assert reverse("contrast", args=[session.uuid, 1]) in text

    def test_the_page_asks_a_sibling_with_the_options_in_place_and_reveals_nothing(self, alice, drill, family):
        variant, form = asked(alice, drill)
        item = drill.items.get(position=drill.at)
        assert variant.pk != item.version.question_id
        assert variant.family_id == item.version.question.family_id
        assert [field["value"] for field in form.select("[name=slot]")] == [
            str(int(digit, 16)) for digit in item.option_order
        ]
        text = alice.get(address(drill)).text
        assert CANARY not in text
        assert variant.clause in text
        assert "<mark" not in text, "what differs is the reader's to find"

    def test_the_answer_is_marked_and_both_stems_are_shown_with_the_clause_highlighted(self, alice, drill, family):
        response = answer(alice, drill)
        assert response.status_code == 302
        page = BeautifulSoup(alice.get(response.url).text, "html.parser")
        assert page.select_one(".verdict.is-right")
        marked = [mark.text for mark in page.select(".is-marked mark")]
        before = drill.items.get(position=drill.at).version
        after = SessionItem.objects.get(session__mode=Mode.CONTRAST).version
        assert marked == [before.clause, after.clause]
        assert page.select_one(f'a.btn[href="{drill.get_absolute_url()}#q{drill.at}"]')

    def test_a_wrong_answer_is_marked_too_and_reloading_records_nothing_twice(self, alice, drill):
        response = answer(alice, drill, right=False)
        for _ in range(2):
            assert BeautifulSoup(alice.get(response.url).text, "html.parser").select_one(".verdict.is-wrong")
        assert SessionItem.objects.filter(session__mode=Mode.CONTRAST).count() == 1

    def test_declining_a_contrast_shows_its_answer(self, alice, drill):
        response = answer(alice, drill, reveal="1")
        item = SessionItem.objects.get(session__mode=Mode.CONTRAST)
        assert (item.revealed, item.selected, item.is_correct) == (True, 0, None)
        assert "The answer" in alice.get(response.url).text

    def test_the_next_contrast_is_the_variant_seen_longest_ago(self, alice, drill, family):
        met = {drill.items.get(position=drill.at).version.question_id}
        for _ in range(2):
            variant, _ = asked(alice, drill)
            assert variant.pk not in met
            met.add(variant.pk)
            response = answer(alice, drill)
        assert met == {version.question_id for version in family}
        assert "data-variant" in alice.get(response.url).text

    @pytest.mark.parametrize("fields", [{}, {"slot": "9"}, {"slot": "x"}])
    def test_an_answer_that_cannot_be_marked_is_reported_and_the_question_stays(self, alice, drill, fields):
        variant, _ = asked(alice, drill)
        response = alice.post(address(drill), {"variant": variant.pk, **fields}, **SAME_ORIGIN)
        assert response.status_code == 400
        assert variant.clause in response.text
        assert not PracticeSession.objects.filter(mode=Mode.CONTRAST).exists()

    def test_a_contrast_does_not_change_the_drill(self, alice, drill):
        before = list(drill.items.values())
        answer(alice, drill)
        drill.refresh_from_db()
        assert drill.is_open
        assert list(drill.items.values()) == before


class TestWhatItCounts:
    def test_a_contrast_is_not_a_first_exposure_and_enters_no_statistics(self, alice, drill, family):
        answer(alice, drill)
        made = PracticeSession.objects.get(mode=Mode.CONTRAST)
        item = made.items.get()
        assert (item.first_exposure, item.is_correct, item.variant_seen) == (False, True, True)
        assert analyse(made.pk, seconds(100))
        assert not VersionStatistics.objects.exists()
        assert not ReadinessSnapshot.objects.filter(session=made).exists()

    def test_no_list_shows_a_contrast_and_no_address_opens_it_as_a_session(self, alice, drill):
        answer(alice, drill)
        finish(drill.uuid, alice.owner, seconds(50))
        made = PracticeSession.objects.get(mode=Mode.CONTRAST)
        assert str(made.uuid) not in alice.get(reverse("history")).text
        for name in ("session", "results", "results-csv", "booklet"):
            assert alice.get(reverse(name, args=[made.uuid])).status_code == 404

    def test_the_sibling_asked_later_in_a_mock_is_not_a_first_exposure_either(self, exam, alice, drill, family):
        answer(alice, drill)
        answer(alice, drill)
        finish(drill.uuid, alice.owner, seconds(50))
        add_questions(exam, 1, domains=("d2", "d3", "d4", "d5", "d6"))
        mock = begin_mock(alice.owner, exam, count=6, now=seconds(60))
        item = mock.items.get(version__in=family)
        assert item.seen_before
        save(
            mock.uuid,
            alice.owner,
            batch(claim(mock.uuid, alice.owner, seconds(61)).writer, state(item.position, 1, 0)),
            seconds(62),
        )
        finish(mock.uuid, alice.owner, seconds(99))
        item.refresh_from_db()
        assert item.first_exposure is False


class TestWhoMaySeeIt:
    def test_a_contrast_is_not_offered_in_another_learners_session(self, alice, drill, family):
        bob = guest_client(guest()[1])
        response = answer(alice, drill)
        assert bob.get(address(drill)).status_code == 404
        assert bob.get(response.url).status_code == 404
        assert (
            bob.post(address(drill), {"variant": family[1].question_id, "slot": "1"}, **SAME_ORIGIN).status_code == 404
        )

    def test_a_contrast_is_not_offered_before_the_question_is_marked(self, exam, alice, family):
        drill = begin_drill(alice.owner, exam, order="random")
        assert alice.get(address(drill, 1)).status_code == 404
        add_questions(exam, 1, domains=("d2", "d3", "d4", "d5", "d6"))
        mock = begin_mock(alice.owner, exam, count=6, now=timezone.now())
        position = mock.items.get(version__in=family).position
        assert alice.get(address(mock, position)).status_code == 404

    def test_a_contrast_is_not_offered_for_a_lone_question(self, exam, alice, drill):
        other = 3 - drill.at
        check(drill.uuid, alice.owner, state(other, 1, 0), None, seconds(5))
        assert alice.get(address(drill, other)).status_code == 404
        assert address(drill, other) not in alice.get(reverse("breakdown", args=[drill.uuid, other])).text

    def test_a_contrast_is_not_offered_for_a_question_outside_the_family(self, exam, alice, drill):
        stranger = Question.objects.get(domain__key="d2")
        sent = {"variant": stranger.pk, "slot": "1"}
        assert alice.post(address(drill), sent, **SAME_ORIGIN).status_code == 404

    def test_a_contrast_is_not_offered_while_a_sibling_is_in_an_unfinished_mock(self, exam, alice, drill, family):
        add_questions(exam, 1, domains=("d3", "d4", "d5", "d6"))
        mock = begin_mock(alice.owner, exam, count=6, now=seconds(9))
        assert mock.items.filter(version__in=family).exists()
        assert alice.get(address(drill)).status_code == 404
        sent = {"variant": family[1].question_id, "slot": "1"}
        assert alice.post(address(drill), sent, **SAME_ORIGIN).status_code == 404
        assert address(drill) not in alice.get(drill.get_absolute_url()).text

    def test_a_withdrawn_sibling_is_never_the_contrast(self, alice, drill, family):
        Question.objects.exclude(pk=drill.items.get(position=drill.at).version.question_id).update(withdrawn_at=NOW)
        assert alice.get(address(drill)).status_code == 404


class TestReserved:
    @pytest.fixture
    def mock(self, exam, alice):
        self.family = add_family(exam, pool="reserved")
        add_questions(exam, 1, domains=("d2", "d3", "d4", "d5", "d6"))
        session = begin_mock(alice.owner, exam, count=6)
        session.at = session.items.get(version__in=self.family).position
        return session

    def test_once_a_finished_session_has_shown_one_variant_the_others_are_offered(self, exam, alice, mock):
        finish(mock.uuid, alice.owner, read_through(mock, alice.owner))
        assert address(mock) in alice.get(reverse("breakdown", args=[mock.uuid, mock.at])).text
        response = answer(alice, mock)
        assert alice.get(response.url).status_code == 200
        assert Learner.objects.get().sessions.filter(mode=Mode.CONTRAST, finished_at__isnull=False).count() == 1

    def test_an_undisplayed_question_has_no_contrast(self, exam, alice, mock):
        finish(mock.uuid, alice.owner, seconds(1))
        assert alice.get(address(mock)).status_code == 404
        sent = {"variant": self.family[1].question_id, "slot": "1"}
        assert alice.post(address(mock), sent, **SAME_ORIGIN).status_code == 404


class TestRightIf:
    """Whether an option would be right in another scenario is shown once the learner has met that variant."""

    def told(self, text):
        return {n for n in range(1, 5) if f"zqturn 1 {n}" in text}

    def places(self, alice, drill):
        return [
            self.told(alice.get(drill.get_absolute_url()).text),
            self.told(alice.get(reverse("breakdown", args=[drill.uuid, drill.at])).text),
        ]

    def key_of(self, version):
        return version.solution.key_mask.bit_length() - 1

    def test_right_if_is_first_shown_only_for_the_option_that_no_sibling_has_as_key(self, alice, drill):
        assert self.places(alice, drill) == [{4}, {4}]

    @pytest.mark.parametrize("fields", [{"slot": "4"}, {"reveal": "1"}])
    def test_right_if_is_shown_for_a_key_once_its_variant_is_answered_or_declined(self, alice, drill, fields):
        variant, _ = asked(alice, drill)
        answer(alice, drill, **fields)
        told = {4, self.key_of(variant.live_version)}
        assert self.places(alice, drill) == [told, told]

    def test_a_contrasts_page_withholds_what_would_reveal_a_third_variant(self, alice, drill):
        first = self.key_of(drill.items.get(position=drill.at).version)
        assert self.told(alice.get(answer(alice, drill).url).text) == {4, first}
        assert self.told(alice.get(answer(alice, drill).url).text) >= {4, first}

    def test_what_would_reveal_a_sibling_in_an_unfinished_mock_is_withheld_again(self, exam, alice, drill):
        answer(alice, drill)
        answer(alice, drill)
        assert len(self.places(alice, drill)[0]) == 3
        add_questions(exam, 1, domains=("d3", "d4", "d5", "d6"))
        begin_mock(alice.owner, exam, count=6, now=timezone.now())
        assert self.places(alice, drill) == [{4}, {4}]

    def test_a_sibling_whose_solution_a_finished_mock_showed_counts_as_met(self, exam, alice, drill, family):
        finish(drill.uuid, alice.owner, seconds(5))
        add_questions(exam, 1, domains=("d3", "d4", "d5", "d6"))
        mock = begin_mock(alice.owner, exam, count=6, now=seconds(9))
        asked_there = mock.items.get(version__in=family).version
        finish(mock.uuid, alice.owner, read_through(mock, alice.owner, seconds(10)))
        text = alice.get(reverse("breakdown", args=[drill.uuid, drill.at])).text
        assert self.told(text) == {4, self.key_of(asked_there)}


def test_pages_of_sessions_without_families_take_no_more_statements(exam, alice, django_assert_max_num_queries):
    add_questions(exam, 2)
    session = begin_drill(alice.owner, exam, order="random")
    check(session.uuid, alice.owner, state(1, 1, 0), None, seconds(1))
    with django_assert_max_num_queries(19):
        alice.get(session.get_absolute_url())
