"""Check what a moderator's decision changes: states, the log, comments it releases, notices, and its reversal."""

from __future__ import annotations

import datetime as dt
from types import SimpleNamespace

import pytest
from django.core import mail
from django.db import IntegrityError, transaction
from django.template.loader import render_to_string
from django.urls import reverse as reverse_url

from courseiva.accounts.changes.delete import remove_account
from courseiva.accounts.staff.groups import MODERATORS
from discussion.comments.errors import AlreadyDecided, MovedOn, NotAModerator, NotThere, Refused
from discussion.mail.send import TOGETHER, send_notices
from discussion.mail.settle import UNDO_TIME, send_corrections
from discussion.models import (
    Act,
    Claim,
    Comment,
    Harm,
    Hit,
    Kind,
    LogEntry,
    Notice,
    Reason,
    State,
    Suspension,
    ThreadState,
)
from discussion.moderation.acts.decide import decide, edit_out, lock_thread, reverse, suspend, unlock_thread
from discussion.reactions.report import report_comment
from discussion.screening.hold import second_look
from discussion.screening.rules.parts import FIRST_POST
from discussion.threads.post import Draft, delete, edit, post
from questions.models import ContentReport, ReportState
from questions.reports.report import Answer, answer_report
from tests.discussion.conftest import in_group, row
from tests.support.bank import NOW

LATER = NOW + dt.timedelta(minutes=5)
SENT = NOW + UNDO_TIME
MAILED = SENT + TOGETHER


@pytest.fixture
def held(version, alice):
    return hold(version, alice, "A first remark.", FIRST_POST)


def hold(version, author, text, *rules, **fields) -> Comment:
    made = row(version, author, text, state=State.HELD, **fields)
    for rule in rules:
        Hit.objects.create(comment=made, rule=rule, start=0, end=1, text=text[:1])
    return made


def state_of(comment: Comment) -> str:
    comment.refresh_from_db()
    return comment.state


def explained(reason: Reason) -> str:
    """Return the text that an author is sent for this reason."""
    return render_to_string("discussion/email/_reason.txt", {"entry": SimpleNamespace(reason=reason)}).strip()


def test_only_moderators_can_make_decisions(held, alice, bob, version):
    editor = bob
    editor.is_staff = True
    editor.save()
    entry = LogEntry.objects.create(act=Act.APPROVE, by=None, comment=held, at=NOW)
    for call in (
        lambda: decide(held, Act.APPROVE, editor, NOW),
        lambda: edit_out(held, "x", editor, NOW, Reason.OTHER),
        lambda: lock_thread(version.question_id, editor, NOW, "x"),
        lambda: unlock_thread(version.question_id, editor, NOW),
        lambda: suspend(alice.pk, LATER, editor, NOW, "x"),
        lambda: reverse(entry, editor, NOW),
    ):
        with pytest.raises(NotAModerator):
            call()
    assert state_of(held) == State.HELD
    assert LogEntry.objects.count() == 1


def test_nobody_decides_on_their_own_comments(version, moderator):
    mine = hold(version, moderator, "My own remark.", FIRST_POST)
    other = in_group("max", MODERATORS)
    for call in (
        lambda: decide(mine, Act.APPROVE, moderator, NOW),
        lambda: decide(mine, Act.REJECT, moderator, NOW, Reason.LEAK),
        lambda: decide(mine, Act.SPAM, moderator, NOW),
        lambda: edit_out(mine, "x", moderator, NOW, Reason.LEAK),
        lambda: reverse(decide(mine, Act.SPAM, other, NOW), moderator, NOW),
    ):
        with pytest.raises(Refused) as raised:
            call()
        assert raised.value.code == "own"
    assert LogEntry.objects.count() == 1
    assert state_of(mine) == State.SPAM


