"""The plan is also an RFC 5545 calendar, at a secret address that can be renewed."""

import datetime as dt
import uuid

import pytest
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st

from practice.handover.forget import forget
from practice.models import ExamPlan, Learner
from practice.notebook.plan import set_plan
from practice.readiness.plan.feed.rules import LINE_OCTETS, Event, calendar_text, escaped, folded
from questions.models import Blueprint
from tests.practice.test_analysis import DAY, sit
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.hooks import parsed
from tests.support.sessions import guest, guest_client, seconds

pytestmark = pytest.mark.long("many requests")

TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=300)


def unfolded(text):
    return text.replace("\r\n ", "")


def unescaped(text):
    """Unescape a text value as RFC 5545, 3.3.11 says."""
    found, signs = "", iter(text)
    for sign in signs:
        if sign == "\\":
            after = next(signs)
            found += "\n" if after in "nN" else after
        else:
            found += sign
    return found


class TestText:
    @settings(deadline=None)
    @given(TEXT)
    def test_a_calendar_value_survives_a_round_trip_without_control_characters(self, text):
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        kept = "\n".join("".join(sign for sign in line if sign >= " " and sign != "\x7f") for line in lines)
        assert unescaped(unfolded(folded(escaped(text)))) == kept

    @settings(deadline=None)
    @given(TEXT)
    def test_no_line_exceeds_75_octets_and_no_character_is_cut(self, text):
        for line in folded(escaped(text)).split("\r\n"):
            assert len(line.encode()) <= LINE_OCTETS

    @settings(deadline=None)
    @given(TEXT, TEXT)
    def test_no_text_can_inject_a_line(self, summary, description):
        event = Event("u", dt.date(2026, 12, 31), summary, description, "https://example.org/")
        text = unfolded(calendar_text("Plan", [event], NOW))
        assert [line.partition(":")[0] for line in text.removesuffix("\r\n").split("\r\n")] == [
            "BEGIN", "VERSION", "PRODID", "X-WR-CALNAME", "REFRESH-INTERVAL;VALUE=DURATION", "X-PUBLISHED-TTL",
            "BEGIN", "UID", "DTSTAMP", "DTSTART;VALUE=DATE", "DTEND;VALUE=DATE", "SUMMARY", "DESCRIPTION", "URL",
            "TRANSP", "END", "END",
        ]  # fmt: skip

    def test_a_days_event_ends_when_the_next_day_begins(self):
        text = calendar_text("Plan", [Event("u", dt.date(2026, 12, 31), "a", "b", "c")], NOW)
        assert "DTSTART;VALUE=DATE:20261231\r\nDTEND;VALUE=DATE:20270101\r\n" in text


@pytest.mark.django_db
class TestFeed:
    @pytest.fixture
    def exam(self, time_machine):
        time_machine.move_to(seconds(3 * DAY), tick=False)
        exam = make_exam()
        Blueprint.objects.update(question_count=12, minutes=24)
        add_questions(exam, 14)
        return exam

    @pytest.fixture
    def planner(self, exam, alice):
        sit(alice.owner, exam, 0.4)
        set_plan(alice.owner, exam, seconds(3 * DAY).date() + dt.timedelta(20), 45, NOW)
        return alice

    def set_feed(self, client, **fields):
        return client.post(reverse("plan-feed", args=["pmle"]), fields, headers={"sec-fetch-site": "same-origin"})

    def address(self):
        return reverse("plan-calendar", args=[ExamPlan.objects.get().feed_token])

    def test_there_is_no_feed_until_the_learner_asks_for_one(self, planner, client):
        assert ExamPlan.objects.get().feed_token is None
        assert client.get(reverse("plan-calendar", args=[uuid.uuid4()])).status_code == 404

    def test_anyone_with_the_address_reads_the_days_without_a_login(self, exam, planner, client):
        self.set_feed(planner)
        shown = planner.get(reverse("plan", args=["pmle"]))
        assert parsed(shown).select_one("#feed")["value"].endswith(self.address())
        answer = client.get(self.address())
        assert answer["Content-Type"] == "text/calendar; charset=utf-8"
        assert "no-store" in answer["Cache-Control"]
        assert "noindex" in answer["X-Robots-Tag"]
        text = unfolded(answer.text)
        page = shown.context["page"]
        busy = [day.date for day in [page.today.day, *page.days] if day.entries or day.is_exam]
        dates = [line.partition(":")[2] for line in text.split("\r\n") if line.startswith("DTSTART")]
        assert dates[: len(busy)] == [f"{date:%Y%m%d}" for date in busy]
        assert dates[-1] == f"{page.plan.exam_date:%Y%m%d}"
        uids = [line for line in text.split("\r\n") if line.startswith("UID")]
        assert len(set(uids)) == len(uids)

    def test_renewing_or_stopping_the_feed_ends_the_old_address(self, planner, client):
        self.set_feed(planner)
        old = self.address()
        self.set_feed(planner)
        assert self.address() != old
        assert (client.get(old).status_code, client.get(self.address()).status_code) == (404, 200)
        last = self.address()
        self.set_feed(planner, close="on")
        assert client.get(last).status_code == 404

    def test_missed_days_disappear_from_the_feed(self, planner, client, time_machine):
        self.set_feed(planner)
        time_machine.move_to(seconds(9 * DAY), tick=False)
        dates = [line for line in client.get(self.address()).text.split("\r\n") if line.startswith("DTSTART")]
        assert min(dates) >= f"DTSTART;VALUE=DATE:{seconds(9 * DAY):%Y%m%d}"

    def test_setting_a_feed_leaves_other_learners_plans_alone(self, exam, planner):
        _, token = guest()
        self.set_feed(guest_client(token))
        assert Learner.objects.count() == 1, "a stranger is nobody yet"
        assert ExamPlan.objects.get().feed_token is None
        assert planner.post(reverse("plan-feed", args=["pmle"])).status_code == 403

    def test_the_feed_is_deleted_with_its_learner(self, planner, client):
        self.set_feed(planner)
        address = self.address()
        forget(Learner.objects.get(plans__feed_token__isnull=False).pk, NOW)
        assert client.get(address).status_code == 404
