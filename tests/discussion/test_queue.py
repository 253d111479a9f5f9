"""Check the queue's order, its cards and claims, decisions on several comments, the log and the search."""

from __future__ import annotations

import datetime as dt
from urllib.parse import parse_qsl

import pytest
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.timesince import timesince

from courseiva.accounts.models import User
from courseiva.accounts.staff.groups import MODERATORS
from discussion.comments.errors import AlreadyDecided, NotAModerator, Taken
from discussion.mail.send import TOGETHER, send_notices
from discussion.mail.settle import UNDO_TIME, send_corrections
from discussion.models import Act, Claim, Comment, Harm, Hit, Kind, LogEntry, Notice, Reason, State
from discussion.moderation import claim as claims
from discussion.moderation.acts.decide import decide, lock_thread, suspend
from discussion.moderation.acts.decide_many import Choice, decide_all, edit_out_one, undo_all
from discussion.moderation.claim import CLAIM_TIME, let_go, take, take_for, take_next
from discussion.moderation.digest import send_digest
from discussion.moderation.reads.cards import stretches
from discussion.moderation.reads.filters import Wanted, wanted_of
from discussion.moderation.reads.log import LogWanted, log_page
from discussion.moderation.reads.moderators import STATES, moderators, search_comments
from discussion.moderation.reads.queue import backlog, find_card, in_order, queue_page, waiting_count
from discussion.moderation.reads.queue import free_ids as free
from discussion.reactions.report import report_comment
from discussion.screening.rules.parts import FIRST_POST, INVISIBLE
from discussion.threads.post import Draft, delete, post
from tests.discussion.conftest import decide_now, in_group, person, row, seen
from tests.support.bank import NOW, add_questions, make_exam

STATEMENTS_EACH = 11
MINUTE = dt.timedelta(minutes=1)
HOUR = dt.timedelta(hours=1)


@pytest.fixture
def other_moderator(db) -> User:
    return in_group("max", MODERATORS)


@pytest.fixture
def hold(version):
    def make(author, text="A remark.", age=HOUR, rule=FIRST_POST, **fields) -> Comment:
        made = row(version, author, text, state=State.HELD, created_at=NOW - age, state_at=NOW - age, **fields)
        Hit.objects.create(comment=made, rule=rule, start=0, end=len(text), text=text)
        return made

    return make


def order() -> list[int]:
    return [each.pk for each in in_order()]


def shown(moderator, now=NOW, **options):
    return queue_page(moderator.pk, now, **options)


def test_the_moderators_group_may_decide(other_moderator, hold, alice):
    assert decide(hold(alice), Act.APPROVE, other_moderator, NOW).by == other_moderator


def test_visible_harm_comes_first_then_the_oldest_grouped_by_author(version, hold, alice, bob):
    carol, dan, eve = person("carol"), person("dan"), person("eve")
    young = hold(bob, age=HOUR)
    oldest = hold(alice, age=9 * HOUR)
    middle = hold(carol, age=5 * HOUR)
    of_oldest = hold(alice, age=2 * HOUR)
    wrong = row(version, dan, "Misleading.", created_at=NOW - 90 * HOUR)
    report_comment(wrong.pk, eve.pk, Harm.WRONG, "", NOW - 6 * HOUR)
    leak = row(version, eve, "It came up.", created_at=NOW - HOUR)
    report_comment(leak.pk, bob.pk, Harm.LEAK, "", NOW)
    assert order() == [each.pk for each in (leak, oldest, of_oldest, wrong, middle, young)]


def test_a_comment_reported_for_abuse_is_urgent_only_while_visible(version, hold, alice, bob):
    held = hold(alice, age=MINUTE)
    visible = row(version, bob, "A tip.")
    report_comment(visible.pk, alice.pk, Harm.ABUSE, "", NOW)
    assert order() == [visible.pk, held.pk]
    Comment.objects.filter(pk=visible.pk).update(state=State.REMOVED)
    assert order() == [held.pk]


