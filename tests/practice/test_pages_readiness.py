"""The progress page states readiness and its uncertainty, recommends the same step as the hub, and asks the outcome."""

import datetime as dt
import re
from collections import Counter

import numpy as np
import pytest
from django.urls import reverse
from django.utils import timezone

from practice.measurement.calibration.nightly import calibrate_exam
from practice.measurement.calibration.rules.clusters import bootstrap
from practice.models import ExamPlan, Forecast, Outcome, PracticeSession, ReadinessSnapshot, SessionItem, ToldOutcome
from practice.notebook.plan import set_plan
from practice.readiness.derive.analyse import analyse
from practice.readiness.reads.honesty import LEAST, LEAST_TOLD, Tested, bands, brier, by_answers
from practice.readiness.reads.page import bounded
from practice.readiness.reads.progress import Trend, TrendPoint
from practice.sessions.player import save as saving
from practice.sessions.player.check import check
from questions.models import Blueprint, Concept, Domain, QuestionVersion
from tests.practice.test_analysis import DAY, sit
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.hooks import codes, figures, parsed, states
from tests.support.sessions import batch, begin_drill, begin_mock, right_places, seconds, state
from tests.support.tallies import forget_tallies

pytestmark = pytest.mark.django_db
STATEMENTS = 11


@pytest.fixture
def exam(time_machine_now):
    exam = make_exam()
    Blueprint.objects.update(question_count=12, minutes=24)
    add_questions(exam, 14)
    return exam


@pytest.fixture
def time_machine_now(time_machine):
    time_machine.move_to(seconds(3 * DAY), tick=False)


def page(client, name="readiness"):
    return re.sub(r"\s+", " ", client.get(reverse(name, args=["pmle"])).text)


def make_concept(exam, domain, key):
    return Concept.objects.create(domain=Domain.objects.get(exam=exam, key=domain), key=key, name=key.title())


def test_a_visitor_is_told_how_to_begin(exam, client):
    text = page(client)
    assert states(text) == ["too-early"]
    assert 'data-step="measure"' in text


def test_below_thirty_answers_the_page_says_what_is_missing_and_predicts_nothing(exam, alice):
    sit(alice.owner, exam, 0.8, day=0)
    shown = parsed(page(alice))
    assert figures(shown.select_one("[data-state=too-early] strong").text) == [18]
    assert not shown.select("svg.range")


@pytest.mark.long("many requests")
def test_domains_below_three_answers_have_no_figure_and_the_button_drills_them(exam, alice):
    """Two domains lack at least one answer, so the page names them and its button drills only those two."""
    add_questions(exam, 60, domains=("d1", "d2", "d3", "d4"))
    drill = begin_drill(alice.owner, exam, seconds(0), size=40, order="random", domains=("d1", "d2", "d3", "d4"))
    for n in range(1, 41):
        check(drill.uuid, alice.owner, state(n, 1, *right_places(drill, n)), None, seconds(n))
    analyse(drill.pk, seconds(100))
    response = alice.get(reverse("readiness", args=["pmle"]))
    shown, told = parsed(response), response.context["page"]
    assert [line.share is None for line in told.domains] == [False] * 4 + [True] * 2
    assert len(shown.select("#domains [data-state=few]")) == 2
    assert figures(shown.select_one("[data-state=too-early] strong").text) == [told.verdict.missing]
    assert [domain.number for domain in told.verdict.lacking] == [5, 6]
    form = shown.select_one("#next form")
    sent = [(field["name"], field["value"]) for field in form.select("input[type=hidden]") if field.get("name")]
    fields = {name: [value for each, value in sent if each == name] for name, _ in sent}
    assert (fields["domain"], fields["size"]) == (["d5", "d6"], [str(told.verdict.missing)])
    started = alice.post(form["action"], fields, HTTP_SEC_FETCH_SITE="same-origin")
    dealt = PracticeSession.objects.get(uuid=started["location"].strip("/").split("/")[-1])
    keys = Counter(dealt.items.values_list("version__domain__key", flat=True))
    assert (keys.total(), set(keys)) == (told.verdict.missing, {"d5", "d6"})
    assert min(keys.values()) >= 3


def test_the_page_says_when_difficulties_are_not_yet_measured(exam, alice):
    for day in range(3):
        sit(alice.owner, exam, 0.8, day)
    assert parsed(page(alice)).select("[data-state=labels]")
    calibrate_exam(exam, lambda: seconds(4 * DAY))
    assert not parsed(page(alice)).select("[data-state=labels]")