def test_a_moderator_cannot_moderate_while_suspended(held, version, moderator):
    other = in_group("max", MODERATORS)
    suspend(moderator.pk, LATER, other, NOW, "Rude to authors.")
    for call in (
        lambda now: decide(held, Act.APPROVE, moderator, now),
        lambda now: lock_thread(version.question_id, moderator, now, "x"),
        lambda now: reverse(LogEntry.objects.get(act=Act.SUSPEND), moderator, now),
    ):
        with pytest.raises(NotAModerator):
            call(NOW)
    decide(held, Act.APPROVE, moderator, LATER)
    assert state_of(held) == State.VISIBLE


@pytest.mark.parametrize(
    ("act", "reason", "state"),
    [
        (Act.APPROVE, "", State.VISIBLE),
        (Act.REJECT, Reason.LEAK, State.REMOVED),
        (Act.SPAM, "", State.SPAM),
    ],
)
def test_a_decision_sets_the_state_and_says_who_when_and_why(held, moderator, act, reason, state):
    Claim.objects.create(comment=held, moderator=moderator, until=LATER)
    entry = decide(held, act, moderator, NOW, reason, "In my words.")
    assert state_of(held) == state
    assert (held.state_by, held.state_at, held.state_reason) == (moderator, NOW, reason)
    assert held.listed == (state == State.VISIBLE)
    assert (entry.act, entry.by, entry.comment, entry.subject, entry.reason, entry.words, entry.at) == (
        act, moderator, held, held.author, reason, "In my words.", NOW,
    )  # fmt: skip
    assert (entry.before["state"], entry.after["state"]) == (State.HELD, state)
    assert not Claim.objects.exists()


def test_the_second_of_two_moderators_sees_who_decided_first(held, moderator):
    max_ = in_group("max", MODERATORS)
    decide(held, Act.REJECT, moderator, NOW, Reason.ABUSE)
    for act in (Act.APPROVE, Act.SPAM, Act.REJECT):
        for by, code in ((max_, "decided"), (moderator, "decided-by-you")):
            with pytest.raises(AlreadyDecided) as raised:
                decide(held, act, by, NOW, Reason.OFF_TOPIC)
            assert (raised.value.code, "Mona" in str(raised.value)) == (code, by == max_)
            assert raised.value.comment.state == State.REMOVED
    assert LogEntry.objects.count() == 1


def test_approving_a_comment_that_is_not_waiting_does_nothing(version, alice, moderator):
    with pytest.raises(AlreadyDecided):
        decide(row(version, alice, "A tip."), Act.APPROVE, moderator, NOW)


def test_a_visible_comment_can_be_removed_and_its_reports_are_closed(version, alice, bob, moderator):
    comment = row(version, alice, "A tip.")
    report = report_comment(comment.pk, bob.pk, Harm.ABUSE, "", NOW)
    entry = decide(comment, Act.REJECT, moderator, NOW, Reason.ABUSE)
    report.refresh_from_db()
    assert (state_of(comment), report.closed_at, entry.after["reports"]) == (State.REMOVED, NOW, [report.pk])


def test_approving_a_reported_comment_keeps_it_and_closes_the_reports(version, alice, bob, moderator):
    comment = row(version, alice, "A tip.")
    report_comment(comment.pk, bob.pk, Harm.ABUSE, "", NOW)
    decide(comment, Act.APPROVE, moderator, NOW)
    assert state_of(comment) == State.VISIBLE
    assert not comment.reports.filter(closed_at=None).exists()


def test_a_rejection_needs_one_of_the_reasons_and_locking_is_not_a_decision(held, moderator):
    for act, reason in ((Act.REJECT, ""), (Act.REJECT, "because"), (Act.LOCK, "")):
        with pytest.raises(Refused):
            decide(held, act, moderator, NOW, reason)
    assert state_of(held) == State.HELD


def test_a_comment_deleted_by_its_author_cannot_be_decided(held, moderator, alice):
    delete(held.pk, alice.pk, NOW)
    with pytest.raises(NotThere):
        decide(held, Act.APPROVE, moderator, NOW)


