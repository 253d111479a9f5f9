"""A marked answer is compared with other people's from thirty first exposures on, and never in a running mock."""

import datetime as dt

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from courseiva.accounts.models import User
from practice.learners.reads.identity import Owner
from practice.learners.reads.simulated import DOMAIN
from practice.measurement.statistics.count import count_session, rebuild_statistics
from practice.measurement.statistics.reads import standing_of
from practice.models import PracticeSession
from practice.sessions.ending.finish import finish
from practice.sessions.player.check import check
from practice.sessions.player.reads.page import session_page
from questions.models import OptionStatistics, QuestionVersion, VersionStatistics
from questions.versions.statistics.models import SECONDS_BINS
from questions.versions.statistics.rules import LEAST_TOLD
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.hooks import parsed
from tests.support.sessions import begin_drill, begin_mock, state

pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]
SAME_SITE = {"HTTP_SEC_FETCH_SITE": "same-origin"}
ONE = 1  # seconds in the bin of 15 to 30


@pytest.fixture
def exam():
    exam = make_exam()
    add_questions(exam, 3)
    return exam


def answered(n):
    """Store statistics as if ``n`` people had answered each version in 15 to 30 s, two thirds with its first option."""
    times = [0] * (len(SECONDS_BINS) + 1)
    times[ONE] = n
    for version in QuestionVersion.objects.all():
        VersionStatistics.objects.update_or_create(version=version, defaults={"n": n, "right": n, "by_seconds": times})
        OptionStatistics.objects.update_or_create(version=version, slot=1, defaults={"n": n * 2 // 3})


def told(response):
    return parsed(response).select_one("[data-beside]")


@pytest.fixture
def drill(alice, exam):
    return begin_drill(alice.owner, exam, size=2, now=timezone.now())


def verdict(client, drill, seconds=70):
    check(drill.uuid, client.owner, state(1, 1, 0, seconds=seconds), None, timezone.now())
    return told(client.get(drill.get_absolute_url()))


@pytest.mark.parametrize(("n", "state_of"), [(0, "few"), (LEAST_TOLD - 1, "few"), (LEAST_TOLD, "told")])
def test_shares_are_shown_once_there_are_thirty_first_exposures(alice, drill, n, state_of):
    answered(n)
    box = verdict(alice, drill)
    assert (box["data-beside"], box["data-n"]) == (state_of, str(n))
    assert bool(box.select("[data-option]")) == bool(box.select("[data-median]")) == (state_of == "told")


def test_each_options_share_is_shown_under_its_letter_on_the_page(alice, drill):
    answered(30)
    box = verdict(alice, drill)
    item = drill.items.get(position=1)
    first = "ABCD"[item.option_order.index("1")]
    shares = {row["data-option"]: row.select_one(".num").text for row in box.select("[data-option]")}
    assert list(shares) == list("ABCD")
    assert shares == {letter: "67%" if letter == first else "0%" for letter in "ABCD"}


def test_the_learners_time_is_shown_beside_the_median(alice, drill):
    answered(30)
    line = verdict(alice, drill).select_one("[data-median]")
    assert SECONDS_BINS[ONE - 1] < int(line["data-median"]) <= SECONDS_BINS[ONE]
    assert line["data-own"] == "70"


def test_the_public_page_stays_the_same_and_its_verdict_shows_the_shares(alice, exam):
    question = QuestionVersion.objects.first().question
    before = alice.get(question.get_absolute_url()).content
    answered(30)
    assert alice.get(question.get_absolute_url()).content == before
    fields = {"question": question.number, "slot": "1"}
    response = alice.post(reverse("answer", args=["pmle"]), fields, HTTP_HX_REQUEST="true", **SAME_SITE)
    box = told(response)
    assert box["data-beside"] == "told"
    assert box.select_one("[data-median]")["data-own"] == "0"


def test_a_running_mock_neither_reads_nor_shows_the_shares(alice, exam, django_assert_max_num_queries):
    answered(30)
    mock = begin_mock(alice.owner, exam, now=timezone.now())
    with django_assert_max_num_queries(20) as asked:
        session_page(mock, timezone.now())
    assert not any("statistics" in query["sql"] for query in asked.captured_queries)
    for name in ("session", "booklet", "sheet", "finish"):
        assert told(alice.get(reverse(name, args=[mock.uuid]))) is None
    finish(mock.uuid, alice.owner, timezone.now())


def test_a_finished_mock_shows_the_shares_question_by_question(alice, exam):
    answered(30)
    mock = begin_mock(alice.owner, exam, now=timezone.now())
    finish(mock.uuid, alice.owner, timezone.now())
    box = told(alice.get(reverse("breakdown", args=[mock.uuid, 1])))
    assert box["data-beside"] == "told"


def others_mocks(exam, count, right, domain="e.example"):
    """Create ``count`` people whose first mocks each have ``right`` of ten questions right."""
    start = User.objects.count()
    for n in range(start, start + count):
        user = User.objects.create(email=f"u{n}@{domain}")
        mock = begin_mock(Owner(user_id=user.pk), exam)
        mock.items.update(selected=2)
        finish(mock.uuid, mock_owner(user), NOW + dt.timedelta(minutes=9))
        PracticeSession.objects.filter(pk=mock.pk).update(score=right, total=10)


def mock_owner(user):
    return Owner(user_id=user.pk)


def among(client, exam, score=6):
    mock = begin_mock(client.owner, exam, now=timezone.now())
    finish(mock.uuid, client.owner, timezone.now())
    PracticeSession.objects.filter(pk=mock.pk).update(score=score, total=10)
    return parsed(client.get(reverse("results", args=[mock.uuid]))).select_one("[data-among]")


def test_a_mock_has_a_percentile_once_there_are_thirty_other_first_mocks(alice, exam):
    others_mocks(exam, LEAST_TOLD - 1, right=4)
    assert among(alice, exam)["data-among"] == "few"
    others_mocks(exam, 1, right=6)
    cache.clear()  # other people's scores are cached for ten minutes
    mock = PracticeSession.objects.filter(learner__guest_key__isnull=False).get()
    assert standing_of(mock).percentile == int(100 * 29.5 / 30)


def test_other_learners_count_once_each_and_the_learners_own_score_not_at_all(alice, exam):
    others_mocks(exam, LEAST_TOLD, right=4)
    mine = begin_mock(alice.owner, exam, now=NOW)
    mine.items.update(selected=2)
    mine = finish(mine.uuid, alice.owner, NOW + dt.timedelta(minutes=9))
    PracticeSession.objects.filter(pk=mine.pk).update(score=4, total=10)
    mine.refresh_from_db()
    found = standing_of(mine)
    assert (found.others, found.below, found.same) == (LEAST_TOLD, 0, LEAST_TOLD)
    assert standing_of(mine) == found  # from the cache by now
    with CaptureQueriesContext(connection) as asked:
        assert standing_of(mine) == found
    assert len(asked) == 1
    assert "GROUP BY" not in asked[0]["sql"]
    other = PracticeSession.objects.exclude(pk=mine.pk).order_by("pk")[0]
    assert standing_of(other) == found


def test_repeated_empty_simulated_and_the_learners_own_mocks_are_not_compared(alice, exam):
    others_mocks(exam, 2, right=4)
    others_mocks(exam, 2, right=4, domain=DOMAIN)
    user = User.objects.filter(email__endswith="@e.example").first()
    again = begin_mock(mock_owner(user), exam, now=NOW + dt.timedelta(hours=1))
    again.items.update(selected=2)
    finish(again.uuid, mock_owner(user), NOW + dt.timedelta(hours=2))
    idle = User.objects.create(email="idle@e.example")
    finish(begin_mock(mock_owner(idle), exam).uuid, mock_owner(idle), NOW)
    mock = begin_mock(alice.owner, exam, now=timezone.now())
    mock = finish(mock.uuid, alice.owner, timezone.now())
    assert standing_of(mock).others == 2


def test_a_mock_of_questions_met_before_has_no_percentile(alice, exam):
    others_mocks(exam, LEAST_TOLD, right=4)
    among(alice, exam)
    mock = begin_mock(alice.owner, exam, now=timezone.now())
    mock.items.update(seen_before=True)
    finish(mock.uuid, alice.owner, timezone.now())
    assert not parsed(alice.get(reverse("results", args=[mock.uuid]))).select("[data-among]")


@pytest.mark.parametrize("demo", [False, True])
def test_simulated_people_count_only_in_the_demo(exam, settings, demo):
    settings.DEMO = demo
    user = User.objects.create(email=f"simulated@{DOMAIN}")
    drill = begin_drill(Owner(user_id=user.pk), exam, size=2)
    check(drill.uuid, Owner(user_id=user.pk), state(1, 1, 0, seconds=20), None, NOW)
    session = finish(drill.uuid, Owner(user_id=user.pk), NOW + dt.timedelta(minutes=1))
    count_session(session)
    counted = VersionStatistics.objects.filter(n__gt=0).count()
    assert counted == (1 if demo else 0)
    session.analysed_at = NOW
    session.save()
    rebuild_statistics()
    assert VersionStatistics.objects.filter(n__gt=0).count() == counted