def test_comments_of_deleted_accounts_are_not_grouped_together(hold):
    first, second, third = hold(None, age=3 * HOUR), hold(None, age=HOUR), hold(None, age=2 * HOUR)
    assert order() == [first.pk, third.pk, second.pk]


def test_comments_that_are_decided_or_deleted_or_have_closed_reports_do_not_wait(version, hold, alice, bob, moderator):
    reported = row(version, bob, "A tip.")
    report_comment(reported.pk, alice.pk, Harm.SPAM, "", NOW)
    gone, kept = hold(alice), hold(alice)
    assert waiting_count() == 3
    delete(gone.pk, alice.pk, NOW)
    decide(reported, Act.APPROVE, moderator, NOW)
    assert order() == [kept.pk]
    decide(kept, Act.SPAM, moderator, NOW)
    assert (order(), waiting_count()) == ([], 0)


def test_the_backlog_gives_its_oldest_and_its_median_age(hold, alice):
    assert (backlog().count, backlog().oldest, backlog().median) == (0, None, None)
    for hours in (1, 2, 40):
        hold(alice, age=hours * HOUR)
    assert (backlog().count, backlog().oldest, backlog().median) == (3, NOW - 40 * HOUR, NOW - 2 * HOUR)


def test_a_card_shows_what_is_known_of_its_author(version, hold, alice, moderator):
    for state, number in ((State.VISIBLE, 3), (State.REMOVED, 2), (State.SPAM, 1)):
        for n in range(number):
            row(version, alice, f"{state} {n}", state=state)
    suspend(alice.pk, NOW + HOUR, moderator, NOW - HOUR, "Insults.")
    record = find_card(hold(alice).pk, moderator.pk, NOW).record
    assert (record.approved, record.rejected, record.spam, record.waiting) == (3, 2, 1, 1)
    assert (record.suspensions, record.suspended_until) == (1, NOW + HOUR)
    assert find_card(hold(alice).pk, moderator.pk, NOW + 2 * HOUR).record.suspended_until is None


def test_a_card_shows_a_replys_parent_but_no_text_of_a_reserved_question(
    version, reserved, hold, alice, bob, moderator
):
    top = row(version, bob, "The first tip.")
    row(version, bob, "An earlier answer.", parent=top)
    hidden = row(version, bob, "A held answer.", parent=top, state=State.HELD)
    card = find_card(hold(alice, parent=top, kind=Kind.REPLY).pk, moderator.pk, NOW)
    assert card.comment.parent == top
    assert [reply.text for reply in card.replies] == ["An earlier answer."]
    assert hidden.pk not in [reply.pk for reply in card.replies]
    card = find_card(row(reserved, alice, "x", state=State.HELD).pk, moderator.pk, NOW)
    assert card.question_url == ""


def hits(text, *spans):
    return [Hit(rule=rule, start=text.index(words), end=text.index(words) + len(words)) for rule, words in spans]


def test_overlapping_evidence_is_one_piece_and_the_text_stays_whole():
    text = "Real exam questions at <b>notes.example</b>, I swear."
    found = hits(text, ("leak", "Real exam questions at"), ("link", "at <b>notes.example"), ("advert", "swear"))
    pieces = stretches(text, found)
    assert "".join(piece.text for piece in pieces) == text
    marked = [(piece.text, piece.rules) for piece in pieces if piece.why]
    assert marked == [("Real exam questions at <b>notes.example", ["leak", "link"]), ("swear", ["advert"])]


def test_words_that_several_rules_found_are_quoted_once(version, hold, alice, moderator):
    text = "Real exam questions at notes.example, I swear."
    held = hold(alice, text)
    for hit in hits(text, ("leak", "exam questions at notes.example"), ("link", "notes.example"), ("advert", "swear")):
        Hit.objects.create(comment=held, rule=hit.rule, start=hit.start, end=hit.end, text=text[hit.start : hit.end])
    findings = find_card(held.pk, moderator.pk, NOW).findings
    quoted = {finding.rule: finding.evidence for finding in findings}
    assert quoted == {
        FIRST_POST: [], "leak": ["exam questions at notes.example"], "link": [], "advert": ["swear"],
    }  # fmt: skip
    assert [finding.rule for finding in findings if finding.is_of_then] == [FIRST_POST]


