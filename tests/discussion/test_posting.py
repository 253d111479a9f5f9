"""People post, change and delete their own comments."""

from __future__ import annotations

import datetime as dt
import logging

import pytest

from discussion.comments import limits
from discussion.comments.errors import Locked, NotThere, Refused, Suspended, TooMany
from discussion.mail.settle import CUT
from discussion.models import (
    Act,
    Claim,
    Comment,
    Kind,
    Reason,
    Shingle,
    State,
    Subscription,
    Suspension,
    ThreadState,
)
from discussion.moderation.acts.decide import decide, edit_out, reverse
from discussion.screening import hold as holding
from discussion.screening.rules.parts import Context
from discussion.screening.rules.parts import Hit as Found
from discussion.threads import post as posting
from discussion.threads.post import MOST_REPLIES, delete, edit
from questions.models import ContentReport, ReportState
from tests.discussion.conftest import row
from tests.support.bank import NOW

TIP = "Recall counts what was missed, precision what was flagged for nothing."
MINUTE = dt.timedelta(minutes=1)


@pytest.fixture
def rules(monkeypatch):
    """Replace the rules with made-up ones, some of which need other texts to compare with."""

    def screen(text: str, context: Context) -> list[Found]:
        found = []
        if context.posts_shown < 1:
            found.append(Found("first-post", 0, len(text)))
        if "BAD" in text:
            found.append(Found("bad-word", text.index("BAD"), text.index("BAD") + 3))
        if any(text == other for other in context.recent):
            found.append(Found("near-duplicate", 0, len(text)))
        if any(stem in text for stem in context.stems):
            found.append(Found("question-paste", 0, len(text)))
        if context.posts_last_hour >= 3:
            found.append(Found("rate", 0, 1))
        return found

    monkeypatch.setattr(holding.screening, "screen", screen)


def test_a_known_authors_harmless_comment_is_visible_at_once(rules, say, known, alice, version):
    made = say(known(alice), TIP)
    assert (made.state, made.listed, made.question_id, made.version_id) == (
        State.VISIBLE, True, version.question_id, version.pk,
    )  # fmt: skip
    assert made.html == f"<p>{TIP}</p>"
    assert made.screened_at
    assert not made.hits.exists()


def test_a_first_comment_waits_and_says_why(rules, say, alice):
    made = say(alice, TIP)
    assert (made.state, made.listed) == (State.HELD, False)
    assert list(made.hits.values_list("rule", "start", "end", "text")) == [("first-post", 0, len(TIP), TIP)]


def test_the_evidence_is_stored_with_the_comment(rules, say, known, alice):
    made = say(known(alice), "this is BAD, really")
    assert made.state == State.HELD
    assert list(made.hits.values_list("rule", "text")) == [("bad-word", "BAD")]


def test_similarity_to_other_texts_holds_a_visible_comment_after_the_commit(rules, known, alice, bob, version, say):
    say(known(bob), TIP)
    made = posting.post(version, known(alice).pk, posting.Draft(Kind.QUESTION, TIP), NOW)
    assert made.state == State.VISIBLE
    holding.second_look(made.pk, NOW)
    made.refresh_from_db()
    assert (made.state, made.listed) == (State.HELD, False)
    assert list(made.hits.values_list("rule", flat=True)) == ["near-duplicate"]


def test_the_second_screening_compares_with_other_questions_stems(rules, say, known, alice, exam):
    from tests.support.bank import add_questions

    other = add_questions(exam, 1, domains=("d2",))[0]
    assert say(known(alice), f"I read: {other.stem}").state == State.HELD


def test_quoting_the_question_itself_does_not_count_as_a_paste(rules, say, known, alice, version):
    assert say(known(alice), f"Note the words: {version.stem}").state == State.VISIBLE


def test_the_second_screening_happens_once_and_never_overrules_a_moderator(
    rules, known, alice, bob, moderator, version, say
):
    say(known(bob), TIP)
    made = row(version, known(alice), TIP, screened_at=None, state_by=moderator)
    holding.second_look(made.pk, NOW)
    made.refresh_from_db()
    assert made.state == State.VISIBLE
    assert made.screened_at == NOW
    assert list(made.hits.values_list("rule", flat=True)) == ["near-duplicate"]
    holding.second_look(made.pk, NOW + MINUTE)
    made.refresh_from_db()
    assert made.screened_at == NOW


def test_a_sweeper_finds_comments_that_no_task_screened(rules, known, alice, version):
    made = row(version, known(alice), "BAD", screened_at=None)
    assert holding.screen_waiting(NOW) == 0
    assert holding.screen_waiting(NOW + 2 * MINUTE) == 1
    made.refresh_from_db()
    assert made.state == State.HELD


