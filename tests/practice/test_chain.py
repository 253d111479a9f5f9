"""Every verdict is followed by the same steps: reason, teaching section, variant, star and note, and next review."""

import datetime as dt
import json
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from courseiva.common.quick.columns import whole_second
from practice.models import ExamPlan, Learner, MissClass, Mode, Note, PracticeSession, ReviewCard, SessionItem, Star
from practice.notebook.reads.chains import clues_in_turn
from practice.reviews.make_cards import refresh_cards
from practice.reviews.reads import comes_back
from practice.sessions.ending.finish import finish
from practice.sessions.player.check import check
from questions.models import Question, Solution, StudyModule
from questions.modules.rules.html import module_html
from questions.versions.reads.breakdowns import MarkedClue, breakdown_of
from tests.support.bank import CANARY, add_questions, make_exam
from tests.support.families import add_family
from tests.support.hooks import parsed
from tests.support.sessions import begin_drill, begin_mock, guest, guest_client, read_through, right_places, state

pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]
SAME_ORIGIN = {"HTTP_SEC_FETCH_SITE": "same-origin"}
STEPS = ["why", "read", "keep", "back"]


@pytest.fixture
def exam():
    exam = make_exam()
    add_questions(exam, 3, domains=("d1", "d2"))
    for number, key in enumerate(("d1", "d2"), 1):
        body = f"## One part\n\nText.\n\n## Part of {key}\n\n{'word ' * 450}"
        StudyModule.objects.create(
            exam=exam, domain=exam.domains.get(key=key), number=number, slug=f"m-{key}", title=f"Module {key}",
            summary="About.", body=body, words=900, html=module_html(body),
        )  # fmt: skip
    return exam


def answer(owner, session, position, is_right, **marks):
    place = right_places(session, position)[0]
    chosen = place if is_right else (place + 1) % 4
    return check(session.uuid, owner, state(position, 1, chosen, **marks), None, timezone.now())


@pytest.fixture
def drill(exam, alice):
    """Return a running drill with a wrong first answer and a right second one."""
    session = begin_drill(alice.owner, exam, now=timezone.now(), size=6)
    answer(alice.owner, session, 1, False)
    answer(alice.owner, session, 2, True)
    return session


def steps(page, position=1):
    within = parsed(page).select_one(f"#q{position}") or parsed(page)
    return [step["data-step"] for step in within.select(".chain > li")]


def walked(client, session, position=1, **headers):
    return client.get(reverse("breakdown", args=[session.uuid, position]), **headers)


def teach(session, position, *places):
    solution = Solution.objects.get(version=session.items.get(position=position).version_id)
    solution.text["modules"] = list(places)
    solution.save()