def test_rules_about_the_author_and_spans_beyond_the_text_mark_no_words():
    text = "Nothing wrong here."
    odd = [
        Hit(rule=FIRST_POST, start=0, end=len(text)),
        Hit(rule="link", start=5, end=999),
        Hit(rule="x", start=3, end=3),
    ]
    assert [(piece.text, piece.why) for piece in stretches(text, odd)] == [(text, "")]
    assert stretches("", []) == []


def test_characters_that_hide_something_are_named():
    text = "du\u200bmps and \u202eevil"
    pieces = stretches(text, [Hit(rule="invisible", start=2, end=3)])
    assert "".join(piece.text for piece in pieces) == "du[U+200B]mps and [U+202E]evil"


@pytest.mark.parametrize("unseen", ["\u034f", "\u180b", "\ufe0f", "\U000e0064", "\uffa0"])
def test_every_character_that_screening_treats_as_invisible_is_named(unseen):
    pieces = stretches(f"du{unseen}mps", [Hit(rule=INVISIBLE, start=2, end=3)])
    assert [piece.text for piece in pieces] == ["du", f"[U+{ord(unseen):04X}]", "mps"]


# Filters


def ids(page) -> list[int]:
    return [card.comment.pk for card in page.cards]


def test_the_queue_is_filtered_by_reason_age_exam_and_author(version, hold, alice, bob, moderator):
    other_exam = add_questions(make_exam("ace"), 1)[0]
    link = hold(alice, "See this.", age=50 * HOUR, rule="link")
    first = hold(bob, "A remark.", age=2 * HOUR)
    of_other = row(other_exam, bob, "Elsewhere.", state=State.HELD, created_at=NOW, state_at=NOW)
    reported = row(version, alice, "A tip.")
    report_comment(reported.pk, bob.pk, Harm.SPAM, "", NOW - 5 * MINUTE)
    filters = {
        "reason=rule-link": {link.pk},
        f"reason=rule-{FIRST_POST}": {first.pk},
        "reason=report-spam": {reported.pk},
        "reason=report-leak": set(),
        "reason=reported": {reported.pk},
        "age=hour": {link.pk, first.pk},
        "age=day": {link.pk},
        "exam=ace": {of_other.pk},
        "author=ali": {link.pk, reported.pk},
        "author=bob&age=hour": {first.pk},
        "exam=none": set(),
        "age=aeon&sort=fate&reason=fate": {link.pk, first.pk, of_other.pk, reported.pk},
    }
    for query, expected in filters.items():
        assert set(ids(shown(moderator, wanted=wanted_of(dict(parse_qsl(query)))))) == expected, query


def test_the_queue_is_sorted_as_asked(version, hold, alice, bob, moderator):
    old, young = hold(alice, age=9 * HOUR), hold(bob, age=HOUR)
    leak = row(version, bob, "It came up.")
    report_comment(leak.pk, alice.pk, Harm.LEAK, "", NOW)
    wrong = row(version, bob, "Misleading.")
    for n, who in enumerate([alice, person("carol")]):
        report_comment(wrong.pk, who.pk, Harm.WRONG, "", NOW - (2 + n) * HOUR)
    orders = {
        "urgent": [leak, old, wrong, young],
        "oldest": [old, wrong, young, leak],
        "newest": [leak, young, wrong, old],
        "reports": [wrong, leak, old, young],
    }
    for sort, expected in orders.items():
        assert ids(shown(moderator, wanted=Wanted(sort=sort))) == [each.pk for each in expected], sort


