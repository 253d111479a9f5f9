"""Moderators have saved replies, figures about their work, and slow mode."""

from __future__ import annotations

import datetime as dt

import pytest
from django.urls import reverse

from courseiva.accounts.models import User
from discussion.comments.errors import MovedOn, NotAModerator, NotThere, Refused, TooSoon
from discussion.models import Act, Comment, Harm, Hit, Kind, LogEntry, Reason, SavedReply, State, ThreadState
from discussion.moderation.acts.decide import decide, lock_thread, slow_thread
from discussion.moderation.acts.decide import reverse as reverse_act
from discussion.moderation.acts.replies import drop_reply, keep_reply
from discussion.moderation.reads.figures import figures
from discussion.people.appeals.appeal import answer_appeal, make_appeal
from discussion.reactions.report import report_comment
from discussion.threads.post import Draft, post
from tests.discussion.conftest import person, row, seen
from tests.support.bank import NOW
from tests.support.hooks import codes, states, values

pytestmark = pytest.mark.long("many requests")

HOUR, MINUTE = dt.timedelta(hours=1), dt.timedelta(minutes=1)


def hold(version, author, text="A remark.", age=HOUR, **fields) -> Comment:
    return row(version, author, text, state=State.HELD, created_at=NOW - age, state_at=NOW - age, **fields)


# Saved replies


def test_any_moderator_adds_changes_and_deletes_a_saved_reply(mona, max_):
    kept = keep_reply("No links", "Name the page.", mona, NOW)
    keep_reply("No links, please", "Name the page instead.", max_, NOW + HOUR, kept.pk)
    row = SavedReply.objects.get()
    assert (row.title, row.text, row.changed_by, row.changed_at) == (
        "No links, please", "Name the page instead.", max_, NOW + HOUR,
    )  # fmt: skip
    drop_reply(kept.pk, mona, NOW)
    drop_reply(kept.pk, mona, NOW)
    assert not SavedReply.objects.exists()


def test_only_moderators_save_replies_and_titles_are_unique(mona, alice):
    with pytest.raises(NotAModerator):
        keep_reply("Mine", "Words.", alice, NOW)
    with pytest.raises(NotAModerator):
        drop_reply(1, alice, NOW)
    with pytest.raises(NotThere):
        keep_reply("Gone", "Words.", mona, NOW, 99999)
    keep_reply("No links", "Words.", mona, NOW)
    with pytest.raises(Refused) as refused:
        keep_reply("No links", "Other words.", mona, NOW)
    assert refused.value.code == "title-taken"


def test_the_page_of_saved_replies_adds_changes_and_deletes_them(desk, mona):
    address = reverse("moderation-replies")
    assert values(desk.get(address), "data-empty") == ["replies"]
    desk.post(address, {"title": "No links", "text": "Name the page."})
    reply = SavedReply.objects.get()
    assert values(desk.get(address), "data-reply") == [str(reply.pk)]
    page = desk.post(address, {"title": "No links", "text": "Again."})
    assert (page.status_code, codes(page.context["form"])) == (400, {"title": ["title-taken"]})
    desk.post(reverse("moderation-reply", args=[reply.pk]), {"title": "Links", "text": "Other."})
    reply.refresh_from_db()
    assert (reply.title, reply.text, reply.changed_by) == ("Links", "Other.", mona)
    assert desk.get(reverse("moderation-reply", args=[99999])).status_code == 404
    desk.post(reverse("moderation-reply-drop", args=[reply.pk]))
    assert not SavedReply.objects.exists()


def test_a_saved_reply_goes_before_the_moderators_own_words(desk, version, alice, mona):
    reply = keep_reply("No links", "Name the page.", mona, NOW)
    held = hold(version, alice)
    assert f'<option value="{reply.pk}">' in desk.get(reverse("moderation")).content.decode()
    sent = {"comment": held.pk, "seen": seen(held.pk)[held.pk], "reject": "other", "saved": reply.pk}
    desk.post(reverse("moderation-decide"), {**sent, "words": "Thank you."})
    assert LogEntry.objects.get().words.splitlines() == [reply.text, "", "Thank you."]


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [({"words": "x" * 495}, {"words": ["max_length"]}), ({"saved": 99999}, {"saved": ["invalid_choice"]})],
)
def test_a_saved_reply_that_is_gone_or_too_long_decides_nothing(desk, version, alice, mona, fields, wrong):
    reply = keep_reply("No links", "Name the page.", mona, NOW)
    held = hold(version, alice)
    sent = {"comment": held.pk, "seen": seen(held.pk)[held.pk], "reject": "leak", "saved": reply.pk} | fields
    page = desk.post(reverse("moderation-decide"), sent)
    assert (page.status_code, codes(page.context["form"])) == (400, wrong)
    assert values(page, "data-code") == [code for found in wrong.values() for code in found]
    upto = {"upto": held.pk, "reject": "leak", "saved": reply.pk} | fields
    page = desk.post(reverse("moderation-author-decide", args=[alice.pk]), upto)
    assert (page.status_code, codes(page.context["decision"])) == (400, wrong)
    assert values(page, "data-code") == [code for found in wrong.values() for code in found]
    assert not LogEntry.objects.exists()


# Figures