def test_approving_a_first_comment_releases_others_held_only_as_first_ones(held, version, alice, bob, moderator):
    other = hold(version, alice, "Another first remark.", FIRST_POST)
    with_link = hold(version, alice, "With a link.", FIRST_POST, "link")
    only_link = hold(version, alice, "Only a link.", "link")
    of_bob = hold(version, bob, "Somebody else's first.", FIRST_POST)
    entry = decide(held, Act.APPROVE, moderator, NOW)
    assert [state_of(each) for each in (held, other, with_link, only_link, of_bob)] == [
        State.VISIBLE, State.VISIBLE, State.HELD, State.HELD, State.HELD,
    ]  # fmt: skip
    assert entry.after["released"] == [other.pk]
    assert LogEntry.objects.count() == 1
    assert other.listed


def test_a_comment_not_yet_compared_with_others_is_not_released(settings, version, alice, bob, moderator, known, say):
    settings.HOLD_FIRST_POSTS = 1
    words = "The subnet is regional, so the second zone needs no subnet of its own in this place."
    say(known(bob), words)
    first = post(version, alice.pk, Draft(Kind.TIP, "Something fine and harmless, I think."), NOW)
    second = post(version, alice.pk, Draft(Kind.TIP, words), NOW)
    entry = decide(first, Act.APPROVE, moderator, NOW)
    assert (state_of(second), entry.after["released"]) == (State.HELD, [])
    second_look(second.pk, NOW)
    assert state_of(second) == State.HELD
    assert "near-duplicate" in second.hits.values_list("rule", flat=True)


def test_rejecting_a_first_comment_releases_nothing(held, version, alice, moderator):
    other = hold(version, alice, "Another.", FIRST_POST)
    decide(held, Act.REJECT, moderator, NOW, Reason.OFF_TOPIC)
    assert state_of(other) == State.HELD


def test_a_released_correction_goes_to_the_editors(version, alice, moderator):
    first = hold(version, alice, "First.", FIRST_POST)
    correction = hold(version, alice, "The key is wrong.", FIRST_POST, kind=Kind.CORRECTION)
    rejected = hold(version, alice, "Wrong!!", "shouting", kind=Kind.CORRECTION)
    decide(rejected, Act.REJECT, moderator, NOW, Reason.UNREADABLE)
    assert not ContentReport.objects.exists()
    decide(first, Act.APPROVE, moderator, NOW)
    assert send_corrections(SENT - dt.timedelta(seconds=1)) == 0
    assert not ContentReport.objects.exists()
    assert send_corrections(SENT) == 1
    assert send_corrections(SENT) == 0
    correction.refresh_from_db()
    assert correction.report == ContentReport.objects.get()
    assert correction.report.version == version


def test_a_correction_whose_release_is_undone_reaches_no_editor(version, alice, moderator):
    correction = hold(version, alice, "The key is wrong.", "link", kind=Kind.CORRECTION)
    reverse(decide(correction, Act.APPROVE, moderator, NOW), moderator, NOW + dt.timedelta(seconds=9))
    assert send_corrections(LATER) == 0
    assert not ContentReport.objects.exists()
    reverse(decide(correction, Act.SPAM, moderator, NOW), moderator, LATER)
    decide(correction, Act.APPROVE, moderator, LATER)
    assert send_corrections(LATER + UNDO_TIME) == 1


@pytest.fixture
def sent(say, known, alice) -> Comment:
    """Return a correction that the editors have received."""
    made = say(known(alice), "Option {option:1} is wrong. Ask Lena of our team.", Kind.CORRECTION)
    assert made.report.text == made.text
    return made


def test_words_edited_out_of_a_correction_leave_its_report_until_undone(sent, moderator):
    entry = edit_out(sent, "Option {option:2} is wrong.", moderator, LATER, Reason.PERSONAL)
    report = ContentReport.objects.get()
    assert (report.text, report.slot) == ("Option {option:2} is wrong.", 2)
    reverse(entry, moderator, LATER)
    report = ContentReport.objects.get()
    assert (report.text, report.slot) == ("Option {option:1} is wrong. Ask Lena of our team.", 1)


