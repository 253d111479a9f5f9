"""Check the mock's start page, its finish page, and the pages shown when a save could not be accepted."""

import datetime as dt
import re

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from courseiva.accounts.models import User
from practice.learners.reads.identity import GUEST_DAYS, Owner
from practice.models import Learner, PracticeSession, SessionItem
from practice.sessions.ending.finish import discard
from practice.sessions.models import GRACE
from practice.sessions.player.save import claim, save
from questions.models import Blueprint, BlueprintDomain, Domain
from tests.support.bank import NOW, WEIGHTS_V31, add_questions, make_exam
from tests.support.hooks import figures, parsed, states
from tests.support.sessions import batch, begin_drill, begin_mock, guest, guest_client, learner_of, state

pytestmark = pytest.mark.django_db
SAME_SITE = {"HTTP_SEC_FETCH_SITE": "same-origin"}
PASSWORD = "long-enough-password"


@pytest.fixture(autouse=True)
def _clock():
    with time_machine.travel(NOW + dt.timedelta(minutes=5), tick=False):
        yield


@pytest.fixture
def exam():
    exam = make_exam()
    add_questions(exam, 4)
    return exam


def old_guide(exam):
    blueprint = Blueprint.objects.create(
        exam=exam, key="v3.1", name="v3.1 guide", effective_from=dt.date(2024, 10, 1),
        question_count=60, minutes=120, pass_mark=70,
    )  # fmt: skip
    for domain, weight in zip(Domain.objects.filter(exam=exam), WEIGHTS_V31, strict=True):
        BlueprintDomain.objects.create(
            blueprint=blueprint, domain=domain, name=f"Old name {domain.number}", weight=weight
        )
    return blueprint


def page(client, name, *args, query=""):
    return client.get(reverse(name, args=args) + query).content.decode()


def start(client, **fields):
    fields = {"blueprint": "june-2026", "count": "10", "time_factor": "1", "conditions": "exam"} | fields
    return client.post(reverse("mock", args=["pmle"]), fields, **SAME_SITE)


def test_the_rules_are_stated_before_the_start(exam):
    text = page(Client(), "mock", "pmle")
    rules = {rule["data-rule"]: rule.text for rule in parsed(text).select("#rules dd")}
    assert list(rules) == ["answering", "saving", "clock", "end", "pass-mark", "help"]
    assert figures(rules["end"]) == [GRACE.seconds]
    assert figures(rules["pass-mark"]) == [70]
    assert figures(parsed(text).select_one("#start .help").text) == [GUEST_DAYS]
    assert states(text) == ["short", "unseen"]
    assert text.count('class="btn"') == 1


def test_the_longest_mock_that_a_small_bank_fills_is_offered_and_labelled_short(exam):
    response = Client().get(reverse("mock", args=["pmle"]))
    assert response.context["page"].lengths == [(21, 42), (20, 40), (10, 20)]
    shown = parsed(response)
    assert figures(shown.select_one("[data-state=short]").text) == [60, 21]
    offered = [figures(label.text) for label in shown.select("label:has([name=count])")]
    assert offered == [[21, 42], [20, 40], [10, 20]]


def test_another_exam_guide_has_its_own_names_and_counts(exam):
    old_guide(exam)
    text = page(Client(), "mock", "pmle", query="?guide=v3.1")
    assert ">5 Old name 5<" in text
    assert 'name="blueprint" value="v3.1"' in text
    assert ">5 Domain name 5<" in page(Client(), "mock", "pmle", query="?guide=nonsense")


def test_weights_are_printed_as_in_the_guide(exam):
    rows = parsed(page(Client(), "mock", "pmle")).select("[aria-label='Questions by domain'] tbody tr")
    assert [row.select_one(".num").text for row in rows] == ["13%", "16%", "21%", "20%", "18%", "13%"]


def test_a_start_creates_a_guest_and_the_mock_chosen(exam):
    client = Client()
    response = start(client, time_factor="1.5", conditions="pausable")
    session = PracticeSession.objects.get()
    assert response.url == session.get_absolute_url()
    assert session.pausable
    assert session.deadline - session.started_at == dt.timedelta(minutes=30)
    assert client.get(response.url).status_code == 200
    assert start(Client(), time_factor="0").status_code == 302
    assert PracticeSession.objects.filter(deadline=None).count() == 1


@pytest.mark.parametrize(
    "fields",
    [{"count": "25"}, {"count": "61"}, {"count": "0"}, {"time_factor": "0.1"}, {"conditions": "x"}, {"blueprint": "x"}],
)
def test_an_unavailable_length_is_refused_with_those_available(exam, fields):
    response = start(Client(), **fields)
    assert response.status_code == 400
    assert 'name="count" value="20"' in response.content.decode()
    assert not PracticeSession.objects.exists()


def test_a_forged_start_is_refused(alice, exam):
    address = reverse("mock", args=["pmle"])
    assert alice.post(address, {"count": "10"}, HTTP_SEC_FETCH_SITE="cross-site").status_code == 403
    assert alice.post(address, {"count": "10"}).status_code == 403