def test_filters_show_how_many_comments_wait(version, hold, alice, bob, moderator):
    row(version, bob, "Long decided.", state=State.SPAM)
    for author, rule in ((alice, "link"), (bob, "link"), (bob, "advert")):
        hold(author, rule=rule)
    report_comment(row(version, bob, "x").pk, alice.pk, Harm.WRONG, "", NOW)
    offers = shown(moderator, wanted=Wanted(author="nobody")).offers
    assert [(each.key, each.count) for each in offers.reasons] == [
        ("report-wrong", 1), ("rule-link", 2), ("rule-advert", 1),
    ]  # fmt: skip
    assert [(each.key, each.count) for each in offers.exams] == [("pmle", 4)]


def test_a_filter_survives_being_written_to_an_address_and_read_back():
    asked = "reason=rule-link&age=day&exam=ace&author=A+%26+B&sort=newest&show=mine"
    assert wanted_of(dict(parse_qsl(asked))).query == asked
    assert wanted_of({}).query == ""


# Claims


def test_a_claim_is_exclusive_until_it_expires(hold, alice, moderator, other_moderator):
    held = hold(alice)
    assert take([held.pk], moderator, NOW) == [held.pk]
    later = NOW + CLAIM_TIME
    assert take([held.pk], other_moderator, later - MINUTE) == []
    (said,) = take_for([held.pk], other_moderator, later - MINUTE).values()
    assert (said.name, said.until) == ("Mona", later)
    assert f"{later:%H:%M}" in str(said)
    assert take([held.pk], other_moderator, later) == [held.pk]
    claim = Claim.objects.get()
    assert (claim.moderator, claim.until) == (other_moderator, later + CLAIM_TIME)


def test_claiming_again_extends_a_claim(hold, alice, moderator):
    held = hold(alice)
    take([held.pk], moderator, NOW)
    take([held.pk], moderator, NOW + 5 * MINUTE)
    assert Claim.objects.get().until == NOW + 5 * MINUTE + CLAIM_TIME


def test_the_next_comments_are_the_unclaimed_ones_in_queue_order(hold, alice, bob, moderator, other_moderator):
    rows = [hold(person(f"p{n}"), age=(9 - n) * HOUR).pk for n in range(4)]
    take(rows[:1], moderator, NOW)
    assert take_next(2, other_moderator, NOW) == rows[1:3]
    assert take_next(5, moderator, NOW) == rows[3:]
    assert take_next(5, moderator, NOW) == []
    assert free(9, NOW, moderator.pk) == []
    assert free(9, NOW + CLAIM_TIME, moderator.pk) == rows


def test_moderators_can_release_only_their_own_claims(hold, alice, moderator, other_moderator):
    mine, theirs = hold(alice), hold(alice)
    take([mine.pk], moderator, NOW)
    take([theirs.pk], other_moderator, NOW)
    assert let_go(moderator, [theirs.pk]) == 0
    assert let_go(moderator) == 1
    assert Claim.objects.get().comment == theirs


def test_only_moderators_can_claim_and_only_existing_comments(hold, alice, bob, moderator):
    held, gone = hold(alice), hold(alice)
    with pytest.raises(NotAModerator):
        take([held.pk], bob, NOW)
    delete(gone.pk, alice.pk, NOW)
    assert take([gone.pk, 99999], moderator, NOW) == []
    assert take([held.pk] * 3, moderator, NOW) == [held.pk]


def test_nobody_claims_their_own_comment(hold, alice, moderator, other_moderator):
    mine, hers = hold(moderator, age=2 * HOUR), hold(alice)
    assert take([mine.pk, hers.pk], moderator, NOW) == [hers.pk]
    assert take_next(5, moderator, NOW) == []
    assert take_next(5, other_moderator, NOW) == [mine.pk]
    cards = {card.comment.pk: card.is_own for card in shown(moderator).cards}
    assert cards == {mine.pk: True, hers.pk: False}


def test_a_moderators_claims_show_only_comments_that_still_wait(version, hold, alice, bob, moderator):
    held, gone, visible = hold(alice), hold(alice), row(version, bob, "A tip.")
    take([held.pk, gone.pk, visible.pk], moderator, NOW)
    delete(gone.pk, alice.pk, NOW)
    page = shown(moderator, wanted=Wanted(mine=True))
    assert (page.backlog.mine, [card.comment for card in page.cards]) == (1, [held])