class TestTheSameEverywhere:
    def test_the_steps_follow_in_a_drill_on_a_question_page_in_the_walk_and_in_the_results(self, alice, drill):
        session = drill
        body = json.dumps({"writer": session.writer, "items": [{"p": 3, "seq": 1, "sel": [0]}]})
        fragment = alice.post(reverse("check", args=[session.uuid]), body, content_type="application/json")
        assert steps(fragment.text) == STEPS
        assert steps(alice.get(session.get_absolute_url()), 3) == STEPS
        finish(session.uuid, alice.owner, timezone.now())
        assert steps(walked(alice, session, 3)) == STEPS
        assert steps(walked(alice, session, 3, HTTP_HX_REQUEST="true").text) == STEPS

    def test_the_first_step_asks_why_after_a_miss_but_not_after_a_right_answer(self, alice, drill):
        page = parsed(alice.get(drill.get_absolute_url()))
        assert page.select_one("#q1 [data-step=why].is-missed #miss-1 button[formaction]")
        assert page.select_one("#q2 [data-step=why]:not(.is-missed)")
        assert not page.select("#q2 [name=miss]")

    def test_an_unchecked_question_and_a_running_mock_have_no_steps(self, alice, drill):
        assert steps(alice.get(drill.get_absolute_url()), 4) == []
        add_questions(other := make_exam("ace"), 3)
        mock = begin_mock(alice.owner, other, now=timezone.now())
        page = alice.get(mock.get_absolute_url())
        assert not parsed(page).select(".chain, [data-keep]")
        assert CANARY not in page.text

    def test_a_screen_has_only_one_next_button(self, alice, drill):
        assert len(parsed(alice.get(drill.get_absolute_url())).select("#bar-next, .goon, [rel=next]")) == 1
        finish(drill.uuid, alice.owner, timezone.now())
        page = parsed(walked(alice, drill))
        assert len(page.select("[rel=next]")) == 1
        assert page.select_one(".bar [rel=next].btn:not(.btn--quiet)")
        assert len(page.select("main .btn:not(.btn--quiet), .bar .btn:not(.btn--quiet)")) == 1
        assert parsed(walked(alice, drill, 6)).select_one(".bar [rel=up].btn:not(.btn--quiet)")

    def test_a_variant_has_the_same_steps_with_its_own_star_and_note(self, alice):
        exam = make_exam("ace")
        add_family(exam)
        session = begin_drill(alice.owner, exam, now=timezone.now())
        answer(alice.owner, session, 1, False)
        assert steps(alice.get(reverse("results", args=[session.uuid]), follow=True)) == []
        page = parsed(walked(alice, session))
        ask = page.select_one("[data-step=contrast] a[data-variant]")["href"]
        form = parsed(alice.get(ask)).select_one("form.ask")
        sent = {"variant": form.select_one("[name=variant]")["value"], "slot": "1"}
        shown = alice.post(ask, sent, follow=True)
        assert steps(shown) == ["why", "contrast", "keep", "back"]
        assert "/contrast/" in parsed(shown).select_one("[data-star]")["formaction"]

    def test_a_reserved_family_offers_no_variant_before_a_finished_session_has_shown_one(self, alice):
        exam = make_exam("ace")
        add_questions(exam, 3, domains=("d2", "d3", "d4", "d5", "d6"))
        family = add_family(exam, pool="reserved", domain="d1")
        mock = begin_mock(alice.owner, exam, now=timezone.now())
        at = mock.items.get(version__in=family).position
        assert not parsed(alice.get(mock.get_absolute_url())).select("[data-step], [data-variant]")
        finish(mock.uuid, alice.owner, read_through(mock, alice.owner, timezone.now()))
        assert "contrast" in steps(walked(alice, mock, at))


class TestWhereItIsTaught:
    def test_the_named_section_is_linked_with_its_minutes(self, alice, drill):
        teach(drill, 1, "m-d1#02-part-of-d1", "m-d2")
        links = parsed(walked(alice, drill)).select("[data-step=read] li")
        assert [link.a["href"].partition("/modules/")[2] for link in links] == ["1-m-d1/#02-part-of-d1", "2-m-d2/"]
        assert "2 min" in links[0].text
        assert links[0].a.text.strip().endswith("d1")

    def test_a_question_that_names_no_section_links_to_its_domains_modules(self, alice, drill):
        domain = drill.items.get(position=1).version.domain.key
        [link] = parsed(walked(alice, drill)).select("[data-step=read] a")
        assert link["href"].endswith(f"-m-{domain}/")

    @pytest.mark.parametrize("place", ["gone#01-x", "m-d1#99-gone"])
    def test_a_section_its_file_no_longer_has_causes_no_error(self, alice, drill, place):
        teach(drill, 1, place)
        assert walked(alice, drill).status_code == 200
        assert alice.get(drill.get_absolute_url()).status_code == 200

    def test_without_a_module_there_is_no_teaching_step(self, alice, drill):
        StudyModule.objects.all().delete()
        assert steps(walked(alice, drill)) == ["why", "keep", "back"]


