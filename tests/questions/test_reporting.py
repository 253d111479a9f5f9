"""A report is stored once per person and text, limited by the hour and answered once; deleted accounts aren't named."""

import datetime as dt
import threading
from smtplib import SMTPException

import pytest
from django.core import mail
from django.core.cache import cache
from django.db import IntegrityError, connection, transaction

from courseiva.accounts.models import User
from questions.models import ContentReport, Question, ReportKind, ReportState
from questions.reports import report as outcomes
from questions.reports.admin import KNOWN_ALREADY, AnswerForm
from questions.reports.errors import AlreadyAnswered, ReportError, ReportRefused, TooManyReports
from questions.reports.reads.reporters import Reporter, network_of
from questions.reports.report import (
    HOURLY_LIMIT,
    Answer,
    Complaint,
    answer_report,
    fingerprint,
    report,
    reword,
)
from questions.tasks import tell_outcomes
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.hooks import figures

pytestmark = pytest.mark.django_db
GUEST = Reporter(network="192.0.2.7")
DECLINED = Answer(ReportState.DECLINED, "The source says so.")


@pytest.fixture
def version():
    return add_questions(make_exam(), 1)[0]


def person(name):
    return User.objects.create_user(f"{name}@example.org", "a long enough password", display_name=name.title())


@pytest.fixture
def alice():
    return person("alice")


@pytest.fixture
def editor():
    return person("edith")


def said(text="It is wrong.", slot=None, kind=ReportKind.FACT):
    return Complaint(kind, text, slot)


def test_a_report_records_its_text_and_reporter(version, alice):
    made = report(version, said("Wrong.", 2, ReportKind.KEY), Reporter(user_id=alice.pk), NOW)
    made.refresh_from_db()
    assert (made.version, made.slot, made.kind, made.text) == (version, 2, "key", "Wrong.")
    assert (made.reporter, made.made_at, made.state) == (alice, NOW, ReportState.OPEN)
    assert made.option_text == "Thing 2 of 1"
    assert report(version, said(), GUEST, NOW).option_text == ""


def test_the_same_words_by_the_same_person_on_the_same_version_are_one_report(version, alice):
    mine = Reporter(user_id=alice.pk)
    first = report(version, said("It  is\nWRONG."), mine, NOW)
    assert report(version, said(" it is wrong. ", 1, ReportKind.KEY), mine, NOW) == first
    others = [
        report(version, said(), GUEST, NOW),
        report(version, said(), Reporter(network="192.0.2.8"), NOW),
        report(version, said("It is very wrong."), mine, NOW),
        report(Question.objects.get(number=2).live_version, said(), mine, NOW),
    ]
    assert len({first.pk, *(other.pk for other in others)}) == 5


def test_a_reporters_mark_does_not_identify_them():
    assert "192.0.2.7" not in fingerprint(1, "x", GUEST)
    assert fingerprint(1, "x", GUEST) != fingerprint(1, "x", Reporter(user_id=7))


def test_an_ipv6_network_counts_as_one_person():
    assert network_of("2001:db8:1:2:3::4") == network_of("2001:db8:1:2:ffff::1") == "2001:db8:1:2::/64"
    assert network_of("2001:db8:1:3::1") != network_of("2001:db8:1:2::1")
    assert (network_of("192.0.2.7"), network_of("a socket")) == ("192.0.2.7", "a socket")


@pytest.mark.parametrize(
    ("complaint", "code"),
    [(said(" \n"), "no-text"), (said("x" * 2001), "too-long"), (said(slot=9), "unknown-option")],
)
def test_an_invalid_report_is_refused(version, complaint, code):
    with pytest.raises(ReportRefused) as refusal:
        report(version, complaint, GUEST, NOW)
    assert refusal.value.code == code
    assert not ContentReport.objects.exists()


def test_the_limit_is_ten_reports_an_hour_and_the_refusal_says_when_it_ends(version, alice):
    for n in range(HOURLY_LIMIT):
        report(version, said(f"Wrong {n}"), GUEST, NOW)
    with pytest.raises(TooManyReports) as caught:
        report(version, said("Once more"), GUEST, NOW + dt.timedelta(minutes=15))
    assert isinstance(caught.value, ReportError)
    assert caught.value.minutes == 45
    assert figures(str(caught.value)) == [HOURLY_LIMIT, 45]
    assert report(version, said("Wrong 3"), GUEST, NOW).text == "Wrong 3"  # a repeated report isn't counted again
    assert report(version, said("Once more"), Reporter(user_id=alice.pk), NOW)
    assert report(version, said("Counted elsewhere"), GUEST, NOW, limited=False)
    assert report(version, said("Once more"), GUEST, NOW + dt.timedelta(hours=1))