def test_the_number_of_claims_is_limited(hold, alice, moderator, monkeypatch):
    monkeypatch.setattr(claims, "MOST_AT_ONCE", 2)
    rows = [hold(alice).pk for _ in range(3)]
    assert take(rows, moderator, NOW) == rows[:2]
    assert take_next(9, moderator, NOW + CLAIM_TIME) == rows[:2]


def test_the_queue_shows_who_holds_a_comment(hold, alice, moderator, other_moderator):
    mine, theirs, old = hold(alice, age=3 * HOUR), hold(alice, age=2 * HOUR), hold(alice)
    take([old.pk], other_moderator, NOW - HOUR)
    take([mine.pk], moderator, NOW)
    take([theirs.pk], other_moderator, NOW)
    page = shown(moderator)
    assert [(card.is_mine, card.is_taken) for card in page.cards] == [(True, False), (False, True), (False, False)]
    assert page.backlog.mine == 1
    assert [card.comment for card in shown(moderator, wanted=Wanted(mine=True)).cards] == [mine]


# Deciding


def test_comments_held_by_another_are_skipped_and_the_rest_decided(hold, alice, bob, moderator, other_moderator):
    free_one, held = hold(alice), hold(bob)
    take([held.pk], other_moderator, NOW)
    outcome = decide_now([held.pk, free_one.pk, 99999], Choice(Act.SPAM), moderator, NOW)
    assert [entry.comment for entry in outcome.entries] == [free_one]
    assert {pk: error.code for pk, error in outcome.refused.items()} == {held.pk: "taken", 99999: "gone"}
    assert outcome.refused[held.pk].name == "Max"
    held.refresh_from_db()
    assert held.state == State.HELD
    with pytest.raises(Taken):
        edit_out_one(held.pk, "Other.", Choice(Act.EDIT_OUT, Reason.PERSONAL), moderator, NOW)


def test_a_second_decision_is_refused_and_leaves_no_claim(hold, alice, moderator, other_moderator):
    held = hold(alice)
    decide_now([held.pk], Choice(Act.SPAM), moderator, NOW)
    outcome = decide_now([held.pk], Choice(Act.APPROVE), other_moderator, NOW)
    assert outcome.refused[held.pk].code == "decided"
    assert "Mona" in str(outcome.refused[held.pk])
    assert not Claim.objects.exists()


def test_a_decision_from_an_old_page_does_not_overrule_another(hold, alice, moderator, other_moderator):
    held = hold(alice)
    old = seen(held.pk)
    decide_now([held.pk], Choice(Act.APPROVE), moderator, NOW)
    late = [(other_moderator, old), (other_moderator, {}), (moderator, old), (moderator, {})]
    for hours, (by, unread) in enumerate(late, start=1):
        now = NOW + hours * HOUR
        outcome = decide_all([held.pk], Choice(Act.SPAM, seen=unread), by, now)
        assert outcome.entries == []
        error = outcome.refused[held.pk]
        assert error.code == ("decided-by-you" if by == moderator else "decided")
        assert (error.comment.state, "Mona" in str(error)) == (State.VISIBLE, by != moderator)
        with pytest.raises(AlreadyDecided):
            edit_out_one(held.pk, "Other.", Choice(Act.EDIT_OUT, Reason.PERSONAL, seen=unread), by, now)
    fresh = seen(held.pk)
    assert decide_all([held.pk], Choice(Act.SPAM, seen=fresh), other_moderator, NOW + 9 * HOUR).entries
    again = decide_all([held.pk], Choice(Act.SPAM, seen=fresh), other_moderator, NOW + 9 * HOUR)
    assert again.refused[held.pk].code == "decided-by-you"
    assert again.refused[held.pk].comment.state == State.SPAM


