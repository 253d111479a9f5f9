"""The learner's time zone comes from the browser or the account, and decides their days, also across clock changes."""

import datetime as dt
import json
import zoneinfo

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from courseiva.accounts.models import User
from practice.handover.adopt import adopt
from practice.learners.enrol import choose_time_zone
from practice.learners.reads.identity import Owner
from practice.learners.reads.zones import zone_choices, zone_names, zone_of
from practice.models import ExamPlan, Learner, Mode
from practice.notebook.plan import set_plan
from practice.readiness.plan.tell_outcome import tell_outcome
from practice.readiness.reads.progress import calendar
from practice.readiness.reads.steps import situation
from practice.reviews.reads import Today, done_today
from practice.sessions.errors import NotPossible
from practice.sessions.player.check import check
from questions.catalogue.reads import guide_of
from questions.models import Question
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.sessions import (
    add_cards,
    begin_drill,
    begin_mock,
    begin_review,
    guest,
    learner_of,
    right_places,
    state,
)
from tests.support.tallies import due_forecast, due_today

pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]
OWN = {"HTTP_SEC_FETCH_SITE": "same-origin"}
BERLIN, LOS_ANGELES, KOLKATA = "Europe/Berlin", "America/Los_Angeles", "Asia/Kolkata"
DAY = dt.timedelta(days=1)
# A zone, a day in it, and how many hours that day has: clocks go forward, go back, or stay.
DAYS = [
    (BERLIN, dt.date(2027, 3, 28), 23),
    (BERLIN, dt.date(2026, 10, 25), 25),
    (LOS_ANGELES, dt.date(2027, 3, 14), 23),
    (LOS_ANGELES, dt.date(2026, 11, 1), 25),
    (KOLKATA, dt.date(2027, 3, 28), 24),
    (KOLKATA, dt.date(2026, 10, 25), 24),
]
MINUTE = dt.timedelta(minutes=1)
every_day = pytest.mark.parametrize(("zone", "date", "hours"), DAYS)


@pytest.fixture
def exam():
    exam = make_exam()
    add_questions(exam, 2)
    return exam


@pytest.fixture
def bob(db):
    client = Client()
    client.user = User.objects.create_user("bob@example.org", "long-enough-password")
    client.force_login(client.user)
    client.owner = Owner(user_id=client.user.pk)
    return client


def local(zone: str, date: dt.date, hour: int, minute: int = 0) -> dt.datetime:
    """Return this local time on this day in UTC."""
    return dt.datetime.combine(date, dt.time(hour, minute), zoneinfo.ZoneInfo(zone)).astimezone(dt.UTC)


def learner_in(zone: str, owner: Owner) -> Learner:
    learner = learner_of(owner, NOW)
    learner.time_zone = zone
    learner.save()
    return learner


def answered(owner, exam, at):
    """Answer one question of a drill at this moment, after a minute."""
    session = begin_drill(owner, exam, at, size=1)
    check(session.uuid, owner, state(1, 1, right_places(session, 1)[0], seconds=60), None, at)
    return session


class TestToday:
    @every_day
    def test_a_day_begins_and_ends_at_midnight_however_long_it_is(self, alice, zone, date, hours):
        learner = learner_in(zone, alice.owner)
        first, last = local(zone, date, 0), local(zone, date + DAY, 0) - MINUTE
        for moment in (first, local(zone, date, 12), last):
            today = Today.of(learner, moment)
            assert (today.date, today.start, today.end) == (date, first, last + MINUTE)
        assert (last + MINUTE - first) == dt.timedelta(hours=hours)
        assert Today.of(learner, first - MINUTE).date == date - DAY
        assert Today.of(learner, last + MINUTE).date == date + DAY

    @every_day
    def test_only_answers_from_a_days_first_minute_to_its_last_count(self, alice, exam, zone, date, hours):
        learner = learner_in(zone, alice.owner)
        first, end = local(zone, date, 0), local(zone, date + DAY, 0)
        for moment in (first - MINUTE, first, end - MINUTE):
            answered(alice.owner, exam, moment)
        guide = guide_of(pk=exam.pk)
        assert situation(guide, learner, end - MINUTE).facts.minutes_today == 2
        assert situation(guide, learner, end).facts.minutes_today == 0
        tally = situation(guide, learner, end - MINUTE).now.tally
        days = {day.date: day.answers for week in calendar(tally, date) for day in week}
        assert (days[date - DAY], days[date]) == (1, 2)


