"""When an author deletes or edits a reported, held or removed comment, staff keep the old text for thirty days."""

from __future__ import annotations

import datetime as dt

import pytest
from bs4 import BeautifulSoup
from django.conf import settings

from courseiva.accounts.changes.delete import remove_account
from discussion.comments.errors import AlreadyDecided, NotThere
from discussion.keeping.keep import purge_kept
from discussion.models import KEPT_FOR, Act, Comment, CommentReport, Harm, KeptText, State
from discussion.moderation.acts.decide import decide, edit_out, reverse
from discussion.moderation.reads.queue import find_card, waiting
from discussion.reactions.report import report_comment
from discussion.threads.post import delete, edit
from tests.discussion.conftest import person, row
from tests.support.bank import NOW
from tests.support.hooks import states

LEAK = "Question 12 on Tuesday was about the bakery with two regions."
MINUTE = dt.timedelta(minutes=1)


@pytest.fixture
def reported(version, alice, bob) -> Comment:
    made = row(version, alice, LEAK)
    for reader in (bob, person("carol"), person("dave")):
        report_comment(made.pk, reader.pk, Harm.OTHER, "", NOW)
    made.refresh_from_db()
    return made


def waiting_ids() -> list[int]:
    return list(waiting().values_list("pk", flat=True))


def test_a_reported_comment_that_its_author_deletes_is_still_reviewed(reported, alice, bob, moderator):
    delete(reported.pk, alice.pk, NOW)
    reported.refresh_from_db()
    assert (reported.text, reported.html) == ("", "")
    assert CommentReport.objects.filter(closed_at=None).count() == 3
    assert waiting_ids() == [reported.pk]
    card = find_card(reported.pk, moderator.pk, NOW)
    assert (card.text, card.waits, card.is_live, card.is_editable, card.record.withdrawn) == (
        LEAK,
        True,
        False,
        False,
        1,
    )
    assert "".join(piece.text for piece in card.stretches) == LEAK
    entry = decide(reported, Act.REJECT, moderator, NOW, "leak")
    reported.refresh_from_db()
    assert (reported.state, waiting_ids()) == (State.REMOVED, [])
    reverse(entry, moderator, NOW + MINUTE)
    assert waiting_ids() == [reported.pk]


def test_staff_see_a_kept_text_and_readers_do_not(reported, client_of, client, alice, bob, moderator):
    delete(reported.pk, alice.pk, NOW)
    for anybody in (client, client_of(bob), client_of(alice)):
        assert anybody.get(f"/discussion/comment/{reported.pk}/").status_code == 404
        assert anybody.get(f"/moderation/comment/{reported.pk}/").status_code in {302, 404}
    page = client_of(moderator).get(f"/moderation/comment/{reported.pk}/")
    assert "kept" in states(page)
    assert LEAK in page.content.decode()
    assert b"data-withdrawn" in client_of(moderator).get("/moderation/").content


def test_deleting_the_account_does_not_prevent_the_review(reported, alice, moderator):
    delete(reported.pk, alice.pk, NOW)
    other = row(reported.version, alice, "Another leak.")
    report_comment(other.pk, moderator.pk, Harm.LEAK, "", NOW)
    remove_account(alice.pk, NOW)
    assert sorted(waiting_ids()) == sorted([reported.pk, other.pk])
    assert [find_card(pk, moderator.pk, NOW).text for pk in (reported.pk, other.pk)] == [LEAK, "Another leak."]
    assert CommentReport.objects.filter(closed_at=None).count() == 4
    assert purge_kept(NOW + KEPT_FOR) == 1
    assert find_card(reported.pk, moderator.pk, NOW) is None


def test_a_decision_closes_the_reports_and_counts_in_the_reporters_records(reported, alice, moderator):
    delete(reported.pk, alice.pk, NOW)
    decide(reported, Act.SPAM, moderator, NOW + MINUTE)
    assert set(CommentReport.objects.values_list("upheld", "closed_at")) == {(True, NOW + MINUTE)}
    assert KeptText.objects.get().text == LEAK  # the text is kept for as long as an appeal is possible


def test_a_scheduled_task_purges_kept_texts(db):
    assert "discussion.purge_kept" in {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}


def test_an_unreported_text_is_deleted_at_once(version, alice, moderator):
    made = row(version, alice, "Just a tip.")
    delete(made.pk, alice.pk, NOW)
    assert not KeptText.objects.exists()
    assert find_card(made.pk, moderator.pk, NOW) is None


@pytest.mark.parametrize("state", [State.HELD, State.REMOVED, State.SPAM])
def test_a_held_or_removed_text_is_kept_but_not_queued(version, alice, moderator, state):
    made = row(version, alice, "Cheap dumps here.", state=state)
    delete(made.pk, alice.pk, NOW)
    assert KeptText.objects.get().text == "Cheap dumps here."
    assert waiting_ids() == []
    assert find_card(made.pk, moderator.pk, NOW).waits is False


def test_editing_a_reported_comment_keeps_its_old_text_for_staff(reported, alice, moderator):
    edit(reported.pk, alice.pk, "A harmless remark.", NOW + MINUTE)
    card = find_card(reported.pk, moderator.pk, NOW)
    assert ([kept.text for kept in card.earlier], card.record.withdrawn) == ([LEAK], 0)


def test_after_thirty_days_the_text_is_purged_but_the_record_stays(reported, alice, moderator, version):
    delete(reported.pk, alice.pk, NOW)
    other = row(version, alice, "Still here.", state=State.HELD)
    assert purge_kept(NOW + KEPT_FOR - MINUTE) == 0
    assert KeptText.objects.get().text == LEAK
    assert purge_kept(NOW + KEPT_FOR) == 1
    assert purge_kept(NOW + KEPT_FOR) == 0
    assert KeptText.objects.get().text == ""
    assert not CommentReport.objects.filter(closed_at=None).exists()
    assert find_card(reported.pk, moderator.pk, NOW) is None
    assert find_card(other.pk, moderator.pk, NOW).record.withdrawn == 1


def test_reports_of_an_edited_comment_stay_open_when_its_old_text_is_purged(reported, alice):
    edit(reported.pk, alice.pk, "A harmless remark.", NOW + MINUTE)
    assert purge_kept(NOW + KEPT_FOR + MINUTE) == 1
    assert CommentReport.objects.filter(closed_at=None).count() == 3


def test_a_deleted_text_cannot_return_to_the_thread_through_an_edit(reported, alice, moderator):
    delete(reported.pk, alice.pk, NOW)
    with pytest.raises(AlreadyDecided):
        edit_out(Comment.objects.get(pk=reported.pk), "Part of it.", moderator, NOW, "leak")
    purge_kept(NOW + KEPT_FOR)
    with pytest.raises(NotThere):
        decide(reported, Act.REJECT, moderator, NOW, "leak")


def test_the_privacy_page_says_how_long_texts_are_kept(client, db):
    page = BeautifulSoup(client.get("/articles/privacy/").content, "html.parser")
    assert page.select_one("[data-kept-days]").text == str(KEPT_FOR.days)
