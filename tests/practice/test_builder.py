"""The builder counts the questions it would draw, warns if they are too few, and saves named presets."""

import datetime as dt
import random
from urllib.parse import urlencode

import pytest
import time_machine
from django.http import QueryDict
from django.test import Client
from django.urls import reverse

from practice.handover.adopt import adopt
from practice.handover.forget import forget
from practice.learners.reads.identity import Owner
from practice.models import Confidence, DrillPreset, PracticeSession, Star
from practice.sessions.ending.finish import finish
from practice.sessions.player.check import check
from practice.start.builder.reads import FACETS, builder_page
from practice.start.forms import DrillForm
from practice.start.reads.drills import pick_drill
from practice.start.reads.fitting import DrillChoice
from practice.start.rules import Order, State
from questions.models import Question
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.families import add_family
from tests.support.hooks import codes, parsed, states
from tests.support.sessions import add_cards, begin_drill, begin_mock, guest, learner_of, right_places, state

pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]
SAME_SITE = {"HTTP_SEC_FETCH_SITE": "same-origin"}
LATER = NOW + dt.timedelta(days=30)


@pytest.fixture(autouse=True)
def _clock():
    with time_machine.travel(LATER, tick=False):
        yield


@pytest.fixture
def exam():
    exam = make_exam()
    add_questions(exam, 8)
    return exam


@pytest.fixture
def met(exam, alice):
    """Let Alice answer ten: three wrong, two right but guessed, the rest right and sure; one is starred."""
    drill = begin_drill(alice.owner, exam, NOW, size=10, ask_confidence=True)
    for position in range(1, 11):
        right = right_places(drill, position)[0]
        confidence = Confidence.GUESS if position in (4, 5) else Confidence.SURE
        answer = state(position, 1, (right + (position <= 3)) % 4, confidence=confidence)
        check(drill.uuid, alice.owner, answer, None, NOW)
    finish(drill.uuid, alice.owner, NOW)
    family = add_family(exam, size=3)
    missed = [drill.items.get(position=place).version.question for place in (1, 2, 3)]
    add_cards(alice.owner, [*missed, family[0].question])
    learner = learner_of(alice.owner, NOW)
    Star.objects.create(learner=learner, question_id=drill.items.get(position=6).version.question_id, made_at=NOW)
    return learner


def build(client, query="", **post):
    return client.get(reverse("builder", args=["pmle"]) + query)


def start(client, **fields):
    return client.post(reverse("drill", args=["pmle"]), fields, **SAME_SITE)


def keep(client, **fields):
    return client.post(reverse("preset", args=["pmle"]), fields, **SAME_SITE)


def units(picks):
    return len({pick.unit for pick in picks})


# What is counted


def test_each_state_counts_the_learners_own_answers(exam, met):
    counts = builder_page(exam, met, DrillChoice(), LATER).counts["state"]
    units = Question.objects.filter(pool="open").exclude(place__gt=1).count()
    seen = counts["all"] - counts["unseen"]
    assert (counts["all"], seen) == (units, 10)
    assert (counts["missed"], counts["guessed"], counts["starred"], counts["due"]) == (3, 2, 1, 4)


def test_a_number_shows_how_many_questions_one_more_choice_would_leave(exam, met):
    rng = random.Random(20)
    for _ in range(25):
        choice = DrillChoice(
            size=100,
            state=rng.choice(list(State)),
            domains=tuple(rng.sample(["d1", "d2", "d3"], rng.randrange(3))),
            difficulties=tuple(rng.sample(["easy", "medium", "hard"], rng.randrange(2))),
            kinds=tuple(rng.sample(["single", "multiple"], rng.randrange(2))),
            order=rng.choice([Order.UNSEEN, Order.RANDOM, Order.GUIDE]),
        )
        page = builder_page(exam, met, choice, LATER)
        picks = pick_drill(met, exam, choice, 7, LATER)
        assert page.drawn == len(picks) == units(picks), choice
        for key in State:
            other = builder_page(exam, met, DrillChoice(**{**vars(choice), "state": key}), LATER)
            assert page.counts["state"][key] == other.total