class TestReviews:
    @every_day
    def test_a_card_is_due_on_its_day_in_the_learners_zone(self, alice, exam, zone, date, hours):
        learner = learner_in(zone, alice.owner)
        add_cards(alice.owner, Question.objects.all()[:1], local(zone, date, 23, 30))
        assert due_today(learner, exam, local(zone, date, 0) - MINUTE).count == 0
        assert due_today(learner, exam, local(zone, date, 0)).count == 1
        assert due_forecast(learner, exam, local(zone, date - DAY, 12)).days[1].count == 1

    @every_day
    def test_what_was_done_today_resets_at_the_end_of_the_learners_day(self, alice, exam, zone, date, hours):
        learner = learner_in(zone, alice.owner)
        add_cards(alice.owner, Question.objects.all()[:2], local(zone, date, 0))
        late = local(zone, date, 23, 50)
        review = begin_review(alice.owner, exam, late)
        assert review.mode == Mode.REVIEW
        check(review.uuid, alice.owner, state(1, 1, right_places(review, 1)[0]), None, late)
        for moment, done in ((late, 1), (local(zone, date + DAY, 0), 0)):
            assert done_today(learner, exam, Today.of(learner, moment)) == done

    @every_day
    def test_every_card_is_due_on_the_exam_day_in_the_learners_zone(self, alice, exam, zone, date, hours):
        learner = learner_in(zone, alice.owner)
        add_cards(alice.owner, Question.objects.all()[:1], local(zone, date + 90 * DAY, 12))
        ExamPlan.objects.create(learner=learner, exam=exam, exam_date=date)
        first, end = local(zone, date, 0), local(zone, date + DAY, 0)
        assert [due_today(learner, exam, m).count for m in (first - MINUTE, first, end - MINUTE, end)] == [0, 1, 1, 0]