def test_without_a_cache_nobody_is_refused(version, monkeypatch):
    def dropped(*_):
        raise ValueError

    monkeypatch.setattr(cache, "incr", dropped)
    for n in range(HOURLY_LIMIT + 1):
        report(version, said(f"Wrong {n}"), GUEST, NOW)
    assert ContentReport.objects.count() == HOURLY_LIMIT + 1


def test_an_answer_is_stored_with_its_editor_and_time(version, editor):
    made = report(version, said(), GUEST, NOW)
    done = answer_report(made.pk, Answer(ReportState.ACCEPTED, " Mended. ", "A number\nmended. "), 0, editor, NOW)
    assert (done.state, done.outcome, done.public_note) == ("accepted", "Mended.", "A number mended.")
    assert (done.answered_by, done.answered_at, done.answers) == (editor, NOW, 1)


def test_the_second_editor_is_refused_and_shown_the_first_answer(version, editor):
    made = report(version, said(), GUEST, NOW)
    answer_report(made.pk, DECLINED, 0, editor, NOW)
    with pytest.raises(AlreadyAnswered) as refusal:
        answer_report(made.pk, Answer(ReportState.ACCEPTED, "Mended."), 0, person("frank"), NOW)
    assert all(part in str(refusal.value) for part in ("Edith", "declined", "The source says so."))
    made.refresh_from_db()
    assert (made.state, made.answered_by) == ("declined", editor)


def test_an_editor_who_has_seen_the_answer_may_correct_the_question(version, editor):
    made = report(version, said(), GUEST, NOW)
    answer_report(made.pk, DECLINED, 0, editor, NOW)
    done = answer_report(made.pk, Answer(ReportState.ACCEPTED, "Mended after all."), 1, editor, NOW)
    assert (done.state, done.answers) == ("accepted", 2)


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (Answer(ReportState.OPEN, "Later."), "no-decision"),
        (Answer(ReportState.ACCEPTED, "  "), "no-outcome"),
        (Answer(ReportState.DECLINED, "No.", "A note"), "note-without-change"),
    ],
)
def test_an_incomplete_answer_is_refused(version, editor, answer, code):
    made = report(version, said(), GUEST, NOW)
    with pytest.raises(ReportRefused) as refusal:
        answer_report(made.pk, answer, 0, editor, NOW)
    assert refusal.value.code == code


@pytest.mark.parametrize(("typed", "outcome"), [(" ", KNOWN_ALREADY), ("See report 7.", "See report 7.")])
def test_a_duplicate_has_a_prepared_answer(version, typed, outcome):
    made = report(version, said(), GUEST, NOW)
    form = AnswerForm({"state": ReportState.DUPLICATE, "outcome": typed, "seen": 0}, instance=made)
    assert form.is_valid(), form.errors
    assert form.answer().outcome == outcome