def test_an_edited_correction_changes_its_report_once_screened(sent, alice):
    edit(sent.pk, alice.pk, "Both are wrong.", LATER)
    assert ContentReport.objects.get().text == sent.text
    second_look(sent.pk, LATER)
    report = ContentReport.objects.get()
    assert (report.text, report.slot, report.state) == ("Both are wrong.", None, ReportState.OPEN)


def test_an_answered_report_keeps_the_wording_it_was_answered_on(sent, alice, moderator):
    answer_report(sent.report_id, Answer(ReportState.DECLINED, "The source says so."), 0, moderator, NOW)
    edit_out(sent, "It is wrong.", moderator, LATER, Reason.PERSONAL)
    assert ContentReport.objects.get().text == "Option {option:1} is wrong. Ask Lena of our team."


def test_a_correction_held_again_removed_or_deleted_leaves_its_report_alone(sent, alice, moderator):
    was = sent.text
    edit(sent.pk, alice.pk, "See https://elsewhere.example/page for it.", LATER)
    second_look(sent.pk, LATER)
    assert (state_of(sent), ContentReport.objects.get().text) == (State.HELD, was)
    decide(sent, Act.REJECT, moderator, LATER, Reason.ADVERT)
    assert ContentReport.objects.get().text == was
    delete(sent.pk, alice.pk, LATER)
    assert ContentReport.objects.get().text == was


def test_a_removed_reply_no_longer_counts_and_its_comment_loses_its_stub(version, alice, bob, moderator):
    first = row(version, alice, "A tip.")
    reply = row(version, bob, "Nonsense.", parent=first)
    decide(first, Act.REJECT, moderator, NOW, Reason.OFF_TOPIC)
    first.refresh_from_db()
    assert (first.listed, first.replies) == (True, 1)
    decide(reply, Act.REJECT, moderator, NOW, Reason.ABUSE)
    first.refresh_from_db()
    assert (first.listed, first.replies) == (False, 0)


def test_editing_words_out_replaces_the_text_and_keeps_the_old_one_in_the_log(held, moderator):
    entry = edit_out(held, "A **remark**.", moderator, NOW, Reason.PERSONAL)
    assert state_of(held) == State.VISIBLE
    assert (held.text, held.html) == ("A **remark**.", "<p>A <strong>remark</strong>.</p>")
    assert not held.hits.exists()
    assert (entry.before["text"], entry.after["text"]) == ("A first remark.", "A **remark**.")


def test_the_reason_other_needs_a_message_for_the_author(held, moderator):
    for call in (
        lambda: decide(held, Act.REJECT, moderator, NOW, Reason.OTHER, " "),
        lambda: edit_out(held, "A remark.", moderator, NOW, Reason.OTHER),
    ):
        with pytest.raises(Refused) as raised:
            call()
        assert raised.value.code == "words"
    assert not LogEntry.objects.exists()
    edit_out(held, "A remark.", moderator, NOW, Reason.OTHER, "Names of colleagues stay out.")
    assert send_notices(MAILED) == 1
    assert "Names of colleagues stay out." in mail.outbox[0].body


def test_editing_words_out_recomputes_the_hashes_for_similar_texts(version, alice, moderator, say, known):
    made = say(known(alice), "My number is 0700 900123 and a table is sharded by its key.")
    before = set(made.shingles.values_list("value", flat=True))
    edit_out(made, "A table is sharded by its key.", moderator, NOW, Reason.PERSONAL)
    after = set(made.shingles.values_list("value", flat=True))
    assert after
    assert after != before
    assert after == set(say(alice, "A table is sharded, by its key!").shingles.values_list("value", flat=True))


def test_editing_words_out_needs_a_reason_a_change_and_a_live_comment(held, version, alice, moderator):
    for text, reason in (("Other", ""), (held.text, Reason.OTHER), ("[" * 50, Reason.OTHER)):
        with pytest.raises(Refused):
            edit_out(held, text, moderator, NOW, reason, "In my words.")
    with pytest.raises(AlreadyDecided):
        edit_out(row(version, alice, "x", state=State.SPAM), "y", moderator, NOW, Reason.LEAK)
    assert not LogEntry.objects.exists()


