"""Data that involves several people: reports, comments in every state, drafts, a regrade, imports, and emails."""

from __future__ import annotations

import dataclasses
import datetime as dt

from courseiva.accounts.models import User
from courseiva.demo.held import post_held
from courseiva.demo.texts.bank import questions_of
from courseiva.demo.texts.people import ADMINISTRATOR, LEARNER, MODERATOR, NEWCOMER, REVIEWER, Reader
from courseiva.demo.words import COMMENTS
from discussion.comments.models.comments import Comment, Kind
from discussion.comments.models.moderation import Act, Reason
from discussion.comments.models.takedowns import Ground, Outcome
from discussion.mail.follow import follow
from discussion.mail.send import send_notices, send_replies
from discussion.mail.settle import send_corrections
from discussion.moderation.acts.decide import decide, edit_out, lock_thread, reverse, suspend
from discussion.moderation.acts.replies import keep_reply
from discussion.moderation.digest import send_digest
from discussion.people.takedowns.request import Request, answer_takedown, ask
from discussion.screening.hold import screen_waiting
from discussion.threads.post import Draft, post
from practice.regrade.apply import Correction, regrade, run_waiting
from practice.sessions.scoring.models import RegradeRule
from questions.catalogue.models import Exam
from questions.desk.decide import keep, release, retire, submit, withdraw
from questions.desk.many.change import Proposal, propose
from questions.desk.many.reads import preview, questions_for
from questions.desk.many.rules import Facts
from questions.desk.publish import Publishing
from questions.formats.models import ImportedItem, ImportJob, JobState
from questions.reports.models import ReportKind, ReportState
from questions.reports.reads.reporters import Reporter
from questions.reports.report import Answer, Complaint, answer_report, report, tell_waiting
from questions.versions.models.drafts import Question
from questions.versions.models.versions import Change, QuestionVersion
from questions.versions.reads.drafts import draft_of
from questions.versions.rules.draft import DraftQuestion

HOUR = dt.timedelta(hours=1)


def make_affairs(exams: list[Exam], people: dict[str, Reader], now: dt.datetime) -> None:
    """Make reports, comments, drafts, imports and a regrade, and the emails they cause."""
    questions = questions_of(exams[0])
    _reports(questions, people, now)
    _comments(questions, people, now)
    _desk(questions, people, now)
    _imports(exams[0], questions[0], now)
    _regrade(questions_of(exams[0], "reserved")[0], now)
    for send in (screen_waiting, send_corrections, send_replies, send_notices, send_digest, tell_waiting):
        send(now)


def _live(question: Question) -> QuestionVersion:
    return QuestionVersion.objects.get(live_of=question)


def _reports(questions: list[Question], people: dict[str, Reader], now: dt.datetime) -> None:
    """One waiting report of each kind, and one for each possible answer."""
    learner, editor = people[LEARNER].account, people[REVIEWER].account
    for place, kind in enumerate(ReportKind):
        version = _live(questions[place])
        report(version, Complaint(kind, "⟦report⟧", 1), Reporter(network="192.0.2.1"), now - HOUR, limited=False)
    for place, state in enumerate(state for state in ReportState if state != ReportState.OPEN):
        complaint = Complaint(ReportKind.WORDING, f"⟦report {place}⟧")
        made = report(_live(questions[place]), complaint, Reporter(user_id=learner.pk), now - HOUR, limited=False)
        note = "⟦line in the changelog⟧" if state == ReportState.ACCEPTED else ""
        answer_report(made.pk, Answer(state, "⟦answer⟧", note), 0, editor, now)


def _comments(questions: list[Question], people: dict[str, Reader], now: dt.datetime) -> None:
    learner, newcomer, moderator = (people[name].account for name in (LEARNER, NEWCOMER, MODERATOR))
    version, then = _live(questions[0]), now - HOUR
    _decided(version, people, now - 5 * HOUR)  # so long ago because of the hourly limit
    tip = post_held(version, learner.pk, Draft(Kind.TIP, "⟦tip⟧ {option:1}"), then)
    decide(tip, Act.APPROVE, moderator, then)
    follow(tip, learner.pk, then)
    for kind in (Kind.CORRECTION, Kind.QUESTION):
        post(version, learner.pk, Draft(kind, f"⟦{kind}⟧"), then)  # visible at once: one was approved before
    decide(post_held(version, newcomer.pk, Draft(Kind.REPLY, "⟦reply⟧"), then, tip.pk), Act.APPROVE, moderator, then)
    for place, text in enumerate(COMMENTS):
        post_held(_live(questions[1 + place]), newcomer.pk, Draft(Kind.TIP, text), then)
    suspend(newcomer.pk, now + dt.timedelta(days=7), moderator, now, "⟦why somebody may not write⟧")
    lock_thread(questions[2].pk, moderator, then, "⟦why the thread is closed⟧")
    keep_reply("⟦title of a saved reply⟧", "⟦saved reply⟧", moderator, then)
    _takedowns(moderator, then)


