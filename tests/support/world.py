"""A small world in which every address of the site has something to show each persona."""

from __future__ import annotations

import datetime as dt
import uuid
from dataclasses import dataclass, field
from http.cookies import SimpleCookie

from allauth.account.internal.flows.login import record_authentication
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.apps import apps
from django.contrib.auth.models import Group
from django.http import HttpRequest
from django.test import Client, override_settings
from django.utils import timezone

from courseiva.accounts.models import User
from courseiva.accounts.staff.groups import EDITORS, GROUPS, MODERATORS, REVIEWERS, grant
from courseiva.outbox.models import OutgoingMail, RefusedAddress
from discussion.mail.follow import follow
from discussion.models import Act, Appeal, Comment, Kind, Notice, Reason, SavedReply, State, Takedown
from discussion.moderation.acts.decide import decide, edit_out, suspend
from discussion.people.appeals.appeal import make_appeal
from discussion.people.takedowns.request import Request, ask
from discussion.screening.models import ListEntry
from discussion.threads.post import Draft, post
from practice.learners.note_network import note_guest
from practice.learners.reads.identity import Owner
from practice.learners.reads.networks import key_of_address
from practice.models import Learner, Outage, PracticeSession, Regrade, RegradeRule, Reopening
from practice.notebook.keep import keep_note, set_star
from practice.readiness.derive.analyse import analyse
from practice.reviews.make_cards import refresh_cards
from practice.sessions.ending.finish import discard, finish
from practice.sessions.player import save as saving
from practice.sessions.player.check import answer_on_page, check
from practice.sessions.player.contrast import answer_contrast
from practice.sessions.player.reads.contrasts import next_variant
from questions.models import (
    ContentReport,
    Domain,
    Exam,
    ImportedItem,
    ImportJob,
    Pool,
    Question,
    QuestionVersion,
    ReportKind,
    ReportState,
    StudyModule,
)
from questions.modules.rules.html import module_html
from questions.reports.reads.reporters import Reporter
from questions.reports.report import Answer, Complaint, answer_report, report
from questions.versions.material.pictures.store import add_picture
from questions.versions.save import save_draft
from tests.support.bank import add_outline, add_questions, make_exam
from tests.support.families import add_family
from tests.support.passkeys import SoftPasskey
from tests.support.pictures import image
from tests.support.sessions import (
    batch,
    begin_drill,
    begin_mock,
    begin_review,
    guest,
    guest_client,
    right_places,
    state,
)
from tests.support.variants import variants

GUEST, LEARNER, STAFF, STRANGER = PERSONAS = ("guest", "learner", "staff", "stranger")
OWNERS = (GUEST, LEARNER, STAFF)
EDITOR, REVIEWER, MODERATOR = GROUP_PERSONAS = ("editor", "reviewer", "moderator")
GROUP_OF = {EDITOR: EDITORS, REVIEWER: REVIEWERS, MODERATOR: MODERATORS}
HELD, REMOVED, SPAM, CUT = HIDDEN = ("zqheldwords", "zqremovedwords", "zqspamwords", "zqcutwords")
"""Words in a writer's comments, by what became of each, which only the writer and the moderators may see."""
PASSWORD = "three plain words"
SMALL_MOCK = 10
PASSED_OVER = 10
"""The question in the finished mock that was never displayed."""
DUE = 8
MODULE_TEXT = "## One part\n\nText with `code`.\n\n## Another part\n\nMore text.\n\n:::tip\nLook twice.\n:::\n"


@dataclass
class World:
    """The objects addresses are built from. ``sessions`` is by persona and kind; the exam ``checked`` has none open."""

    exam: Exam
    checked: Exam
    question: Question
    reserved: Question
    module: StudyModule
    now: dt.datetime
    users: dict[str, User] = field(default_factory=dict)
    owners: dict[str, Owner] = field(default_factory=dict)
    cookies: dict[str, SimpleCookie] = field(default_factory=dict)
    sessions: dict[tuple[str, str], PracticeSession] = field(default_factory=dict)
    reports: dict[str, ContentReport] = field(default_factory=dict)
    comments: dict[str, Comment] = field(default_factory=dict)
    notice: Notice | None = None
    appeal: Appeal | None = None
    takedown: Takedown | None = None
    saved_reply: SavedReply | None = None
    passkey: Authenticator | None = None
    mail_token: uuid.UUID = field(default_factory=uuid.uuid4)
    logins: dict[str, SimpleCookie] = field(default_factory=dict)

    def session(self, persona: str, kind: str) -> PracticeSession:
        """Return the persona's own session of this kind; a stranger asks for the guest's."""
        return self.sessions[GUEST if persona == STRANGER else persona, kind]

    def client(self, persona: str) -> Client:
        """Return a browser of this persona with its own login, which doesn't end with another browser's.

        Like a real browser, it says that a form came from the site itself.
        """
        return self._browser(self._login(persona))

    def same_client(self, persona: str) -> Client:
        """Return a browser with the persona's shared login, for tests that undo requests; get it before those."""
        if persona not in self.logins:
            self.logins[persona] = self._login(persona)
        return self._browser(self.logins[persona])

    def _login(self, persona: str) -> SimpleCookie:
        user = self.users.get(persona)
        return signed_in_client(user).cookies if user else self.cookies[persona]

    def _browser(self, cookies: SimpleCookie) -> Client:
        client = Client(headers={"sec-fetch-site": "same-origin"})
        client.cookies = SimpleCookie({name: morsel.value for name, morsel in cookies.items()})
        return client