def test_the_cost_of_a_break_is_stated_as_an_assumption(exam, alice):
    sit(alice.owner, exam, 0.8, day=0)
    assert len(parsed(page(alice)).select("[data-state=assumed]")) == 1


def test_only_a_plans_day_can_be_done_and_even_then_there_is_a_next_step(exam, alice):
    sit(alice.owner, exam, 0.8, day=0)
    ExamPlan.objects.all().delete()
    assert 'data-step="rest"' not in page(alice)
    set_plan(alice.owner, exam, None, 5, NOW)
    SessionItem.objects.update(answered_at=timezone.now(), seconds=300)
    forget_tallies()
    shown = parsed(page(alice))
    assert shown.select_one("[data-step=rest]")
    assert shown.select_one("#next a.btn")["href"].startswith(reverse("hub", args=["pmle"]))


def test_the_page_shows_the_chance_in_words_its_range_and_what_counts(exam, alice):
    for day in range(3):
        sit(alice.owner, exam, 0.25, day)
    response = alice.get(reverse("readiness", args=["pmle"]))
    shown, verdict = parsed(response), response.context["page"].verdict
    assert verdict.answers == 36
    chance, reach = shown.select("[data-state=not-yet] strong")
    assert figures(chance.text) == [verdict.chance, 100]
    assert figures(reach.text) == [verdict.low, verdict.high, 12]
    assert shown.select("svg.range")


@pytest.mark.long("many requests")
def test_the_page_has_its_parts_in_order_and_folds_only_the_charts_tables(exam, alice):
    for day in range(3):
        sit(alice.owner, exam, 0.9, day)
    SessionItem.objects.update(confidence=3)
    forget_tallies()
    text = page(alice)
    order = [text.index(part) for part in ("figure-number", 'id="trend"', 'id="next"', 'id="domains"', 'id="evidence"')]
    assert order == sorted(order)
    shown = parsed(text)
    parts = [section["id"] for section in shown.select("#evidence > section")]
    assert parts == ["due", "pace", "sureness", "misses", "activity"]
    for picture in ("trend", "domains", *parts):
        assert shown.select_one(f"#{picture} table"), picture
    for drawer in shown.select("main details"):
        assert drawer.select_one("table")
        assert drawer.parent.select_one("svg[role=img], .tiles")