def test_the_database_refuses_half_an_answer(version):
    made = report(version, said(), GUEST, NOW)
    for fields in ({"state": "declined"}, {"answered_at": NOW}, {"public_note": "Too early"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            ContentReport.objects.filter(pk=made.pk).update(**fields)


def test_deleting_an_account_leaves_the_report_without_the_name(version, alice, editor):
    made = report(version, said(), Reporter(user_id=alice.pk), NOW)
    answer_report(made.pk, DECLINED, 0, editor, NOW)
    alice.delete()
    editor.delete()
    made.refresh_from_db()
    assert (made.reporter, made.answered_by, made.outcome) == (None, None, DECLINED.outcome)


@pytest.mark.django_db(transaction=True)
def test_a_signed_in_reporter_is_mailed_each_answer_once(version, alice, editor, settings):
    settings.SITE_URL = "https://learn.example.org"
    made = report(version, said("Line one\nline two"), Reporter(user_id=alice.pk), NOW)
    report(version, said(), GUEST, NOW)
    answer_report(made.pk, DECLINED, 0, editor, dt.datetime.now(dt.UTC))
    [message] = mail.outbox
    assert message.to == ["alice@example.org"]
    assert "declined" in message.subject
    for part in ("Alice", "Line one\nline two", "The source says so.", "Situation 1", "PMLE"):
        assert part in message.body
    assert f"https://learn.example.org/reports/{made.token}/" in message.body
    assert "edith" not in message.body.lower()
    assert tell_outcomes() == 0
    answer_report(made.pk, Answer(ReportState.ACCEPTED, "Mended after all."), 1, editor, dt.datetime.now(dt.UTC))
    assert ["declined" in mail.outbox[0].subject, "accepted" in mail.outbox[1].subject] == [True, True]


@pytest.mark.django_db(transaction=True)
def test_a_mail_that_could_not_be_sent_is_sent_by_the_sweeper(version, alice, editor, monkeypatch):
    def fails(*_):
        raise SMTPException("not now")

    real, now = outcomes.send_mail, dt.datetime.now(dt.UTC)
    monkeypatch.setattr(outcomes, "send_mail", fails)
    made = report(version, said(), Reporter(user_id=alice.pk), NOW)
    answer_report(made.pk, DECLINED, 0, editor, now)
    assert mail.outbox == []
    monkeypatch.setattr(outcomes, "send_mail", real)
    assert outcomes.tell_waiting(now + outcomes.TRIED_FOR) == 0  # by then the answer is too old to be mailed
    assert outcomes.tell_waiting(now) == 1
    assert len(mail.outbox) == 1


def test_guests_and_closed_accounts_get_no_mail(version, alice, editor):
    User.objects.filter(pk=alice.pk).update(is_active=False)
    for reporter in (GUEST, Reporter(user_id=alice.pk)):
        answer_report(report(version, said(), reporter, NOW).pk, DECLINED, 0, editor, NOW)
    assert outcomes.tell_waiting(NOW) == 0
    assert mail.outbox == []


@pytest.mark.django_db(transaction=True)
def test_of_many_simultaneous_answers_by_editors_only_one_is_stored(needs_postgres, version, editor):
    made = report(version, said(), GUEST, NOW)
    results = []

    def answer(n):
        try:
            answer_report(made.pk, Answer(ReportState.DECLINED, f"Editor {n}"), 0, editor, NOW)
            results.append(n)
        except AlreadyAnswered as error:
            results.append(error.report.outcome)
        finally:
            connection.close()

    threads = [threading.Thread(target=answer, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    [winner] = [n for n in results if isinstance(n, int)]
    assert [text for text in results if text != winner] == [f"Editor {winner}"] * 7


@pytest.mark.django_db(transaction=True)
def test_one_report_sent_many_times_at_once_is_stored_once(needs_postgres, version):
    def send():
        report(version, said(), GUEST, NOW)
        connection.close()

    threads = [threading.Thread(target=send) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ContentReport.objects.count() == 1


def test_an_open_report_follows_edits_to_its_source(version, alice):
    mine = Reporter(user_id=alice.pk)
    first = report(version, said("Wrong.", 2), mine, NOW)
    second = "Both are wrong."
    assert reword(first.pk, version, said(second), mine)
    first.refresh_from_db()
    assert (first.text, first.slot, first.kind, first.state) == (second, None, "fact", ReportState.OPEN)
    assert report(version, said("both are  WRONG."), mine, NOW) == first
    assert report(version, said("Wrong.", 2), mine, NOW) != first


def test_two_reports_by_one_person_may_be_edited_into_the_same_text(version, alice):
    mine = Reporter(user_id=alice.pk)
    first, second = report(version, said("Wrong."), mine, NOW), report(version, said("Right."), mine, NOW)
    assert reword(second.pk, version, said("Wrong."), mine)
    second.refresh_from_db()
    assert second.text == "Wrong."
    assert report(version, said("Wrong."), mine, NOW) == first


def test_an_answered_report_keeps_its_wording(version, editor):
    made = report(version, said("Wrong."), GUEST, NOW)
    answer_report(made.pk, DECLINED, 0, editor, NOW)
    assert not reword(made.pk, version, said("Right."), GUEST)
    made.refresh_from_db()
    assert made.text == "Wrong."
    assert report(version, said("Wrong."), GUEST, NOW) == made


@pytest.mark.parametrize("complaint", [said(" "), said("x" * 2001), said("x", 99)])
def test_a_report_does_not_follow_an_edit_that_would_be_refused(version, complaint):
    made = report(version, said("Wrong."), GUEST, NOW)
    with pytest.raises(ReportRefused):
        reword(made.pk, version, complaint, GUEST)
