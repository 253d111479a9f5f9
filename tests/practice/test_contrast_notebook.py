"""A variant answered after a question has a note, a star and a report, as any marked question has."""

import uuid

import pytest
from bs4 import BeautifulSoup
from django.urls import reverse

from practice.models import Note, PracticeSession, Star
from practice.sessions.ending.finish import finish
from practice.sessions.models import Mode
from questions.models import ContentReport
from tests.support.bank import make_exam
from tests.support.families import add_family
from tests.support.sessions import begin_drill, guest, guest_client, read_through

pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]


@pytest.fixture
def exam():
    return make_exam()


@pytest.fixture
def shown(exam, alice):
    """Return a finished drill of one question of a family, with a variant of it answered."""
    add_family(exam)
    drill = begin_drill(alice.owner, exam, order="random")
    finish(drill.uuid, alice.owner, read_through(drill, alice.owner))
    ask = reverse("contrast", args=[drill.uuid, 1])
    variant = BeautifulSoup(alice.get(ask).text, "html.parser").select_one("[name=variant]")["value"]
    alice.post(ask, {"variant": variant, "slot": "1"})
    drill.made = PracticeSession.objects.get(mode=Mode.CONTRAST)
    drill.variant = int(variant)
    return drill


def of(shown, name="contrast-answer"):
    return reverse(name, args=[shown.uuid, 1, shown.made.uuid])


def forms(alice, shown):
    page = BeautifulSoup(alice.get(of(shown)).text, "html.parser")
    return {button["formaction"]: button for button in page.select("button[form][formaction]")}


def test_the_note_belongs_to_the_variant_and_is_on_its_page(alice, shown):
    assert {of(shown, "contrast-note"), of(shown, "contrast-star")} <= set(forms(alice, shown))
    response = alice.post(of(shown, "contrast-note"), {"text": "Mind the interval."})
    assert response.url == f"{of(shown)}?said=note#notebook-1"
    assert Note.objects.get().question_id == shown.variant
    page = BeautifulSoup(alice.get(response.url).text, "html.parser")
    assert page.select_one("#notebook-1 textarea").text == "Mind the interval."
    assert page.select_one("#notebook-1 [role=status]").text.strip()
    alice.post(of(shown, "contrast-note"), {"text": ""})
    assert not Note.objects.exists()


def test_a_note_that_is_too_long_is_shown_as_typed(alice, shown):
    response = alice.post(of(shown, "contrast-note"), {"text": "x" * 4001})
    assert response.status_code == 400
    page = BeautifulSoup(response.text, "html.parser")
    assert page.select_one("#notebook-1 textarea[aria-invalid=true]").text == "x" * 4001
    assert page.select_one(".verdict")


def test_the_variants_verdict_is_given_in_words(alice, shown):
    page = BeautifulSoup(alice.get(of(shown)).text, "html.parser")
    said = page.select_one(".verdict h3").text
    assert "Verdict(" not in said
    assert page.select_one(".verdict")["data-state"] == ("right" if page.select_one(".verdict.is-right") else "wrong")


def test_the_variants_star_can_be_set_and_removed(alice, shown):
    for _ in range(2):
        assert alice.post(of(shown, "contrast-star"), {"on": "1"}).url == f"{of(shown)}?said=star#notebook-1"
    assert Star.objects.get().question_id == shown.variant
    assert forms(alice, shown)[of(shown, "contrast-star")]["aria-pressed"] == "true"
    alice.post(of(shown, "contrast-star"), {"on": "junk"})
    assert not Star.objects.exists()


def test_a_report_is_about_the_variant_and_leads_back_to_its_page(alice, shown):
    page = BeautifulSoup(alice.get(of(shown)).text, "html.parser")
    assert page.select_one(f'a[href="{of(shown, "report-variant")}"]')
    form = BeautifulSoup(alice.get(of(shown, "report-variant")).text, "html.parser")
    assert form.select_one(f'a[href="{of(shown)}"]')
    sent = {"kind": "other", "text": "The interval cannot be met with this quota."}
    response = alice.post(of(shown, "report-variant"), sent)
    assert response.status_code == 302
    assert ContentReport.objects.get().version.question_id == shown.variant
    assert f'href="{of(shown)}"' in alice.get(response.url).text


@pytest.mark.parametrize("name", ["contrast-answer", "report-variant", "contrast-note", "contrast-star"])
def test_variants_that_are_unanswered_or_of_other_learners_are_not_found(exam, alice, shown, name):
    bob = guest_client(guest()[1])
    elsewhere = [
        reverse(name, args=[shown.uuid, 2, shown.made.uuid]),
        reverse(name, args=[shown.uuid, 1, uuid.uuid4()]),
        reverse(name, args=[shown.made.uuid, 1, shown.made.uuid]),
    ]
    for who, address in [(bob, of(shown, name)), *((alice, each) for each in elsewhere)]:
        assert who.get(address).status_code in (404, 405)
        assert who.post(address, {"text": "x", "on": "1"}).status_code in (404, 405)
    assert not Note.objects.exists()
    assert not Star.objects.exists()


def test_the_address_of_an_item_does_not_open_the_variants_own_session(alice, shown):
    for name in ("note", "star", "miss"):
        assert alice.post(reverse(name, args=[shown.made.uuid, 1]), {"text": "x", "on": "1"}).status_code == 404