class TestMap:
    def some(self, alice, exam, right, wrong):
        """Return a drill of domain 1, whose questions share a concept, with this many right and wrong answers."""
        drill = begin_drill(alice.owner, exam, seconds(0), size=right + wrong, order="random", domains=("d1",))
        for n in range(1, right + wrong + 1):
            places = right_places(drill, n)
            given = places if n <= right else (next(place for place in range(4) if place not in places),)
            check(drill.uuid, alice.owner, state(n, 1, *given, seconds=20), None, seconds(n))
        analyse(drill.pk, seconds(100))
        return drill

    @pytest.fixture
    def concept(self, exam):
        first, other = (make_concept(exam, "d1", key) for key in ("serving", "tuning"))
        for version in QuestionVersion.objects.filter(domain__key="d1"):
            version.concepts.add(first)
        QuestionVersion.objects.filter(domain__key="d2").first().concepts.add(make_concept(exam, "d2", "drift"))
        return first, other

    def tiles(self, alice):
        told = alice.get(reverse("readiness", args=["pmle"])).context["page"]
        return {tile.key: tile for line in told.domains for tile in line.tiles}

    @pytest.mark.parametrize(("right", "wrong", "state", "percent"), [(1, 1, "few", None), (2, 1, "read", 67)])
    @pytest.mark.long("many requests")
    def test_a_concepts_tile_has_a_figure_from_three_answers_on(
        self, exam, alice, concept, right, wrong, state, percent
    ):
        self.some(alice, exam, right, wrong)
        tile = self.tiles(alice)["serving"]
        assert (tile.score.right, tile.score.answered) == (right, right + wrong)
        assert (tile.state, tile.score.percent) == (state, percent)
        button = parsed(page(alice)).select_one("button[value=serving]")
        assert button["data-tile"] == state
        assert bool(button.select(".bar-fill")) == (percent is not None)

    @pytest.mark.parametrize(("right", "wrong", "state"), [(1, 1, "few"), (2, 1, "read")])
    @pytest.mark.long("many requests")
    def test_a_domain_has_a_share_from_three_answers_on_in_chart_and_table(
        self, exam, alice, concept, right, wrong, state
    ):
        self.some(alice, exam, right, wrong)
        shown = parsed(page(alice)).select("#domains [data-score]")
        picture, table = shown[0], shown[6]
        assert [each["data-score"] for each in (picture, table)] == [state] * 2
        assert [("%" in each.text) for each in (picture, table)] == [state == "read"] * 2
        assert {each["data-score"] for each in (*shown[1:6], *shown[7:])} == {"few"}, "nothing was answered there"

    @pytest.mark.long("many requests")
    def test_an_unmet_concept_is_dashed_and_one_without_a_question_has_no_tile(self, exam, alice, concept):
        self.some(alice, exam, 1, 0)
        assert (self.tiles(alice)["drift"].state, self.tiles(alice).get("tuning")) == ("unmet", None)
        assert parsed(page(alice)).select("button.tile--unmet[value=drift]")

    @pytest.mark.long("many requests")
    def test_a_tile_starts_a_drill_of_its_concept(self, exam, alice, concept):
        self.some(alice, exam, 1, 0)
        form = parsed(page(alice)).select_one("#domains form")
        fields = {field["name"]: field["value"] for field in form.select("input")} | {"concept": "serving"}
        started = alice.post(form["action"], fields, HTTP_SEC_FETCH_SITE="same-origin")
        dealt = PracticeSession.objects.get(uuid=started["location"].strip("/").split("/")[-1])
        assert all("serving" in item.version.concepts.values_list("key", flat=True) for item in dealt.items.all())
        assert dealt.total == 10

    def test_answers_in_a_running_mock_count_only_once_it_is_finished(self, exam, alice, concept):
        self.some(alice, exam, 2, 1)
        before = self.tiles(alice)["serving"].score
        running = begin_mock(alice.owner, exam, 12, seconds(200))
        saving.claim(running.uuid, alice.owner, seconds(200))
        answers = [state(n, 1, *right_places(running, n)) for n in range(1, 13)]
        saving.save(running.uuid, alice.owner, batch(1, *answers), seconds(201))
        assert self.tiles(alice)["serving"].score == before

    @pytest.mark.parametrize("change", [{"first_exposure": False}, {"variant_seen": True}, {"answered_at": None}])
    @pytest.mark.long("many requests")
    def test_only_first_answers_count(self, exam, alice, concept, change):
        drill = self.some(alice, exam, 3, 1)
        drill.items.filter(position=1).update(**change)
        forget_tallies()
        tile = self.tiles(alice)["serving"]
        assert (tile.score.right, tile.score.answered) == (2, 3)

    def test_the_scores_by_domain_and_overall_match_the_answers(self, exam, alice, concept):
        self.some(alice, exam, 2, 1)
        told = alice.get(reverse("readiness", args=["pmle"])).context["page"]
        assert (told.evidence.firsts.total.right, told.evidence.firsts.total.answered) == (2, 3)
        assert [line.score.answered for line in told.domains] == [3, 0, 0, 0, 0, 0]


@pytest.mark.long("many requests")
def test_the_trend_chart_shows_its_band_and_the_finished_mocks(exam, alice):
    for day in range(4):
        sit(alice.owner, exam, 0.5, day)
    told = alice.get(reverse("readiness", args=["pmle"])).context["page"].evidence.trend
    assert [point.mock for point in told.points] == [50] * len(told.points)
    assert [told.points[0].x, told.points[-1].x] == [0, 100]
    assert len(told.band.split()) == 2 * len(told.points)
    assert all(point.low <= point.middle <= point.high for point in told.points)


def test_the_pace_is_charted_from_ten_answers_on_and_split_at_the_exams_pace(exam, alice):
    sit(alice.owner, exam, 0.5)
    told = alice.get(reverse("readiness", args=["pmle"])).context["page"].evidence
    assert [bar.high for bar in told.pace][3] == told.exam_seconds == 120
    assert [(bar.right, bar.wrong) for bar in told.pace if bar.right or bar.wrong] == [(6, 6)]
    SessionItem.objects.filter(position__gt=9).update(seconds=0)
    forget_tallies()
    assert alice.get(reverse("readiness", args=["pmle"])).context["page"].evidence.pace == []


@pytest.mark.long("many requests")
def test_answers_that_were_sure_but_wrong_are_highlighted(exam, alice):
    sit(alice.owner, exam, 0.5)
    SessionItem.objects.update(confidence=3)
    forget_tallies()
    shown = parsed(page(alice))
    assert [cell.text for cell in shown.select("#sureness tbody tr td")] == ["6", "6"]
    assert shown.select_one("#sureness .sure-wrong").text == "6"