def test_a_text_that_cannot_be_screened_does_not_block_the_others(rules, known, alice, version, monkeypatch, caplog):
    known(alice)
    poison = row(version, alice, "POISON", screened_at=None, created_at=NOW - 9 * MINUTE)
    other = row(version, alice, "BAD", screened_at=None, created_at=NOW - 8 * MINUTE)
    screen = holding.screening.screen

    def fails_once(text: str, context: Context) -> list[Found]:
        if text == "POISON":
            raise RuntimeError("too deep")
        return screen(text, context)

    monkeypatch.setattr(holding.screening, "screen", fails_once)
    with caplog.at_level(logging.ERROR):
        assert holding.screen_waiting(NOW) == 1
    other.refresh_from_db()
    poison.refresh_from_db()
    assert (other.state, other.screened_at, poison.screened_at) == (State.HELD, NOW, None)
    assert f"comment {poison.pk} " in caplog.text
    assert "too deep" in caplog.text


def test_a_comment_held_as_a_first_one_is_released_once_it_no_longer_is_one(rules, version, alice, moderator):
    first = posting.post(version, alice.pk, posting.Draft(Kind.TIP, TIP), NOW)
    second = posting.post(version, alice.pk, posting.Draft(Kind.CORRECTION, "The key is wrong."), NOW)
    Claim.objects.create(comment=second, moderator=moderator, until=NOW + MINUTE)
    holding.second_look(first.pk, NOW)
    decide(first, Act.APPROVE, moderator, NOW)
    holding.second_look(second.pk, NOW + MINUTE)
    second.refresh_from_db()
    assert (second.state, second.state_at, second.listed) == (State.VISIBLE, NOW + MINUTE, True)
    assert not Claim.objects.exists()
    assert second.report_id


def test_an_edit_that_removes_the_held_words_publishes_the_comment(
    rules, say, known, alice, django_capture_on_commit_callbacks
):
    made = say(known(alice), "BAD words")
    with django_capture_on_commit_callbacks(execute=True):
        edit(made.pk, alice.pk, "BAD manners", NOW + MINUTE)
    made.refresh_from_db()
    assert made.state == State.HELD
    with django_capture_on_commit_callbacks(execute=True):
        edit(made.pk, alice.pk, "Good manners", NOW + MINUTE)
    made.refresh_from_db()
    assert (made.state, made.listed, made.hits.exists()) == (State.VISIBLE, True, False)


def test_a_first_comment_that_its_author_edits_still_waits(rules, say, alice, django_capture_on_commit_callbacks):
    made = say(alice, "BAD words")
    with django_capture_on_commit_callbacks(execute=True):
        edit(made.pk, alice.pk, "Good words", NOW + MINUTE)
    made.refresh_from_db()
    assert (made.state, list(made.hits.values_list("rule", flat=True))) == (State.HELD, ["first-post"])


def test_no_edit_releases_a_comment_that_a_moderator_holds(
    rules, known, alice, moderator, version, django_capture_on_commit_callbacks
):
    known(alice)
    held = row(version, alice, "One", state=State.HELD, state_by=moderator)
    undone = row(version, alice, "Two", state=State.HELD)
    reverse(decide(undone, Act.APPROVE, moderator, NOW), moderator, NOW)
    for made in (held, undone):
        with django_capture_on_commit_callbacks(execute=True):
            edit(made.pk, alice.pk, f"{made.text} better", NOW + MINUTE)
        made.refresh_from_db()
        assert (made.state, made.screened_at is not None) == (State.HELD, True)


def test_a_late_second_screening_counts_only_posts_before_the_comment(rules, known, alice, version):
    known(alice)
    for n in range(3):
        row(version, alice, f"Word {n}", created_at=NOW - MINUTE)
    made = posting.post(version, alice.pk, posting.Draft(Kind.TIP, TIP), NOW)
    assert (made.state, list(made.hits.values_list("rule", flat=True))) == (State.HELD, ["rate"])
    holding.second_look(made.pk, NOW + 120 * MINUTE)
    made.refresh_from_db()
    assert (made.state, list(made.hits.values_list("rule", flat=True))) == (State.HELD, ["rate"])