class TestPlan:
    def send(self, client, moment, **fields):
        with time_machine.travel(moment, tick=False):
            if hasattr(client, "user"):
                client.force_login(client.user)  # an earlier login would have expired by then
            return client.post(reverse("plan", args=["pmle"]), fields, **OWN)

    @every_day
    def test_days_to_the_exam_and_since_a_mock_are_counted_in_the_learners_zone(self, alice, exam, zone, date, hours):
        learner = learner_in(zone, alice.owner)
        ExamPlan.objects.create(learner=learner, exam=exam, exam_date=date + DAY)
        mock = begin_mock(alice.owner, exam, now=local(zone, date - 7 * DAY, 22))
        type(mock).objects.update(finished_at=local(zone, date - 7 * DAY, 23, 30))
        for moment, ahead, since in ((local(zone, date, 0), 1, 7), (local(zone, date + DAY, 0), 0, 8)):
            facts = situation(guide_of(pk=exam.pk), learner, moment).facts
            assert (facts.days_to_exam, facts.days_since_mock) == (ahead, since)

    @every_day
    def test_todays_date_is_valid_as_an_exam_date_all_day_and_yesterdays_never(self, bob, exam, zone, date, hours):
        learner_in(zone, bob.owner)
        for moment in (local(zone, date, 0), local(zone, date + DAY, 0) - MINUTE):
            refused = self.send(bob, moment, exam_date=str(date - DAY))
            assert refused.status_code == 400
            assert 'aria-invalid="true"' in refused.text
            assert not ExamPlan.objects.filter(exam_date__isnull=False).exists()
            assert self.send(bob, moment, exam_date=str(date)).status_code == 302
            ExamPlan.objects.all().delete()

    def test_a_newcomers_day_follows_their_browser(self, exam):
        """In Los Angeles it is still the 9th when in Kolkata it is already the 10th."""
        moment = dt.datetime(2026, 12, 10, 5, 0, tzinfo=dt.UTC)
        assert self.send(Client(), moment, exam_date="2026-12-09", zone=KOLKATA).status_code == 400
        assert self.send(Client(), moment, exam_date="2026-12-09").status_code == 400
        assert not Learner.objects.exists()
        assert self.send(Client(), moment, exam_date="2026-12-09", zone=LOS_ANGELES).status_code == 302
        assert Learner.objects.get().time_zone == LOS_ANGELES

    def test_an_exam_date_that_has_passed_stays_and_can_be_changed(self, bob, exam):
        set_plan(bob.owner, exam, dt.date(2026, 11, 2), None, NOW)
        plan = ExamPlan.objects.get()
        for fields, status, kept in (
            ({"exam_date": "2026-11-02", "minutes_a_day": "25"}, 302, dt.date(2026, 11, 2)),
            ({"exam_date": "2026-11-03", "minutes_a_day": "45"}, 400, dt.date(2026, 11, 2)),
            ({"exam_date": "2026-12-03", "minutes_a_day": "25"}, 302, dt.date(2026, 12, 3)),
            ({"exam_date": "", "minutes_a_day": "25"}, 302, None),
        ):
            assert self.send(bob, NOW, **fields).status_code == status
            plan.refresh_from_db()
            assert (plan.exam_date, plan.minutes_a_day) == (kept, 25)

    @every_day
    def test_the_outcome_can_be_given_from_the_exam_day(self, alice, exam, zone, date, hours):
        learner = learner_in(zone, alice.owner)
        plan = ExamPlan.objects.create(learner=learner, exam=exam, exam_date=date)
        with pytest.raises(NotPossible):
            tell_outcome(alice.owner, exam, "passed", local(zone, date, 0) - MINUTE)
        tell_outcome(alice.owner, exam, "passed", local(zone, date, 0))
        plan.refresh_from_db()
        assert plan.told_at


class TestPrintedTimes:
    @pytest.mark.parametrize(
        ("zone", "moment", "printed"),
        [
            (BERLIN, "2027-03-28T00:59:00", "28 March 2027, 01:59 CET"),
            (BERLIN, "2027-03-28T01:00:00", "28 March 2027, 03:00 CEST"),
            (BERLIN, "2026-10-25T00:30:00", "25 October 2026, 02:30 CEST"),
            (BERLIN, "2026-10-25T01:30:00", "25 October 2026, 02:30 CET"),
            (LOS_ANGELES, "2027-03-14T09:59:00", "14 March 2027, 01:59 PST"),
            (LOS_ANGELES, "2027-03-14T10:00:00", "14 March 2027, 03:00 PDT"),
            (LOS_ANGELES, "2026-11-01T08:30:00", "1 November 2026, 01:30 PDT"),
            (LOS_ANGELES, "2026-11-01T09:30:00", "1 November 2026, 01:30 PST"),
            (KOLKATA, "2026-10-24T18:29:00", "24 October 2026, 23:59 IST"),
            (KOLKATA, "2026-10-24T18:30:00", "25 October 2026, 00:00 IST"),
        ],
    )
    def test_history_and_results_use_the_learners_zone(self, alice, exam, zone, moment, printed):
        learner_in(zone, alice.owner)
        at = dt.datetime.fromisoformat(moment).replace(tzinfo=dt.UTC)
        session = answered(alice.owner, exam, at)
        assert printed in alice.get(reverse("history")).text
        assert printed in alice.get(reverse("results", args=[session.uuid])).text

    def test_a_booklet_shows_the_date_in_the_learners_zone(self, alice, exam):
        """Half past seven in the evening UTC is the next day in Kolkata, and still the same day in Los Angeles."""
        session = answered(alice.owner, exam, dt.datetime(2026, 10, 24, 19, 30, tzinfo=dt.UTC))
        for zone, day in ((KOLKATA, 25), (LOS_ANGELES, 24)):
            learner_in(zone, alice.owner)
            assert f"{day} October 2026" in alice.get(reverse("booklet", args=[session.uuid])).text

    @pytest.mark.parametrize("zone", [BERLIN, LOS_ANGELES, KOLKATA])
    def test_a_mock_across_a_clock_change_keeps_its_minutes(self, alice, exam, zone):
        learner_in(zone, alice.owner)
        date = {name: day for name, day, hours in DAYS if hours == 23}.get(zone, DAYS[-1][1])
        begun = local(zone, date, 1, 30)
        session = begin_mock(alice.owner, exam, now=begun)
        assert session.deadline - begun == dt.timedelta(minutes=session.minutes)
        ends = session.deadline.astimezone(zoneinfo.ZoneInfo(zone))
        with time_machine.travel(begun, tick=False):
            assert f"{ends:%H:%M}" in alice.get(reverse("mock", args=["pmle"])).text