def test_the_hub_recommends_the_same_step(exam, alice):
    for day in range(3):
        sit(alice.owner, exam, 0.9, day)
    step = re.search(r'<p class="lede" data-step="\w+"><strong>(.*?)</strong>', page(alice))
    assert step
    assert step.group(1) in page(alice, "hub")


def test_the_next_step_starts_with_its_button(exam, alice):
    sit(alice.owner, exam, 0.8, day=0)
    text = page(alice)
    form = re.search(r'<form method="post" action="([^"]+)">(.*?)</form>', text)
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form.group(2)))
    response = alice.post(form.group(1), fields, headers={"sec-fetch-site": "same-origin"})
    assert response.status_code == 302
    assert "/practice/sessions/" in response["location"]


def test_the_statement_count_does_not_grow_with_the_past(exam, alice, django_assert_max_num_queries):
    for day in range(3):
        sit(alice.owner, exam, 0.8, day)
        with django_assert_max_num_queries(STATEMENTS):
            page(alice)


def test_no_chance_is_shown_as_certain():
    assert [bounded(chance) for chance in (0, 0.0049, 0.5, 0.9999, 1)] == [1, 1, 50, 99, 99]


class TestPlan:
    def post(self, client, name="plan", **fields):
        return client.post(reverse(name, args=["pmle"]), fields, headers={"sec-fetch-site": "same-origin"})

    def asks(self, client):
        return f'action="{reverse("outcome", args=["pmle"])}"' in page(client)

    def test_a_plan_is_kept_and_shown(self, exam, alice):
        sit(alice.owner, exam, 0.8, day=0)
        assert self.post(alice, exam_date="2026-12-20", minutes_a_day="25").status_code == 302
        text = page(alice)
        assert 'value="2026-12-20"' in text
        assert figures(parsed(text).select_one("#next .help").text) == [26, 6, 0, 25]

    def test_the_plan_form_is_unfolded_beside_the_next_step_for_strangers_too(self, exam, alice, client):
        sit(alice.owner, exam, 0.8, day=0)
        for visitor in (alice, client):
            shown = parsed(page(visitor))
            assert shown.select_one("#next + #plan input[name=exam_date]")
            assert not shown.select("details #plan, details input[name=exam_date]")

    def test_an_invalid_date_is_reported_and_the_old_one_kept(self, exam, alice):
        self.post(alice, exam_date="2026-12-20")
        response = self.post(alice, exam_date="soon")
        assert response.status_code == 400
        assert codes(response.context["plan_form"]) == {"exam_date": ["invalid"]}
        assert "id_exam_date_error" in response.text
        assert ExamPlan.objects.get().exam_date == dt.date(2026, 12, 20)

    def test_another_site_cannot_change_the_plan(self, exam, alice):
        response = alice.post(reverse("plan", args=["pmle"]), {}, headers={"sec-fetch-site": "cross-site"})
        assert response.status_code == 403

    def test_the_outcome_is_asked_for_once_the_day_after_and_kept_without_the_name(self, exam, alice):
        for day in range(3):
            sit(alice.owner, exam, 0.9, day)
        set_plan(alice.owner, exam, dt.date(2026, 11, 23), None, NOW)
        said = ReadinessSnapshot.objects.filter(at__date__lte=dt.date(2026, 11, 23)).order_by("at").last().chance
        assert self.asks(alice)
        response = self.post(alice, "outcome", outcome="not_passed")
        assert response["location"].endswith("?said=not-passed")
        told = ToldOutcome.objects.get()
        assert (told.outcome, told.band) == (Outcome.NOT_PASSED, min(int(10 * said), 9))
        assert not {field.name for field in ToldOutcome._meta.get_fields()} & {"learner", "user", "plan", "session"}
        assert not self.asks(alice)
        self.post(alice, "outcome", outcome="passed")
        assert ToldOutcome.objects.count() == 1

    def test_outcomes_of_different_exam_dates_are_kept_apart(self, exam, alice):
        set_plan(alice.owner, exam, dt.date(2026, 12, 24), None, NOW)
        assert not self.asks(alice)
        self.post(alice, "outcome", outcome="passed")
        assert not ToldOutcome.objects.exists()