def test_an_author_cannot_put_back_what_a_moderator_edited_out(rules, say, known, alice, moderator):
    text = f"{TIP} My neighbour Lena Moe says so."
    made = say(known(alice), text)
    entry = edit_out(made, TIP, moderator, NOW, Reason.PERSONAL)
    with pytest.raises(Refused) as raised:
        edit(made.pk, alice.pk, text, NOW + MINUTE)
    assert raised.value.code == "edited-out"
    made.refresh_from_db()
    assert (made.text, made.state_by) == (TIP, moderator)
    reverse(entry, moderator, NOW + MINUTE)
    assert edit(made.pk, alice.pk, "Better words", NOW + MINUTE).text == "Better words"


@pytest.mark.parametrize("state", [State.REMOVED, State.SPAM])
def test_removed_words_cannot_be_posted_again_and_the_author_is_told(rules, say, known, alice, state):
    made = say(known(alice), TIP)
    Comment.objects.filter(pk=made.pk).update(state=state)
    with pytest.raises(Refused) as raised:
        say(alice, TIP)
    assert raised.value.code == "removed"
    assert Comment.objects.filter(text=TIP).count() == 1
    assert say(alice, f"{TIP} And so on.").state == State.VISIBLE


def test_the_same_comment_sent_twice_is_stored_once(rules, say, known, alice):
    assert say(known(alice), TIP).pk == say(alice, TIP, now=NOW + MINUTE).pk
    assert Comment.objects.filter(text=TIP).count() == 1


def test_a_pathological_text_is_refused_and_nothing_is_stored(rules, say, alice):
    with pytest.raises(Refused) as raised:
        say(alice, "[" * 3000)
    assert raised.value.code == "run"
    assert not Comment.objects.exists()


def test_options_are_shown_as_text_and_stored_as_slots(rules, say, alice):
    made = say(alice, "{option:2} is managed, {option:9} is not there.")
    assert made.slots == [2]
    assert '<span class="option-ref">Thing 2 of 1</span>' in made.html
    assert "{option:9}" in made.html


def test_a_suspended_author_cannot_write_and_is_told_until_when(say, alice, moderator):
    Suspension.objects.create(
        user=alice, until=NOW + dt.timedelta(days=2), by=moderator, reason="Insults.", made_at=NOW
    )
    with pytest.raises(Suspended, match=r"2026.*Insults\.") as raised:
        say(alice, TIP)
    assert (raised.value.until, raised.value.reason) == (NOW + dt.timedelta(days=2), "Insults.")
    assert not Comment.objects.exists()


@pytest.mark.parametrize("fields", [{"lifted_at": NOW}, {"until": NOW}])
def test_a_lifted_or_expired_suspension_has_no_effect(say, alice, moderator, fields):
    Suspension.objects.create(**{"user": alice, "until": NOW + MINUTE, "by": moderator, "made_at": NOW} | fields)
    assert say(alice, TIP).pk


def test_a_closed_thread_takes_no_comment_and_no_edit(say, alice, version):
    made = say(alice, TIP)
    ThreadState.objects.create(question=version.question, locked_at=NOW, reason="Too heated.")
    with pytest.raises(Locked, match="Too heated"):
        say(alice, "Something else.")
    with pytest.raises(Locked):
        edit(made.pk, alice.pk, "Something else.", NOW)


def test_too_many_comments_are_refused_until_the_next_hour(rules, say, known, alice, monkeypatch):
    monkeypatch.setitem(limits.HOURLY, "comments", 2)
    say(known(alice), "One.")
    say(alice, "Two.")
    with pytest.raises(TooMany) as raised:
        say(alice, "Three.")
    assert raised.value.minutes == 60
    assert Comment.objects.filter(author=alice, created_at=NOW).count() == 2
    assert say(alice, "Three.", now=NOW + 60 * MINUTE).pk


def test_a_reply_is_counted_under_its_comment_once_it_can_be_read(rules, say, known, alice, bob):
    first = say(known(alice), TIP)
    held = say(bob, "I agree.", Kind.REPLY, parent=first)
    first.refresh_from_db()
    assert (held.state, held.kind, first.replies) == (State.HELD, Kind.REPLY, 0)
    say(alice, "Thank you.", Kind.REPLY, parent=first)
    first.refresh_from_db()
    assert first.replies == 1


def test_a_reply_to_a_reply_or_to_another_question_or_to_a_deleted_comment_is_refused(say, known, alice, version, exam):
    from tests.support.bank import add_questions

    first = row(version, known(alice), TIP)
    second = row(version, alice, "Yes.", parent=first)
    hidden = row(version, alice, "No.", state=State.REMOVED)
    other = add_questions(exam, 1, domains=("d2",))[0]
    for parent, about in ((second, version), (hidden, version), (first, other)):
        with pytest.raises(Refused):
            say(alice, "What?", Kind.REPLY, parent=parent, version=about)