def test_a_running_mock_is_offered_first_with_the_consequence_of_discarding_it(alice, exam):
    mock = begin_mock(alice.owner, exam)
    writer = claim(mock.uuid, alice.owner, NOW).writer
    save(mock.uuid, alice.owner, batch(writer, state(1, 1, 0), state(2, 1, 0)), NOW)
    text = page(alice, "mock", "pmle")
    box = parsed(text).select_one("[data-state=running]")
    assert box.select_one(f'a[href^="{mock.get_absolute_url()}"]')
    assert figures(box.select_one(f'form[action="{reverse("discard", args=[mock.uuid])}"] button').text) == [2]
    assert 'id="start"' not in text
    assert start(alice).url == mock.get_absolute_url()
    assert alice.post(reverse("discard", args=[mock.uuid])).url == reverse("mock", args=["pmle"])
    assert 'id="start"' in page(alice, "mock", "pmle")
    assert states(page(alice, "session", mock.uuid)) == ["discarded"]


def test_questions_seen_before_are_counted_by_domain(alice, exam):
    learner = learner_of(alice.owner, NOW)
    drill = begin_drill(alice.owner, exam, size=24)
    SessionItem.objects.filter(session=drill).update(displayed_at=NOW)
    assert drill.learner == learner
    shown = parsed(page(alice, "mock", "pmle"))
    assert figures(shown.select_one("[data-state=seen-before]").text) == [21, 21]
    assert [cells.select("td")[-1].text for cells in shown.select("tfoot tr, tbody tr")][-1] == "21"


def test_the_learners_own_time_factor_is_preselected(alice, exam):
    learner_of(alice.owner, NOW)
    Learner.objects.update(time_factor="1.50")
    assert '<option value="1.5" selected>' in page(alice, "mock", "pmle")


def test_with_an_empty_bank_the_page_offers_no_start_but_another_link():
    make_exam()
    text = page(Client(), "mock", "pmle")
    assert states(text) == ["too-few"]
    assert reverse("hub", args=["pmle"]) in text
    assert 'id="start"' not in text


@pytest.mark.parametrize("per_domain", [4, 12])
def test_the_start_page_takes_the_same_statements_whatever_the_size_of_the_bank(
    per_domain, alice, django_assert_num_queries
):
    exam = make_exam()
    add_questions(exam, per_domain)
    discard(begin_mock(alice.owner, exam).uuid, alice.owner, NOW)
    with django_assert_num_queries(7):
        alice.get(reverse("mock", args=["pmle"]))


# Submitting


def test_the_finish_page_lists_what_is_unanswered_and_flagged_and_only_its_post_submits(alice, exam):
    mock = begin_mock(alice.owner, exam)
    writer = claim(mock.uuid, alice.owner, NOW).writer
    save(mock.uuid, alice.owner, batch(writer, state(1, 1, 0), state(2, 1, 0, flagged=True)), NOW)
    text = page(alice, "finish", mock.uuid)
    shown, address = parsed(text), mock.get_absolute_url()
    assert figures(shown.select_one(".lede").text)[:3] == [2, 10, 8]
    assert figures(shown.select_one("form[data-held] button").text) == [8]
    listed = {
        nav["data-state"]: [link["href"] for link in nav.select("a[aria-label]")] for nav in shown.select("nav.sheet")
    }
    assert listed == {"unanswered": [f"{address}#q{n}" for n in range(3, 11)], "flagged": [f"{address}#q2"]}
    assert text.count("<form") == 1
    assert PracticeSession.objects.get().finished_at is None
    assert alice.post(reverse("finish", args=[mock.uuid])).url == reverse("results", args=[mock.uuid])


# A save that could not be accepted


def fields_of(html):
    hidden = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', html)
    return dict(hidden)


def test_an_older_page_keeps_its_answers_and_can_take_over(alice, exam):
    mock = begin_mock(alice.owner, exam)
    claim(mock.uuid, alice.owner, NOW)
    typed = {"writer": "0", "base": ";", "a-1": "2"}
    response = alice.post(mock.get_absolute_url(), typed)
    assert response.status_code == 409
    text = response.content.decode()
    assert 'data-waiting="1"' in text
    assert f'href="{mock.get_absolute_url()}"' in text
    again = alice.post(mock.get_absolute_url(), fields_of(text))
    assert again.status_code == 302
    assert mock.items.get(position=1).selected


def test_after_a_login_ends_what_was_typed_is_kept_until_it_is_sent_again(exam):
    user = User.objects.create_user("bob@example.org", PASSWORD)
    mock = begin_mock(Owner(user_id=user.pk), exam)
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(user)
    page_before = browser.get(mock.get_absolute_url()).content.decode()
    browser.cookies.pop("sessionid")
    typed = {
        "csrfmiddlewaretoken": fields_of(page_before)["csrfmiddlewaretoken"],
        "writer": "0",
        "base": "",
        "a-1": "2",
    }
    response = browser.post(mock.get_absolute_url(), typed)
    assert response.status_code == 403
    text = response.content.decode()
    assert 'target="_blank"' in text
    assert not mock.items.exclude(selected=0).exists()
    browser.force_login(user)
    browser.cookies["csrftoken"] = "b" * 32  # signing in in another tab changes the token
    again = browser.post(mock.get_absolute_url(), fields_of(text), **SAME_SITE)
    assert again.status_code == 302
    assert mock.items.get(position=1).selected


def test_a_forged_save_of_the_page_is_still_refused(exam):
    owner, token = guest()
    mock = begin_mock(owner, exam)
    browser = guest_client(token, enforce_csrf_checks=True)
    typed = {"writer": "0", "base": "", "a-1": "2"}
    for headers in ({}, {"HTTP_SEC_FETCH_SITE": "cross-site"}, {"HTTP_ORIGIN": "https://evil.example"}):
        assert browser.post(mock.get_absolute_url(), typed, **headers).status_code == 403
    assert not mock.items.exclude(selected=0).exists()