class TestCalibrationPage:
    def test_the_calibration_page_shows_no_figures_while_answers_are_few(self, exam, client):
        text = page(client, "calibration")
        assert states(text) == ["empty"]
        assert 'id="brier"' not in text

    def test_the_calibration_page_shows_predictions_beside_outcomes(self, exam, alice, client):
        session = sit(alice.owner, exam, 0.8)
        for n in range(LEAST):
            copy = type(session).objects.get(pk=session.pk)
            copy.pk, copy.uuid = None, None
            copy.uuid = __import__("uuid").uuid4()
            copy.save()
            Forecast.objects.create(
                session=copy, exam=exam, chance=0.85 if n % 2 else 0.15, low=6, high=10, score=9 if n % 2 else 3,
                passed=bool(n % 2),
            )  # fmt: skip
        ToldOutcome.objects.bulk_create(
            ToldOutcome(exam=exam, band=8, outcome="passed", month=dt.date(2026, 11, 1)) for _ in range(LEAST_TOLD)
        )
        response = client.get(reverse("calibration", args=["pmle"]))
        told = response.context["page"]
        assert (told.n, told.in_range.value, told.in_range.low, told.learners) == (LEAST, 50, None, 1)
        text = re.sub(r"\s+", " ", response.text)
        assert '<span class="figure-number">0.022</span>' in text.replace("0.023", "0.022")
        assert [n for n in figures(parsed(text).select_one("#brier .figure-evidence").text) if n in (LEAST, 50)]
        assert f"{LEAST_TOLD} of {LEAST_TOLD}, 100%" in text

    def test_the_page_is_the_same_for_everybody_and_sets_no_cookie(self, exam, alice, client):
        responses = [someone.get(reverse("calibration", args=["pmle"])) for someone in (alice, client)]
        assert responses[0].content == responses[1].content
        assert not responses[1].cookies


def test_the_brier_score_and_the_bands_match_the_predictions():
    pairs = [(0.95, True), (0.95, False), (1.0, True), (0.05, False)]
    assert brier(pairs) == pytest.approx((0.05**2 + 0.95**2 + 0 + 0.05**2) / 4)
    found = bands([Tested(n, 40, chance, passed, True) for n, (chance, passed) in enumerate(pairs)])
    assert [(band.low, band.n, band.came) for band in found] == [(0, 1, 0), (90, 3, 67)]
    assert all(band.came_low <= band.came <= band.came_high for band in found)
    with pytest.raises(ValueError):  # noqa: PT011
        brier([])


def test_repeats_of_one_learner_widen_the_interval_and_add_no_certainty():
    once = bands([Tested(n, 40, 0.85, n % 4 > 0, True) for n in range(20)])[0]
    often = bands([Tested(n % 20, 40, 0.85, n % 4 > 0, True) for n in range(200)])[0]
    many = bands([Tested(n, 40, 0.85, n % 4 > 0, True) for n in range(200)])[0]
    assert (often.came_low, often.came_high) == (once.came_low, once.came_high)
    assert many.width < once.width / 2


def test_the_bootstrap_draws_whole_learners_and_covers_the_truth_as_often_as_it_claims():
    """With ten values from each of 40 learners, drawing 400 single values would cover the mean only half the time."""
    rng = np.random.default_rng(5)
    who = np.repeat(np.arange(40), 10)
    held = 0
    for _ in range(100):
        low, high = bootstrap(rng.normal(size=40)[who] + rng.normal(0, 0.3, 400), who)
        held += low <= 0 <= high
    assert 88 <= held <= 99


def test_predictions_are_grouped_by_the_answers_behind_them():
    tests = [Tested(n, answers, 0.5, True, n > 0) for n, answers in enumerate([30, 59, 60, 500, None])]
    found = by_answers(tests)
    assert [(each.low, each.high, each.n, each.in_range) for each in found] == [
        (30, 59, 2, 50), (60, 119, 1, 100), (240, None, 1, 100),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("places", "labelled"),
    [([0, 100], [100, 0]), ([0, 20, 100], [100, 20]), ([40, 50, 60], [60]), ([0, 45, 80], [80, 45, 0]), ([], [])],
)
def test_mocks_close_in_time_share_the_newest_label(places, labelled):
    points = [TrendPoint(NOW, 80, 60, 90, 30, x, mock=75) for x in places]
    shown = Trend(points)
    assert [point.x for point in shown.labelled] == labelled
    assert len(shown.mocks) == len(places)


def test_a_fresh_start_is_not_offered_before_anything_was_done(exam, alice):
    address = reverse("afresh", args=["pmle"])
    assert not parsed(alice.get(reverse("readiness", args=["pmle"]))).select(f"a[href='{address}']")
    sit(alice.owner, exam, 0.5)
    assert parsed(alice.get(reverse("readiness", args=["pmle"]))).select(f"a[href='{address}']")