class TestReportedZones:
    def test_a_public_pages_answer_reports_the_time_zone(self, exam):
        client = Client()
        number = Question.objects.first().number
        fields = {"question": number, "slot": "1"}
        client.post(reverse("answer", args=["pmle"]), fields | {"zone": BERLIN}, **OWN)
        assert Learner.objects.get().time_zone == BERLIN
        client.post(reverse("answer", args=["pmle"]), fields | {"zone": "Mars/Olympus"}, **OWN)
        client.post(reverse("answer", args=["pmle"]), fields, **OWN)
        assert Learner.objects.get().time_zone == BERLIN

    def test_a_chosen_zone_overrides_the_browsers(self, bob, exam):
        mock = begin_mock(bob.owner, exam)
        bob.post(reverse("account_zone"), {"chosen": KOLKATA, "zone": BERLIN})
        claim = json.dumps({"zone": LOS_ANGELES})
        bob.post(reverse("claim", args=[mock.uuid]), claim, content_type="application/json")
        learner = Learner.objects.get()
        assert str(zone_of(learner)) == KOLKATA
        assert KOLKATA in bob.get(reverse("account_home")).text
        bob.post(reverse("account_zone"), {"chosen": "browser", "zone": BERLIN})
        learner.refresh_from_db()
        assert str(zone_of(learner)) == BERLIN

    def test_an_unknown_zone_cannot_be_chosen(self, bob):
        for name in ("Mars/Olympus", "../etc/passwd", ""):
            assert bob.post(reverse("account_zone"), {"chosen": name}).status_code == 400
        assert not Learner.objects.exists()

    def test_a_guests_zone_is_adopted_if_the_user_has_none(self, bob, exam):
        for zone, kept in ((BERLIN, BERLIN), (KOLKATA, BERLIN)):
            other, _ = guest()
            learner_in(zone, other)
            assert adopt(other, bob.owner, NOW)
            assert Learner.objects.get().time_zone == kept

    def test_the_choices_are_grouped_and_every_one_of_them_is_a_zone(self):
        groups = dict(zone_choices())
        assert {"Europe", "America", "Asia"} <= groups.keys()
        names = [name for group in groups.values() for name, _ in group]
        assert {BERLIN, LOS_ANGELES, KOLKATA, "UTC"} <= set(names) <= zone_names()
        assert len(names) == len(set(names))
        assert ("America/Argentina/Buenos_Aires", "Argentina, Buenos Aires") in groups["America"]

    def test_the_chosen_zone_is_deleted_and_exported_with_the_rest(self, bob):
        choose_time_zone(bob.owner, BERLIN, KOLKATA, NOW)
        facts = json.loads(bob.get(reverse("export-json")).getvalue())["learner"]
        assert (facts["chosen_zone"], facts["time_zone"]) == (BERLIN, KOLKATA)