def test_a_comment_has_a_maximum_number_of_replies(say, known, alice, version, monkeypatch):
    assert MOST_REPLIES == 100
    monkeypatch.setattr(posting, "MOST_REPLIES", 1)
    first = row(version, known(alice), TIP)
    row(version, alice, "One.", parent=first)
    with pytest.raises(Refused) as raised:
        say(alice, "Two.", Kind.REPLY, parent=first)
    assert raised.value.code == "full"


def test_an_author_can_follow_a_comment_while_posting_it(say, alice, bob, version):
    made = say(alice, TIP, follow=True)
    say(bob, "Something.")
    assert list(Subscription.objects.values_list("comment", "user")) == [(made.pk, alice.pk)]


def test_an_edit_within_fifteen_minutes_is_screened_again(rules, say, known, alice, django_capture_on_commit_callbacks):
    made = say(known(alice), TIP)
    with django_capture_on_commit_callbacks(execute=True):
        edit(made.pk, alice.pk, "Better words {option:1}", NOW + 14 * MINUTE)
    made.refresh_from_db()
    assert (made.text, made.slots, made.state) == ("Better words {option:1}", [1], State.VISIBLE)
    assert made.edited_at == NOW + 14 * MINUTE
    assert made.screened_at
    assert Shingle.objects.filter(comment=made).count() > 0
    with django_capture_on_commit_callbacks(execute=True):
        edit(made.pk, alice.pk, "BAD words", NOW + 14 * MINUTE)
    made.refresh_from_db()
    assert (made.state, made.listed) == (State.HELD, False)


def test_no_comment_is_edited_late_by_others_or_after_removal(rules, say, known, alice, bob, version):
    made = say(known(alice), TIP)
    with pytest.raises(Refused) as raised:
        edit(made.pk, alice.pk, "Other", NOW + 15 * MINUTE)
    assert raised.value.code == "late"
    with pytest.raises(NotThere):
        edit(made.pk, bob.pk, "Other", NOW)
    removed = row(version, alice, "Gone", state=State.REMOVED)
    with pytest.raises(Refused):
        edit(removed.pk, alice.pk, "Back", NOW)
    made.refresh_from_db()
    assert made.text == TIP


def test_a_deleted_comment_keeps_no_text_and_leaves_a_stub_only_if_it_has_replies(say, known, alice, bob, version):
    alone, answered = row(version, known(alice), "Alone"), row(version, alice, "Answered")
    row(version, bob, "Yes.", parent=answered)
    delete(alone.pk, alice.pk, NOW)
    delete(answered.pk, alice.pk, NOW)
    for comment in (alone, answered):
        comment.refresh_from_db()
        assert (comment.text, comment.html, comment.deleted_at) == ("", "", NOW)
    assert (alone.listed, answered.listed) == (False, True)
    with pytest.raises(NotThere):
        delete(alone.pk, alice.pk, NOW)
    with pytest.raises(NotThere):
        delete(answered.pk, bob.pk, NOW)


def test_the_stub_is_deleted_with_its_last_reply(version, alice, bob):
    first = row(version, alice, "Answered")
    reply = row(version, bob, "Yes.", parent=first)
    delete(first.pk, alice.pk, NOW)
    delete(reply.pk, bob.pk, NOW)
    first.refresh_from_db()
    assert (first.listed, first.replies) == (False, 0)


def test_a_correction_goes_to_the_editors_once_it_is_visible(rules, say, known, alice, version):
    text = "{option:2} is right as well: the page on quotas says so."
    made = say(known(alice), text, Kind.CORRECTION)
    report = ContentReport.objects.get()
    assert made.report == report
    assert (report.version_id, report.slot, report.text, report.reporter_id, report.state) == (
        version.pk, 2, text, alice.pk, ReportState.OPEN,
    )  # fmt: skip


def test_a_held_correction_reaches_no_editor(rules, say, alice):
    assert say(alice, "It is wrong.", Kind.CORRECTION).report is None
    assert not ContentReport.objects.exists()


def test_a_long_correction_is_shortened_for_the_editors_and_a_repeated_one_reported_once(rules, say, known, alice):
    long = "It is wrong. " * 300
    made = say(known(alice), long.strip(), Kind.CORRECTION)
    assert len(made.report.text) == 2000
    assert made.report.text.endswith(CUT)
    short = say(alice, "Wrong.", Kind.CORRECTION)
    delete(short.pk, alice.pk, NOW)
    assert say(alice, "Wrong.", Kind.CORRECTION, now=NOW + MINUTE).report_id == short.report_id
    assert ContentReport.objects.count() == 2