def build(exam: Exam, now: dt.datetime, mock_length: int) -> World:
    """Build the world around an exam with questions: users, and for each owner sessions in every state."""
    question = Question.objects.filter(exam=exam, pool=Pool.PUBLIC, kind="multiple").order_by("number").first()
    reserved = Question.objects.filter(exam=exam, pool=Pool.RESERVED).order_by("pk").first()
    assert question, "the exam needs a public question of several right options"
    assert reserved, "the exam needs a reserved question"
    checked = make_exam("third")
    add_questions(checked, 4)  # each check shows some of these, so there must be enough for both walks
    world = World(exam, checked, question, reserved, exam.modules.first() or _module(exam), now)
    _people(world)
    note_guest(key_of_address("192.0.2.1"), now)
    _reports(world)
    other = make_exam("second")
    add_questions(other, 2, domains=())
    add_family(other, difficulty="hard")
    for persona in OWNERS:
        Question.objects.filter(family__exam=other).update(withdrawn_at=now)  # no running mock may contain it
        _sessions(world, persona, other, mock_length)
    Question.objects.filter(family__exam=other).update(withdrawn_at=None)
    _comments(world)
    add_picture(image())
    ImportedItem.objects.create(
        question=question, exam=exam, source="set.gift", name="1", digest="d", draft_digest="d", at=now
    )
    ImportJob.objects.create(
        exam=exam, source="large.txt", format="aiken", digest="d", state="running", total=2000, position=700,
        counts={"new": 690, "skipped": 10}, notes=[[12, "skipped", "essay: has no options"]], made_at=now, moved_at=now,
    )  # fmt: skip
    regraded = Question.objects.filter(exam=other, family=None)[0].live_version
    Regrade.objects.create(
        version=regraded, rule=RegradeRule.LEFT_OUT, reason="No answer is right.", made_at=now, done_at=now
    )
    staff = world.users[STAFF]
    Outage.objects.create(began_at=now - dt.timedelta(hours=1), ended_at=now, reason="fog", made_by=staff, made_at=now)
    Reopening.objects.create(
        session=world.sessions[LEARNER, "finished"], minutes=9, reason="The clock was wrong.", made_by=staff,
        made_at=now, was_finished_at=now, was_score=1, was_total=mock_length,
    )  # fmt: skip
    for variant in variants(60, size=2):
        save_draft(other, variant, None)  # a family that was never published, for its page in the admin
    return world


def _module(exam: Exam) -> StudyModule:
    return StudyModule.objects.create(
        exam=exam, domain=Domain.objects.filter(exam=exam).order_by("number")[0], number=1, slug="first-things",
        title="First things", summary="What comes first.", body=MODULE_TEXT,
        html=module_html(MODULE_TEXT), words=9, notebook='{"cells": []}',
    )  # fmt: skip


def small_world(now: dt.datetime) -> World:
    """Build the world around a made-up bank."""
    exam = make_exam()
    add_outline(exam)
    add_questions(exam, 2)
    add_questions(exam, 2, kind="multiple")
    add_questions(exam, 2, pool="reserved")
    return build(exam, now, SMALL_MOCK)