def _takedowns(moderator: User, now: dt.datetime) -> None:
    """One waiting, and one for each possible answer."""
    for place, outcome in enumerate(["", *Outcome.values]):
        request = Request("/⟦address⟧/", Ground.values[0], f"⟦request {place}⟧", "asker@example.com")
        made = ask(request, Reporter(network=f"192.0.2.{place}"), now)
        if outcome:
            answer_takedown(made.pk, Outcome(outcome), "⟦answer⟧", moderator, now)


def _decided(version: QuestionVersion, people: dict[str, Reader], now: dt.datetime) -> None:
    """One comment removed for each reason, one edited, one decision undone."""
    author, moderator = people[ADMINISTRATOR].account, people[MODERATOR].account

    def held(words: str) -> Comment:
        return post_held(version, author.pk, Draft(Kind.TIP, f"⟦comment about {words}⟧"), now)

    for reason in Reason:
        decide(held(f"reason {reason}"), Act.REJECT, moderator, now, reason, "⟦words of the moderator⟧")
    decide(held("selling"), Act.SPAM, moderator, now)
    edit_out(held("two things"), "⟦what was left⟧", moderator, now, Reason.PERSONAL)
    entry = decide(held("a mistake"), Act.REJECT, moderator, now, Reason.LEAK)
    reverse(entry, moderator, now)


def _desk(questions: list[Question], people: dict[str, Reader], now: dt.datetime) -> None:
    """A draft in progress, one in review, a new version, one question withdrawn, one retired."""
    editor, other = people[REVIEWER].account, people[ADMINISTRATOR].account
    drafted, waiting, changed, withdrawn, retired = questions[-5:]
    for question in (drafted, waiting, changed):
        kept = keep(question.pk, _reworded(question), question.revision, other, now)
        if question != drafted:
            submit(question.pk, kept.revision, other, now, "⟦word to the reviewer⟧")
    base = Question.objects.get(pk=changed.pk).revision
    release(changed.pk, base, editor, now, Publishing(Change.SEMANTIC, "⟦what changed⟧"))
    withdraw(withdrawn.pk, editor, now, "⟦why it is withdrawn⟧")
    retire(retired.pk, editor, now, "⟦why it is retired⟧")
    _together(questions[:2], other, now)


def _together(questions: list[Question], by: User, now: dt.datetime) -> None:
    """A change to several questions that waits for its review."""
    facts, ids = Facts(difficulty="hard"), [question.pk for question in questions]
    seen = preview(questions_for(facts, ids), facts).seen
    propose(Proposal(facts, Change.TYPO, "⟦why they change⟧"), ids, seen, by, now)


def _reworded(question: Question) -> DraftQuestion:
    return dataclasses.replace(draft_of(question), explanation="⟦explanation, better⟧")


def _imports(exam: Exam, question: Question, now: dt.datetime) -> None:
    ImportedItem.objects.create(
        question=question, exam=exam, source="⟦file⟧", name="1", digest="d", draft_digest="d", at=now
    )
    for place, state in enumerate(JobState.values):
        ImportJob.objects.create(
            exam=exam,
            source="⟦file⟧",
            format="aiken",
            digest=f"d{place}",
            state=state,
            total=2000,
            position=700,
            counts={"new": 690, "skipped": 10},
            notes=[[12, "skipped", "essay: has no options"]],
            made_at=now,
            moved_at=now,
        )


def _regrade(question: Question, now: dt.datetime) -> None:
    regrade(_live(question), Correction(RegradeRule.LEFT_OUT, (), "⟦reason of the regrade⟧"), None, now)
    run_waiting(now)