def test_the_figures_show_how_long_decisions_take_and_which_were_reversed(version, alice, bob, mona, max_):
    for hours in (1, 2, 9):
        decide(hold(version, alice, f"{hours}", age=hours * HOUR), Act.SPAM, mona, NOW)
    reported = row(version, alice, "A tip.", created_at=NOW - 99 * HOUR)
    report_comment(reported.pk, bob.pk, Harm.WRONG, "", NOW - 5 * HOUR)
    decide(reported, Act.APPROVE, mona, NOW)
    unasked = row(version, alice, "Nobody waited for this.", created_at=NOW - 99 * HOUR)
    reverse_act(decide(unasked, Act.SPAM, mona, NOW), max_, NOW + MINUTE)
    decide(hold(version, bob, age=900 * HOUR), Act.SPAM, mona, NOW - 20 * 24 * HOUR)
    week, month, _ = figures(NOW + HOUR)
    assert (week.decisions, week.undone) == (5, 1)
    assert (week.typical, week.slow) == (5 * HOUR, 9 * HOUR)
    assert (month.decisions, month.slow) == (6, 900 * HOUR - 20 * 24 * HOUR)


def test_only_answered_appeals_are_counted(version, alice, mona, max_):
    for granted in (True, False, None):
        entry = decide(hold(version, alice, f"{granted}"), Act.REJECT, mona, NOW, Reason.LEAK)
        appeal = make_appeal(entry.notice.pk, alice.pk, "Why?", NOW + MINUTE)
        if granted is not None:
            answer_appeal(appeal.pk, granted, max_, NOW + HOUR, "So.")
    week = figures(NOW + 2 * HOUR)[0]
    assert (week.answered, week.granted) == (2, 1)


def test_the_queue_per_hundred_newcomers_counts_comments_a_moderator_had_to_see(version, alice):
    User.objects.update(date_joined=NOW - 400 * 24 * HOUR)
    new = [person(f"new{n}", date_joined=NOW - HOUR) for n in range(4)]
    hold(version, new[0])
    found = row(version, new[1], "Released since.")
    for rule in ("link", "advert"):
        Hit.objects.create(comment=found, rule=rule, start=0, end=1, text="R")
    report_comment(row(version, new[2], "Reported.").pk, alice.pk, Harm.SPAM, "", NOW)
    row(version, new[3], "Nothing wrong.")
    hold(version, alice)
    week = figures(NOW)[0]
    assert (week.joined, week.queued, week.per_hundred) == (4, 3, 75)


def test_without_decisions_there_are_no_figures(db):
    User.objects.update(date_joined=NOW - 400 * 24 * HOUR)
    week = figures(NOW)[0]
    assert (week.decisions, week.typical, week.slow, week.per_hundred) == (0, None, None, None)


@pytest.mark.parametrize("count", [1, 30])
def test_the_statement_count_of_the_figures_does_not_grow_with_the_decisions(
    desk, version, alice, mona, count, django_assert_num_queries
):
    for n in range(count):
        decide(hold(version, alice, f"{n}"), Act.SPAM, mona, NOW)
    with django_assert_num_queries(16):
        assert desk.get(reverse("moderation-figures")).status_code == 200


# Slow mode


def say(version, author, text, now=NOW) -> Comment:
    return post(version, author.pk, Draft(Kind.TIP, text), now)


def test_slow_mode_limits_each_person_separately(version, alice, bob, mona):
    slow_thread(version.question_id, 15, mona, NOW)
    say(version, alice, "First.")
    with pytest.raises(TooSoon) as refused:
        say(version, alice, "Second.", NOW + 4 * MINUTE)
    assert (refused.value.minutes, refused.value.every) == (11, 15)
    say(version, bob, "Mine.", NOW + 4 * MINUTE)
    assert say(version, alice, "First.", NOW + 4 * MINUTE).text == "First."
    say(version, alice, "Second.", NOW + 15 * MINUTE)
    assert Comment.objects.count() == 3


def test_slow_mode_does_not_apply_to_moderators(version, mona):
    slow_thread(version.question_id, 60, mona, NOW)
    for n in range(3):
        say(version, mona, f"Remark {n}.")
    assert Comment.objects.count() == 3


def test_slow_mode_can_be_reversed_whether_or_not_the_thread_was_closed(version, alice, mona):
    slow = slow_thread(version.question_id, 15, mona, NOW)
    lock_thread(version.question_id, mona, NOW, "Too heated.")
    reverse_act(slow, mona, NOW)
    thread = ThreadState.objects.get()
    assert (thread.slow_minutes, bool(thread.locked_at)) == (0, True)
    first, second = (slow_thread(version.question_id, minutes, mona, NOW) for minutes in (5, 60))
    with pytest.raises(MovedOn):
        reverse_act(first, mona, NOW)
    reverse_act(second, mona, NOW)
    assert ThreadState.objects.get().slow_minutes == 5
    with pytest.raises(Refused) as refused:
        slow_thread(version.question_id, 5, mona, NOW)
    assert refused.value.code == "same-pace"
    with pytest.raises(NotAModerator):
        slow_thread(version.question_id, 60, alice, NOW)


def test_slow_mode_is_set_from_a_comment_and_announced_on_the_form(desk, client_of, version, alice, bob):
    made = row(version, alice, "A tip.")
    desk.post(reverse("moderation-slow", args=[made.pk]), {"minutes": "60"})
    assert ThreadState.objects.get().slow_minutes == 60
    assert LogEntry.objects.get().act == Act.SLOW
    for wrong in ("", "7", "x"):
        assert desk.post(reverse("moderation-slow", args=[made.pk]), {"minutes": wrong}).status_code == 400
    address = reverse("thread", args=[version.question.exam.slug, version.question_id])
    assert "slow" in states(client_of(bob).get(address))
    client = client_of(bob)
    new = reverse("comment-new", args=[version.question.exam.slug, version.question_id])
    for text, status in (("One remark.", 302), ("Another remark.", 429)):
        page = client.post(new, {"kind": "tip", "text": text})
        assert page.status_code == status
    assert codes(page.context["form"])["__all__"] == ["too-soon"]
    assert "Another remark." in page.content.decode()