def test_variants_of_a_question_count_once_and_a_mock_locks_them(exam, alice):
    before = builder_page(exam, None, DrillChoice(), LATER).total
    add_family(exam, size=3)
    assert builder_page(exam, None, DrillChoice(), LATER).total == before + 1


def test_reserved_questions_are_counted_only_after_a_finished_session_has_shown_them(exam, alice):
    strangers = builder_page(exam, None, DrillChoice(), LATER).total
    begin_mock(alice.owner, exam, now=NOW)
    assert builder_page(exam, learner_of(alice.owner, NOW), DrillChoice(), LATER).total == strangers


def test_a_stranger_sees_the_public_pool_and_no_history(exam):
    page = builder_page(exam, None, DrillChoice(), LATER)
    assert page.counts["state"]["all"] == page.counts["state"]["unseen"] == page.total
    assert page.counts["state"]["missed"] == 0
    assert set(page.counts) == set(FACETS)


@pytest.mark.parametrize("many", [1, 3])
def test_the_statement_count_does_not_grow_with_the_bank(many, exam, met, alice, django_assert_max_num_queries):
    add_questions(exam, many)
    with django_assert_max_num_queries(16):
        build(alice, "?state=missed&domain=d1&domain=d2")


# The page


def test_an_address_fills_in_the_choices_and_can_be_shared(exam):
    query = "?domain=d3&difficulty=hard&state=unseen&order=weak&size=12&feedback=end"
    page = parsed(build(Client(), query).content.decode())
    checked = {(each["name"], each["value"]) for each in page.select("input[checked]")}
    assert {("domain", "d3"), ("difficulty", "hard"), ("state", "unseen"), ("feedback", "end")} <= checked
    sent = QueryDict(page.select_one("[data-link]")["href"].split("?")[1])
    assert sent.dict() == QueryDict(query[1:]).dict()


def test_a_link_holds_the_choice_and_not_its_owner(exam, met, alice):
    session = PracticeSession.objects.get()
    page = parsed(build(alice, f"?state=missed&session={session.uuid}").content.decode())
    assert page.select_one("[data-link]")["href"].endswith("?state=missed")


def test_older_links_still_mean_the_same_choice(exam):
    for former, now in (("missed", "state=missed"), ("starred", "state=starred"), ("due", "state=due")):
        assert DrillForm(exam, QueryDict(f"order={former}")).choice.__self__.is_valid()
        form = DrillForm(exam, QueryDict(f"order={former}"))
        assert form.is_valid()
        assert form.pairs() == [tuple(now.split("="))]
    moved = Client().get(reverse("hub", args=["pmle"]) + "?domain=d3&order=missed")
    assert moved.url == reverse("builder", args=["pmle"]) + "?domain=d3&order=missed"
    assert Client().get(reverse("hub", args=["pmle"]) + "?utm=x").status_code == 200


def test_a_shortage_of_questions_is_stated_before_the_start(exam, met, alice):
    page = build(alice, "?state=missed&size=30")
    assert states(page.content.decode()) == ["short"]
    assert page.context["page"].drawn == 3
    assert states(build(alice, "?state=missed&size=3").content.decode()) == []
    assert states(build(alice, "?state=guessed&miss=misread").content.decode()) == ["none"]


def test_a_drill_shorter_than_the_page_said_needs_a_second_confirmation(exam, met, alice):
    refused = start(alice, state="missed", size="30", expects="30")
    assert (refused.status_code, codes(refused.context["form"])) == (400, {"__all__": ["too-few-questions"]})
    told = parsed(refused.content.decode()).select_one("[name=expects]")["value"]
    assert told == "3"
    assert start(alice, state="missed", size="30", expects=told).status_code == 302


def test_a_drill_whose_page_showed_no_count_starts_at_once(exam, met, alice):
    assert start(alice, state="missed", size="30").status_code == 302