def test_a_page_that_does_not_say_how_it_showed_a_comment_decides_nothing(hold, alice, bob, moderator):
    told, untold = hold(alice), hold(bob)
    outcome = decide_all([told.pk, untold.pk], Choice(Act.SPAM, seen=seen(told.pk)), moderator, NOW)
    assert [entry.comment for entry in outcome.entries] == [told]
    assert list(outcome.refused) == [untold.pk]
    assert not Claim.objects.exists()


@pytest.mark.parametrize("choice", [Choice(Act.APPROVE), Choice(Act.SPAM), Choice(Act.REJECT, Reason.LEAK)])
def test_each_further_decision_takes_only_a_few_more_statements(version, hold, moderator, choice):
    top = row(version, None, "Top.")
    rows = [hold(person(f"p{n}"), f"Remark {n}.", rule="link", parent=top if n % 2 else None).pk for n in range(22)]
    taken = []
    for ids in (rows[:2], rows[2:]):
        with CaptureQueriesContext(connection) as asked:
            assert len(decide_now(ids, choice, moderator, NOW).entries) == len(ids)
        taken.append(len([each for each in asked if "SAVEPOINT" not in each["sql"]]))
    few, many = taken
    assert (many - few) / 18 <= STATEMENTS_EACH, taken


def test_releasing_an_authors_other_comments_is_not_a_separate_act(hold, alice, moderator):
    first, second = hold(alice), hold(alice)
    outcome = decide_now([first.pk, second.pk], Choice(Act.APPROVE), moderator, NOW)
    assert len(outcome.entries) == LogEntry.objects.count() == 1
    assert outcome.settled == [first.pk, second.pk]
    assert outcome.refused == {}


def test_an_undo_in_time_cancels_the_notices_and_restores_each_comment(hold, alice, bob, moderator):
    rows = [hold(alice, age=2 * HOUR), hold(bob, age=HOUR)]
    before = order()
    done = decide_now([each.pk for each in rows], Choice(Act.REJECT, Reason.LEAK), moderator, NOW)
    assert order() == []
    assert Notice.objects.count() == 2
    undone = undo_all([entry.pk for entry in done.entries], moderator, NOW + dt.timedelta(seconds=5))
    assert (len(undone.entries), undone.refused) == (2, {})
    assert order() == before
    assert send_notices(NOW + UNDO_TIME + TOGETHER) == 0
    assert mail.outbox == []
    again = undo_all([entry.pk for entry in done.entries], moderator, NOW)
    assert (again.entries, len(again.refused)) == ([], 2)


def test_two_acts_on_one_comment_are_undone_in_order(hold, alice, moderator):
    held = hold(alice)
    first = decide_now([held.pk], Choice(Act.APPROVE), moderator, NOW).entries
    second = decide_now([held.pk], Choice(Act.SPAM), moderator, NOW).entries
    assert undo_all([first[0].pk, second[0].pk], moderator, NOW).refused == {}
    assert order() == [held.pk]


def test_an_approved_correction_goes_to_the_editors_as_an_open_report(hold, alice, moderator):
    held = hold(alice, "The key is wrong.", kind=Kind.CORRECTION)
    card = find_card(held.pk, moderator.pk, NOW)
    assert card.is_correction
    decide_now([held.pk], Choice(Act.APPROVE), moderator, NOW)
    assert send_corrections(NOW + UNDO_TIME) == 1
    held.refresh_from_db()
    assert held.report.state == "open"


# Log and search


def test_the_log_records_who_did_what_and_why_and_the_previous_state(version, hold, alice, moderator, other_moderator):
    decide_now([hold(alice, "First.").pk], Choice(Act.REJECT, Reason.LEAK, "Really."), moderator, NOW)
    edited = hold(alice, "Call me on this number.")
    edits = Choice(Act.EDIT_OUT, Reason.PERSONAL, seen=seen(edited.pk))
    edit_out_one(edited.pk, "Call me.", edits, other_moderator, NOW)
    lock_thread(version.question_id, moderator, NOW, "Too heated.")
    suspend(alice.pk, NOW + HOUR, moderator, NOW, "Insults.")
    suspended, locked, edit, rejected = log_page("", LogWanted(), NOW).lines
    assert (rejected.by, rejected.before) == ("Mona", [("state", STATES["held"])])
    assert rejected.after[0] == ("state", STATES["removed"])
    assert (rejected.why, rejected.entry.words) == (Reason.LEAK.label, "Really.")
    assert rejected.subject == "Alice"
    assert [piece.text.strip() for piece in edit.changes if piece.kind == "gone"] == ["on this number"]
    assert (edit.by, locked.before, locked.after) == ("Max", [("open", None)], [("closed", None)])
    assert (suspended.subject, suspended.may_reverse) == ("Alice", True)