def test_a_closed_thread_cannot_be_closed_again_nor_an_open_one_opened(version, moderator):
    lock_thread(version.question_id, moderator, NOW, "Too heated.")
    thread = ThreadState.objects.get()
    assert (thread.locked_at, thread.locked_by, thread.reason) == (NOW, moderator, "Too heated.")
    with pytest.raises(Refused):
        lock_thread(version.question_id, moderator, NOW, "Again.")
    unlock_thread(version.question_id, moderator, NOW)
    with pytest.raises(Refused):
        unlock_thread(version.question_id, moderator, NOW)
    assert [entry.act for entry in LogEntry.objects.all()] == [Act.UNLOCK, Act.LOCK]


def test_a_suspension_has_an_end_and_a_reason_and_nobody_suspends_themselves(alice, moderator):
    for user, until, words in ((alice, NOW, "x"), (alice, LATER, " "), (moderator, LATER, "x")):
        with pytest.raises(Refused):
            suspend(user.pk, until, moderator, NOW, words)
    suspend(alice.pk, LATER, moderator, NOW, "Insults.")
    made = Suspension.objects.get()
    assert (made.user, made.until, made.by, made.reason) == (alice, LATER, moderator, "Insults.")


@pytest.mark.parametrize("act", [Act.APPROVE, Act.REJECT, Act.SPAM])
def test_any_decision_can_be_reversed_with_all_its_effects(version, alice, bob, moderator, act):
    comment = hold(version, alice, "First.", FIRST_POST)
    other = hold(version, alice, "Another.", FIRST_POST)
    entry = decide(comment, act, moderator, NOW, Reason.OFF_TOPIC)
    back = reverse(entry, moderator, LATER, "A slip.")
    assert (state_of(comment), state_of(other)) == (State.HELD, State.HELD)
    assert not comment.listed
    assert (back.act, back.reverses, back.before, back.after) == (Act.REVERSE, entry, entry.after, entry.before)
    assert LogEntry.objects.count() == 2


def test_reversing_a_decision_reopens_the_reports_and_restores_the_text(version, alice, bob, moderator):
    comment = row(version, alice, "My number is here.")
    report = report_comment(comment.pk, bob.pk, Harm.PERSONAL, "", NOW)
    entry = edit_out(comment, "Nothing here.", moderator, NOW, Reason.PERSONAL)
    reverse(entry, moderator, LATER)
    report.refresh_from_db()
    assert (state_of(comment), comment.text, report.closed_at) == (State.VISIBLE, "My number is here.", None)
    assert "My number is here." in comment.html


def test_an_act_can_be_reversed_once_and_only_if_nothing_was_done_since(held, moderator):
    first = decide(held, Act.REJECT, moderator, NOW, Reason.OFF_TOPIC)
    reverse(first, moderator, NOW)
    with pytest.raises(MovedOn):
        reverse(first, moderator, NOW)
    second = decide(held, Act.REJECT, moderator, NOW, Reason.OFF_TOPIC)
    Comment.objects.filter(pk=held.pk).update(state=State.SPAM)
    with pytest.raises(MovedOn):
        reverse(second, moderator, NOW)
    with pytest.raises(Refused):
        reverse(LogEntry.objects.get(act=Act.REVERSE), moderator, NOW)
    assert state_of(held) == State.SPAM


def test_locks_and_suspensions_can_be_reversed(version, alice, moderator):
    reverse(lock_thread(version.question_id, moderator, NOW, "Too heated."), moderator, LATER)
    assert ThreadState.objects.get().locked_at is None
    reverse(suspend(alice.pk, LATER, moderator, NOW, "Insults."), moderator, NOW)
    assert Suspension.objects.get().lifted_at == NOW


def test_reversing_a_lock_that_was_opened_since_is_refused(version, moderator):
    entry = lock_thread(version.question_id, moderator, NOW, "x")
    unlock_thread(version.question_id, moderator, NOW)
    with pytest.raises(MovedOn):
        reverse(entry, moderator, NOW)