def _people(world: World) -> None:
    world.owners[GUEST], token = guest()
    world.cookies = {GUEST: guest_client(token).cookies, STRANGER: SimpleCookie()}
    for persona in (LEARNER, STAFF):
        is_staff = persona == STAFF
        user = User.objects.create_user(
            f"{persona}@example.org", PASSWORD, is_staff=is_staff, is_superuser=is_staff, display_name="Alex Example"
        )
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        world.users[persona], world.owners[persona] = user, Owner(user_id=user.pk)
        world.cookies[persona] = signed_in_client(user).cookies
    TOTP.activate(world.users[STAFF], generate_totp_secret())
    address, now = world.users[LEARNER].email, timezone.now()
    OutgoingMail.objects.create(recipient=address, subject="Hello", text=b"Hello", written_at=now, due_at=now)
    RefusedAddress.objects.create(address=address, reason="550 5.1.1 unknown", refused_at=now)
    world.passkey = SoftPasskey().put_into(world.users[STAFF], "Key on the ring")
    RecoveryCodes.activate(world.users[STAFF])
    Group.objects.create(name="A group")
    grant(apps, GROUPS)
    ListEntry.objects.get_or_create(kind=ListEntry.Kind.LEAK_PHRASE, text="purple zebra")
    for persona, group in GROUP_OF.items():
        user = world.users[persona] = User.objects.create_user(
            f"{persona}@example.org", PASSWORD, is_staff=persona != MODERATOR, display_name=persona.title()
        )
        user.groups.add(Group.objects.get(name=group))
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        world.cookies[persona] = signed_in_client(user).cookies


def _reports(world: World) -> None:
    """Create a guest's open report, and an answered one by the learner."""
    version = world.question.live_version
    assert version
    complaint = Complaint(ReportKind.WORDING, "The stem does not say how large the table is.", 1)
    world.reports[GUEST] = report(version, complaint, Reporter(network="192.0.2.1"), world.now)
    learner, staff = world.users[LEARNER], world.users[STAFF]
    mine = report(version, complaint, Reporter(user_id=learner.pk), world.now)
    answer = Answer(ReportState.ACCEPTED, "The next version says it.", "The stem says how large the table is.")
    world.reports[LEARNER] = answer_report(mine.pk, answer, 0, staff, world.now)


@override_settings(HOLD_FIRST_POSTS=100)
def _comments(world: World) -> None:
    """Create an answered and a waiting comment by the learner, on a public question in nobody's running mock."""
    running = PracticeSession.objects.filter(finished_at=None, discarded_at=None)
    free = Question.objects.filter(exam=world.exam, pool=Pool.PUBLIC).exclude(
        versions__sessionitem__session__in=running
    )
    version = free.order_by("number")[0].live_version
    assert version
    learner, staff, moderator = world.users[LEARNER], world.users[STAFF], world.users[MODERATOR]
    tip = post(version, learner.pk, Draft(Kind.TIP, "Read the **last** sentence first: {option:1}."), world.now)
    decide(tip, Act.APPROVE, moderator, world.now)
    reply = post(version, staff.pk, Draft(Kind.REPLY, "So do I."), world.now, tip.pk)
    held = post(version, learner.pk, Draft(Kind.CORRECTION, "See https://elsewhere.example/page instead."), world.now)
    world.mail_token = follow(tip, learner.pk, world.now).token
    world.comments = {"tip": tip, "reply": reply, "held": held}
    _hidden(world, version, tip)
    _people_and_moderators(world, version)


def _people_and_moderators(world: World, version: QuestionVersion) -> None:
    """Create a notice to the learner that can be appealed, an appeal by somebody else, and a stranger's request."""
    decider = world.users["decider"] = User.objects.create_user("decider@example.org", PASSWORD, display_name="Dora")
    decider.groups.add(Group.objects.get(name=MODERATORS))
    appealer = world.users["appealer"] = User.objects.create_user("appealer@example.org", PASSWORD, display_name="Amir")
    before = world.now - dt.timedelta(hours=1)
    made = post(version, world.users[LEARNER].pk, Draft(Kind.TIP, "Write to me at me@here.example."), before)
    world.notice = decide(made, Act.REJECT, decider, before, Reason.PERSONAL, "The address.").notice
    made = suspend(appealer.pk, world.now + dt.timedelta(days=9), decider, before, "Rude to others.").notice
    world.appeal = make_appeal(made.pk, appealer.pk, "It was a joke among friends.", world.now)
    wanted = Request("/discussion/comment/1/", "rights", "It is from my book.", "eve@example.com", "Eve")
    world.saved_reply = SavedReply.objects.create(title="No links, please", text="Name the page.", changed_at=world.now)
    world.takedown = ask(wanted, Reporter(network="192.0.2.9"), world.now)


def _hidden(world: World, version: QuestionVersion, tip: Comment) -> None:
    """Create one writer's comments, each once at the top and once as a reply: held, removed, spam, and redacted."""
    writer = User.objects.create_user("writer@example.org", PASSWORD, display_name="Wilma Writer")
    world.users["writer"], now = writer, world.now
    for n, parent in enumerate((None, tip.pk)):
        for words in HIDDEN:
            draft = Draft(Kind.TIP, f"Comment {n} says {words} in the passage about it.")
            made = world.comments[f"{words} {n}"] = post(version, writer.pk, draft, now, parent)
            assert made.state == State.HELD
    moderator = world.users[MODERATOR]
    for n in range(2):
        decide(world.comments[f"{REMOVED} {n}"], Act.REJECT, moderator, now, Reason.LEAK)
        decide(world.comments[f"{SPAM} {n}"], Act.SPAM, moderator, now)
        kept = f"Comment {n} says so in the passage about it."
        edit_out(world.comments[f"{CUT} {n}"], kept, moderator, now, Reason.PERSONAL)