def test_a_reversed_act_and_a_reversal_cannot_be_reversed(hold, alice, moderator):
    entry = decide_now([hold(alice).pk], Choice(Act.SPAM), moderator, NOW).entries[0]
    assert [line.may_reverse for line in log_page("", LogWanted(), NOW).lines] == [True]
    undo_all([entry.pk], moderator, NOW)
    assert [line.may_reverse for line in log_page("", LogWanted(), NOW).lines] == [False, False]


def test_comments_can_be_searched_by_text_author_and_state(version, alice, bob):
    first = row(version, alice, "About shuffling.")
    held = row(version, alice, "About shards.", state=State.HELD)
    other = row(version, bob, "About shuffling, too.", state=State.SPAM)
    nameless = row(version, User.objects.create_user("n@example.org"), "Mine.")

    def found(text="", author="", state=""):
        return [each.pk for each in search_comments(text, author, state, "").pages]

    assert found("SHUFFLING") == [other.pk, first.pk]
    assert found(author="ali") == [held.pk, first.pk]
    assert found("about", "alice", "held") == [held.pk]
    assert found(author=nameless.author.public_name) == [nameless.pk]
    assert found("100%") == []
    assert found(author="n@example.org") == []


# The mail to moderators


def test_moderators_are_mailed_once_a_day_and_only_about_a_backlog(hold, alice, moderator, other_moderator):
    assert list(moderators(NOW)) == [moderator, other_moderator]
    assert send_digest(NOW) == 0
    hold(alice, age=5 * HOUR)
    assert send_digest(NOW) == 2
    assert send_digest(NOW + HOUR) == 0
    assert [message.to for message in mail.outbox] == [[moderator.email], [other_moderator.email]]
    assert timesince(NOW - 5 * HOUR, NOW) in mail.outbox[0].body
    assert "/moderation/" in mail.outbox[0].body
    assert send_digest(NOW + 24 * HOUR) == 2


def test_a_digest_that_cannot_be_sent_is_sent_at_the_next_run(hold, alice, moderator, monkeypatch):
    hold(alice)

    def fails(*_, **__):
        raise OSError("no mail server")

    with monkeypatch.context() as broken:
        broken.setattr("discussion.moderation.digest.send_mail", fails)
        assert send_digest(NOW) == 0
    assert send_digest(NOW) == 1


def test_a_suspended_moderator_gets_no_digest(hold, alice, moderator, other_moderator):
    hold(alice)
    suspend(other_moderator.pk, NOW + HOUR, moderator, NOW, "Rude to authors.")
    assert list(moderators(NOW)) == [moderator]
    assert list(moderators(NOW + HOUR)) == [moderator, other_moderator]
    assert send_digest(NOW) == 1
    assert mail.outbox[0].to == [moderator.email]


def test_an_inactive_user_cannot_moderate(hold, alice, moderator):
    User.objects.filter(pk=moderator.pk).update(is_active=False)
    hold(alice)
    assert send_digest(NOW) == 0


def test_a_comment_held_by_the_rules_is_in_the_queue(version, alice, moderator):
    post(
        version,
        alice.pk,
        Draft(Kind.TIP, "The defaults are explained at https://elsewhere.example/page in the second part."),
        NOW,
    )
    (card,) = shown(moderator).cards
    assert "https://elsewhere.example/page" in [piece.text for piece in card.stretches if piece.why]
    assert any(finding.evidence == ["https://elsewhere.example/page"] for finding in card.findings)