class TestWhenItComesBack:
    def told(self, alice, session, position):
        return parsed(walked(alice, session, position)).select_one("[data-step=back]").get("data-on")

    def test_the_review_day_is_the_due_date_of_the_finished_sessions_card(self, alice, drill):
        Learner.objects.update(time_zone="Pacific/Auckland")
        before = self.told(alice, drill, 1)
        finish(drill.uuid, alice.owner, timezone.now())
        refresh_cards(drill.learner_id, drill.exam_id)
        card = ReviewCard.objects.get()
        assert before == self.told(alice, drill, 1) == str(card.due_at.astimezone(ZoneInfo("Pacific/Auckland")).date())
        assert self.told(alice, drill, 2) is None

    @pytest.mark.parametrize("grouped", [False, True])
    def test_stored_cards_say_the_same_as_all_answers_once_every_session_is_analysed(self, alice, grouped):
        exam = make_exam("ace")
        versions = add_family(exam) if grouped else add_questions(exam, 3, domains=("d1",))
        questions = {version.question_id for version in versions}
        for _ in range(2):
            session = begin_drill(alice.owner, exam, now=timezone.now())
            answer(alice.owner, session, 1, False)
            finish(session.uuid, alice.owner, timezone.now())
        refresh_cards(session.learner_id, exam.pk)
        derived = comes_back(session.learner_id, exam.pk, questions)
        assert bool(derived.due_at)
        PracticeSession.objects.update(analysed_at=timezone.now())
        for card in ReviewCard.objects.all():
            ReviewCard.objects.filter(pk=card.pk).update(due_at=card.due_at + dt.timedelta(days=1))
        stored = comes_back(session.learner_id, exam.pk, questions)
        assert stored.due_at == {each: whole_second(at) + dt.timedelta(days=1) for each, at in derived.due_at.items()}

    @pytest.mark.parametrize("mode", [Mode.MOCK, Mode.PAGE, Mode.DRILL])
    def test_answers_in_an_unanalysed_session_count_only_for_the_units_they_are_to(self, alice, mode):
        """A session of answers on question pages never ends, so its answers are never analysed as a whole."""
        exam = make_exam("ace")
        family, other = add_family(exam), add_questions(exam, 1)[0]
        session = begin_drill(alice.owner, exam, now=timezone.now())
        for item in session.items.all():
            answer(alice.owner, session, item.position, False)
        finish(session.uuid, alice.owner, timezone.now())
        refresh_cards(session.learner_id, exam.pk)
        PracticeSession.objects.update(analysed_at=timezone.now())
        day = timezone.now() + dt.timedelta(days=99)
        ReviewCard.objects.update(due_at=day)
        later = PracticeSession.objects.create(
            learner=session.learner, exam=exam, mode=mode, started_at=timezone.now(), finished_at=None
        )
        marks = {"is_correct": False, "answered_at": timezone.now(), "checked_at": timezone.now()}
        SessionItem.objects.create(session=later, version=family[1], position=1, **({} if mode == Mode.MOCK else marks))
        of_other = comes_back(session.learner_id, exam.pk, [other.question_id]).due_at
        of_unit = comes_back(session.learner_id, exam.pk, [family[0].question_id]).due_at
        assert of_other == {other.question_id: whole_second(day)}
        assert (of_unit == {family[0].question_id: whole_second(day)}) == (mode == Mode.MOCK)

    def test_a_right_answer_that_was_a_guess_is_asked_again(self, alice, drill):
        answer(alice.owner, drill, 3, True, confidence=1)
        assert self.told(alice, drill, 3)

    def test_the_review_day_is_never_after_the_exam_and_today_is_called_today(self, alice, drill):
        SessionItem.objects.filter(session=drill, position=1).update(answered_at=timezone.now() - dt.timedelta(90))
        today = timezone.now().date()
        ExamPlan.objects.create(learner=Learner.objects.get(), exam=drill.exam, exam_date=today + dt.timedelta(1))
        assert self.told(alice, drill, 1) <= str(today)
        assert parsed(walked(alice, drill)).select_one("[data-step=back] a")

    def test_the_siblings_of_a_unit_come_back_on_the_same_day(self, alice):
        exam = make_exam("ace")
        family = add_family(exam)
        session = begin_drill(alice.owner, exam, now=timezone.now())
        answer(alice.owner, session, 1, False)
        days = comes_back(session.learner_id, exam.pk, {version.question_id for version in family}).due_at
        assert len(days) == 3
        assert len(set(days.values())) == 1