def signed_in_client(user: User) -> Client:
    """Return a browser in which this user gave the password a moment ago."""
    client = Client()
    client.force_login(user)
    request = HttpRequest()
    request.user, request.session = user, client.session
    record_authentication(request, user, "password", reauthenticated=True)
    request.session.save()
    return client


def _sessions(world: World, persona: str, other: Exam, length: int) -> None:
    owner, exam, now = world.owners[persona], world.exam, world.now
    kept = world.sessions

    begun = now - dt.timedelta(minutes=10)
    finished = kept[persona, "finished"] = begin_mock(owner, exam, length, begun)
    saving.claim(finished.uuid, owner, begun)
    right, wrong = right_places(finished, 1), [place for place in range(4) if place not in right_places(finished, 2)]
    states = [state(1, 1, *right, flagged=True, seconds=30), state(2, 1, wrong[0], seconds=90)]
    states += [state(n, 1, seconds=20) for n in range(3, length + 1) if n != PASSED_OVER]
    saving.save(finished.uuid, owner, batch(1, *states), now)
    analyse(finish(finished.uuid, owner, now).pk, now)
    saving.save(finished.uuid, owner, batch(1, state(3, 1, 0)), now)  # this answer comes late
    keep_note(owner, finished.uuid, 1, "My note.", now)
    set_star(owner, finished.uuid, 1, True, now)

    discarded = kept[persona, "discarded"] = begin_mock(owner, exam, length, now)
    discard(discarded.uuid, owner, now)
    mock = kept[persona, "mock"] = begin_mock(owner, exam, length, now)
    saving.claim(mock.uuid, owner, now)
    saving.save(mock.uuid, owner, batch(1, state(1, 1, 0), state(2, 1, 1, 2, flagged=True)), now)
    paused = kept[persona, "paused"] = begin_mock(owner, other, SMALL_MOCK, now, pausable=True)
    saving.pause(paused.uuid, owner, now)

    done = kept[persona, "finished drill"] = begin_drill(owner, exam, now, size=5)
    finish(done.uuid, owner, now)
    drill = kept[persona, "drill"] = begin_drill(owner, exam, now, size=5, ask_confidence=True)
    saving.claim(drill.uuid, owner, now)
    check(drill.uuid, owner, state(1, 1, *right_places(drill, 1)), None, now)
    check(drill.uuid, owner, state(2, 1), None, now, reveal=True)
    _contrast(world, persona, other)
    _reviews(world, persona, other)


def _contrast(world: World, persona: str, other: Exam) -> None:
    """Create a drill of one question of a family in the other exam, and an answered variant of it."""
    owner, now = world.owners[persona], world.now
    Question.objects.filter(family__exam=other).update(withdrawn_at=None)
    drill = world.sessions[persona, "turned"] = begin_drill(owner, other, now, difficulties=("hard",))
    check(drill.uuid, owner, state(1, 1, 0), None, now)
    variant = next_variant(drill, 1)
    assert variant
    slot = variant.options[0]["slot"]
    made = answer_contrast(owner, drill, 1, variant.question_id, [slot], now)
    world.sessions[persona, "contrast"] = made


def _reviews(world: World, persona: str, other: Exam) -> None:
    """Create reviews in the other exam, one finished and one running, and leave some due in this one."""
    owner, now = world.owners[persona], world.now
    for exam in (world.exam, other):
        published = Question.objects.filter(exam=exam, pool=Pool.PUBLIC, live_version__isnull=False)
        for question in published.order_by("-pk")[:DUE]:
            everything = [option["slot"] for option in question.live_version.options]
            answer_on_page(owner, question, everything, now - dt.timedelta(days=3))
        refresh_cards(Learner.objects.get(**owner.of_learner).pk, exam.pk)
    done = world.sessions[persona, "finished review"] = begin_review(owner, other, now, size=2)
    check(done.uuid, owner, state(1, 1, *right_places(done, 1)), None, now)
    finish(done.uuid, owner, now)
    review = world.sessions[persona, "review"] = begin_review(owner, other, now, size=5, ask_confidence=True)
    saving.claim(review.uuid, owner, now)
    check(review.uuid, owner, state(1, 1, *right_places(review, 1)), None, now)