# Presets


def test_a_preset_stores_the_choice_and_is_replaced_under_the_same_name(exam, alice):
    kept = keep(alice, name="Weak spots", state="missed", domain=["d1", "d2"], size="20")
    preset = DrillPreset.objects.get()
    assert kept.url.startswith(preset.address)
    assert preset.fields == [["domain", "d1"], ["domain", "d2"], ["state", "missed"], ["size", "20"]]
    keep(alice, name="Weak spots", state="starred")
    assert DrillPreset.objects.get().fields == [["state", "starred"]]
    keep(alice, name="Stars", preset=DrillPreset.objects.get().pk, state="starred")
    assert [each.name for each in DrillPreset.objects.all()] == ["Stars"]


def test_a_preset_starts_from_the_hub_and_opens_in_the_builder(exam, alice):
    keep(alice, name="Ten of two", domain="d2", size="5")
    text = alice.get(reverse("hub", args=["pmle"])).content.decode()
    row = parsed(text).select_one("[data-preset=own]")
    fields = {each["name"]: each["value"] for each in row.form.select("input")}
    assert start(alice, **fields).status_code == 302
    filled = parsed(alice.get(row.a["href"]).content.decode())
    assert filled.select_one("[name=name]")["value"] == "Ten of two"
    assert filled.select_one("[name=domain][checked]")["value"] == "d2"


@pytest.mark.parametrize("state", ["all", "unseen", "missed"])
@pytest.mark.parametrize("order", ["guide", "weak", "unseen"])
def test_every_choice_survives_a_link_and_a_preset(exam, alice, state, order):
    keep(alice, name="Mine", state=state, order=order)
    kept = DrillPreset.objects.get()
    for address in (kept.address, build(alice, f"?state={state}&order={order}").context["link"]):
        form = alice.get(address).context["form"]
        assert (form["state"].value(), form["order"].value()) == (state, order)
    started = DrillForm(exam, QueryDict(urlencode([*map(tuple, kept.filled)])))
    assert started.is_valid()
    assert (started.choice().state, started.choice().order) == (state, order)


def test_presets_are_limited_and_an_empty_name_is_refused(exam, alice):
    assert keep(alice, name=" ").status_code == 400
    learner = learner_of(alice.owner, NOW)
    DrillPreset.objects.bulk_create(
        DrillPreset(learner=learner, exam=exam, name=f"n{n}", made_at=NOW) for n in range(30)
    )
    assert codes(keep(alice, name="one more").context["named"]) == {"name": ["too-many-presets"]}
    assert keep(alice, name="n3").status_code == 302


def test_presets_belong_to_their_owner_alone(exam, alice):
    keep(alice, name="Mine")
    preset = DrillPreset.objects.get()
    other, _ = guest()
    learner_of(other, NOW)
    bob = Client()
    assert bob.post(reverse("preset-drop", args=["pmle", preset.pk]), **SAME_SITE).status_code == 404
    keep(bob, name="Theirs", preset=preset.pk)
    assert DrillPreset.objects.filter(name="Mine").exists()
    alice.post(reverse("preset-drop", args=["pmle", preset.pk]), **SAME_SITE)
    assert not DrillPreset.objects.filter(name="Mine").exists()


def test_presets_survive_sign_in_and_are_deleted_with_the_account(exam, alice, django_user_model):
    keep(alice, name="Mine", domain="d1")
    keep(alice, name="Both", domain="d1")
    user = Owner(user_id=django_user_model.objects.create_user(email="a@example.org", password="x").pk)
    DrillPreset.objects.create(learner=learner_of(user, NOW), exam=exam, name="Both", made_at=NOW)
    learner = adopt(alice.owner, user, LATER)
    assert {(each.name, len(each.fields)) for each in learner.presets.all()} == {("Mine", 1), ("Both", 0)}
    forget(learner.pk, LATER)
    assert not DrillPreset.objects.exists()
