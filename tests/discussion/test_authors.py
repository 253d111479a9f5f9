"""An author's page shows moderators all they know of one person, and notes that only moderators see."""

from __future__ import annotations

import datetime as dt

import pytest
from django.urls import reverse
from django.utils import timezone

from courseiva.accounts.changes.delete import remove_account
from courseiva.accounts.staff.groups import MODERATORS
from discussion.comments.errors import NotAModerator, NotThere, Refused
from discussion.models import Act, AuthorNote, Harm, Reason, State
from discussion.moderation.acts.decide import decide, suspend
from discussion.moderation.acts.decide import reverse as reverse_act
from discussion.people.authors.note import note_author
from discussion.people.authors.reads import author_page
from discussion.reactions.report import report_comment
from discussion.threads.post import delete
from tests.discussion.conftest import in_group, row
from tests.support.bank import NOW
from tests.support.hooks import codes, parsed, states, values

pytestmark = pytest.mark.long("many requests")

LATER = NOW + dt.timedelta(hours=1)


def address_of(user) -> str:
    return reverse("moderation-author", args=[user.pk])


@pytest.fixture
def history(version, alice, bob, moderator) -> None:
    """Give Alice comments in every state, one deleted while reported, reports by and about her and two suspensions."""
    row(version, alice, "A good tip.")
    for act, text in ((Act.REJECT, "A leak."), (Act.SPAM, "Buy!")):
        made = row(version, alice, text, state=State.HELD)
        decide(made, act, moderator, NOW, Reason.LEAK if act == Act.REJECT else "")
    row(version, alice, "Waiting.", state=State.HELD)
    gone = row(version, alice, "Gone leak.")
    report_comment(gone.pk, bob.pk, Harm.LEAK, "From my exam.", NOW)
    delete(gone.pk, alice.pk, NOW)
    theirs = row(version, bob, "Bob's tip.")
    report_comment(theirs.pk, alice.pk, Harm.ABUSE, "Rude!", NOW)
    decide(theirs, Act.APPROVE, moderator, NOW)
    reverse_act(suspend(alice.pk, LATER, moderator, NOW, "Lifted one."), moderator, NOW)
    suspend(alice.pk, timezone.now() + dt.timedelta(days=9), moderator, NOW, "Leaks.")


def test_the_page_shows_the_record_the_history_and_both_kinds_of_reports(history, client_of, alice, moderator):
    response = client_of(moderator).get(address_of(alice))
    page = response.context["page"]
    record = page.record
    assert (record.approved, record.waiting, record.rejected, record.spam, record.withdrawn) == (1, 1, 1, 1, 1)
    assert page.comments.paginator.count == 5
    assert [(each.reason, bool(each.lifted_at)) for each in page.suspensions] == [
        ("Leaks.", False),
        ("Lifted one.", True),
    ]
    assert states(response) == ["suspended"]
    assert values(response, "data-received") == [Harm.LEAK]
    assert values(response, "data-made") == [Harm.ABUSE]
    assert [(each.upheld, each.text) for each in page.made] == [(False, "Rude!")]
    assert values(response, "data-act") == [Act.SUSPEND, Act.REVERSE, Act.SUSPEND, Act.SPAM, Act.REJECT]
    received = parsed(response).select_one("[data-received]").text
    assert "From my exam." in received
    assert "Bob" not in received  # nobody is told who reported


def test_cards_the_log_and_the_search_link_to_an_authors_page(history, client_of, alice, moderator):
    desk = client_of(moderator)
    for address in ("/moderation/", "/moderation/search/"):
        assert address_of(alice) in desk.get(address).content.decode()


def test_only_moderators_can_open_an_authors_page(client, client_of, alice, bob, moderator):
    for method in ("get", "post"):
        address = address_of(alice) + ("note/" if method == "post" else "")
        assert getattr(client, method)(address).status_code == 302
        for user in (alice, bob):
            assert getattr(client_of(user), method)(address, {"text": "Hm."}).status_code == 404
    assert not AuthorNote.objects.exists()
    assert client_of(moderator).get(reverse("moderation-author", args=[10**6])).status_code == 404
    assert client_of(moderator).post(reverse("moderation-note", args=[10**6]), {"text": "x"}).status_code == 404


class TestNotes:
    def test_a_note_is_stored_once_and_shown_to_other_moderators(self, client_of, alice, moderator):
        desk = client_of(moderator)
        for _ in range(2):
            sent = desk.post(address_of(alice) + "note/", {"text": "Warned by mail."})
            assert sent.headers["Location"] == address_of(alice) + "#notes"
        note = AuthorNote.objects.get()
        assert (note.about, note.by, note.text) == (alice, moderator, "Warned by mail.")
        page = client_of(in_group("max", MODERATORS)).get(address_of(alice))
        assert values(page, "data-note") == [str(note.pk)]

    def test_an_empty_note_is_refused(self, client_of, alice, moderator):
        page = client_of(moderator).post(address_of(alice) + "note/", {"text": " "})
        assert (page.status_code, codes(page.context["form"])) == (400, {"text": ["required"]})

    def test_moderators_neither_read_nor_write_notes_on_themselves(self, client_of, moderator):
        other = in_group("max", MODERATORS)
        note_author(moderator.pk, "Too strict.", other, NOW)
        page = client_of(moderator).get(address_of(moderator))
        assert page.context["page"].notes is None
        assert "Too strict." not in page.content.decode()
        with pytest.raises(Refused):
            note_author(moderator.pk, "I am fine.", moderator, NOW)

    def test_a_note_needs_an_author_and_a_moderator(self, alice, bob, moderator):
        with pytest.raises(NotAModerator):
            note_author(alice.pk, "x", bob, NOW)
        with pytest.raises(NotThere):
            note_author(10**6, "x", moderator, NOW)

    def test_notes_are_deleted_with_the_authors_account_but_outlive_their_writers(self, alice, bob, moderator):
        note_author(alice.pk, "One.", moderator, NOW)
        note_author(bob.pk, "Two.", moderator, NOW)
        remove_account(alice.pk, LATER)
        remove_account(moderator.pk, LATER)
        assert [(note.text, note.by) for note in AuthorNote.objects.all()] == [("Two.", None)]

    def test_no_page_or_export_of_the_author_shows_the_notes_on_them(self, client_of, alice, moderator):
        note_author(alice.pk, "Between us.", moderator, NOW)
        mine = client_of(alice)
        for name in ("inbox", "account_home", "export-discussion"):
            assert "Between us." not in mine.get(reverse(name)).content.decode()


@pytest.mark.parametrize("count", [1, 25])
def test_the_statement_count_does_not_grow_with_the_history(
    version, alice, bob, moderator, count, client_of, django_assert_num_queries
):
    for n in range(count):
        made = row(version, alice, f"Remark {n}.")
        report_comment(made.pk, moderator.pk, Harm.SPAM, "", NOW + n * dt.timedelta(hours=1))
        report_comment(row(version, bob, f"B {n}.").pk, alice.pk, Harm.SPAM, "", NOW + n * dt.timedelta(hours=1))
        decide(made, Act.SPAM, moderator, NOW)
        suspend(alice.pk, LATER, moderator, NOW, "Spam.")
        note_author(alice.pk, f"Note {n}.", moderator, NOW)
    desk = client_of(moderator)
    with django_assert_num_queries(18):
        desk.get(address_of(alice))


def test_the_page_of_a_person_who_never_commented_has_no_record(bob, moderator):
    page = author_page(bob, moderator.pk, NOW)
    assert (page.record, page.suspensions, page.notes, page.received, page.made) == (None, [], [], [], [])