def test_the_log_is_append_only(held, moderator):
    entry = decide(held, Act.SPAM, moderator, NOW)
    entry.words = "Something else."
    with pytest.raises(TypeError):
        entry.save()
    with pytest.raises(TypeError):
        entry.delete()
    for change in (
        lambda: LogEntry.objects.update(words="Something else."),
        lambda: LogEntry.objects.filter(pk=entry.pk).delete(),
        lambda: LogEntry.objects.bulk_update([entry], ["words"]),
        lambda: LogEntry.objects.update_or_create(pk=entry.pk, defaults={"words": "Something else."}),
        lambda: moderator.moderation_log.update(words="Something else."),
        lambda: held.log.all().delete(),
    ):
        with pytest.raises(TypeError):
            change()
    for change in (
        lambda: LogEntry(pk=entry.pk, act=Act.LOCK, at=NOW).save(),
        lambda: LogEntry.objects.bulk_create(
            [LogEntry(pk=entry.pk, act=Act.LOCK, at=NOW)],
            update_conflicts=True,
            unique_fields=["pk"],
            update_fields=["act"],
        ),
    ):
        with pytest.raises((IntegrityError, TypeError)), transaction.atomic():
            change()
    entry = LogEntry.objects.get()
    assert (entry.act, entry.words, entry.by) == (Act.SPAM, "", moderator)


@pytest.mark.parametrize("leave", [lambda user: user.delete(), lambda user: remove_account(user.pk, NOW)])
def test_the_log_outlives_accounts_without_their_names(held, moderator, alice, leave):
    decide(held, Act.SPAM, moderator, NOW)
    leave(moderator)
    leave(alice)
    entry = LogEntry.objects.get()
    assert (entry.by, entry.subject, entry.act, entry.comment) == (None, None, Act.SPAM, held)


def test_a_notice_is_sent_once_the_decision_cannot_be_undone_and_names_the_rule(held, moderator, alice):
    decide(held, Act.REJECT, moderator, NOW, Reason.LEAK, "The second sentence.")
    assert send_notices(MAILED - dt.timedelta(seconds=1)) == 0
    assert send_notices(MAILED) == 1
    assert send_notices(MAILED) == 0
    (message,) = mail.outbox
    assert message.to == [alice.email]
    for words in ("Alice", explained(Reason.LEAK), "The second sentence.", "A first remark", reverse_url("inbox")):
        assert words in message.body


def test_an_act_undone_in_time_is_never_announced(held, moderator):
    reverse(decide(held, Act.REJECT, moderator, NOW, Reason.LEAK), moderator, NOW)
    assert send_notices(MAILED + UNDO_TIME) == 0
    assert not Notice.objects.exists()


def test_reversing_an_announced_act_is_announced_too(held, moderator):
    entry = decide(held, Act.REJECT, moderator, NOW, Reason.LEAK)
    send_notices(MAILED)
    reverse(entry, moderator, LATER)
    assert send_notices(LATER + UNDO_TIME + TOGETHER) == 1
    decided, back = mail.outbox
    assert explained(Reason.LEAK) in decided.body
    assert explained(Reason.LEAK) not in back.body


def test_spam_is_announced_to_nobody_but_a_suspension_is_announced(held, version, alice, bob, moderator):
    decide(hold(version, bob, "Buy!", "advert"), Act.SPAM, moderator, NOW)
    suspend(bob.pk, LATER, moderator, NOW, "Advertising.")
    assert send_notices(MAILED) == 1
    assert mail.outbox[0].to == [bob.email]
    assert "Advertising." in mail.outbox[0].body
    assert f"{LATER:%-d %B %Y}" in mail.outbox[0].body


def test_a_mail_that_cannot_be_sent_is_tried_again(held, moderator, monkeypatch):
    decide(held, Act.REJECT, moderator, NOW, Reason.LEAK)

    def fails(*_, **__):
        raise OSError("no mail server")

    with monkeypatch.context() as broken:
        broken.setattr("django.core.mail.EmailMessage.send", fails)
        assert send_notices(MAILED) == 0
    assert send_notices(MAILED) == 1