class TestKeptFromADrill:
    @pytest.mark.parametrize("name", ["star", "note", "miss"])
    def test_star_note_and_reason_are_saved_without_leaving_a_running_drill(self, alice, drill, name):
        page = parsed(alice.get(drill.get_absolute_url()))
        address = reverse(name, args=[drill.uuid, 1])
        button = page.select_one(f"#q1 [formaction='{address}']")
        form = page.select_one(f"form#{button['form']}")
        assert not form.find_parent("form")
        fields = {"show": form.select_one("[name=show]")["value"], "text": "Mine.", "on": "1", "miss": MissClass.TIME}
        back = alice.post(address, fields, **SAME_ORIGIN)
        assert back.url == f"{drill.get_absolute_url()}#q1"
        assert (Star.objects.count(), Note.objects.count()) == {"star": (1, 0), "note": (0, 1), "miss": (0, 0)}[name]
        assert drill.items.get(position=1).miss_class == (MissClass.TIME if name == "miss" else "")
        fragment = alice.post(address, fields, HTTP_HX_REQUEST="true", **SAME_ORIGIN).text
        assert parsed(fragment).select_one("section")["id"] == ("miss-1" if name == "miss" else "notebook-1")

    def test_a_note_and_a_star_are_shown_in_the_drill_again(self, alice, drill):
        for name in ("star", "note"):
            alice.post(reverse(name, args=[drill.uuid, 1]), {"on": "1", "text": "Look twice."}, **SAME_ORIGIN)
        page = parsed(alice.get(drill.get_absolute_url()))
        assert page.select_one("#q1 [data-star]")["aria-pressed"] == "true"
        assert page.select_one("#q1 details.note[open] textarea").text == "Look twice."

    def test_nothing_is_saved_on_other_learners_or_unchecked_questions(self, alice, drill):
        stranger = guest_client(guest()[1])
        for name in ("star", "note", "miss"):
            address = reverse(name, args=[drill.uuid, 1])
            assert stranger.post(address, {"on": "1", "text": "x"}, **SAME_ORIGIN).status_code == 404
            other = alice.post(address.replace("/1/", "/4/"), {"on": "1", "text": "x"}, **SAME_ORIGIN)
            assert other.status_code == 404
        assert not Note.objects.exists()


def test_clue_words_that_rule_out_the_chosen_option_come_first(drill):
    item = drill.items.get(position=1)
    version = item.version
    found = breakdown_of(version, item.option_order, item.selected)
    chosen = next(option.letter for option in found.options if option.is_chosen)
    clues = [MarkedClue("a", "X", ""), MarkedClue("b", "", "X"), MarkedClue("c", "", f"{chosen} and Y")]
    found.clues[:] = clues
    assert [clue.phrase for clue in clues_in_turn(found)] == ["c", "a", "b"]


@pytest.mark.parametrize("count", [1, 3])
def test_a_pages_statement_count_does_not_grow_with_its_marked_answers(alice, exam, count):
    session = begin_drill(alice.owner, exam, now=timezone.now(), size=6)
    for position in range(1, count + 1):
        answer(alice.owner, session, position, False)
    with CaptureQueriesContext(connection) as drawn:
        alice.get(session.get_absolute_url())
    assert len(drawn) == 15
    with CaptureQueriesContext(connection) as one:
        walked(alice, session)
    assert len(one) == 14
    assert Question.objects.count() == 6
