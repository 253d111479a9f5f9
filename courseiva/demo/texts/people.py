"""The readers who walk through the site, and what each has done before."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, field

from allauth.account.internal.flows.login import record_authentication
from allauth.account.models import EmailAddress
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib.auth.models import Group
from django.http import HttpRequest, HttpResponse
from django.test import Client

from courseiva.accounts.models import User
from courseiva.accounts.staff.groups import EDITORS, MODERATORS, REVIEWERS
from courseiva.common.masks import order_slots, slots_of
from courseiva.demo.accounts import DEMO_DOMAIN, DEMO_PASSWORD
from courseiva.demo.texts.bank import FAMILY_CONCEPT
from practice.learners.models import Learner
from practice.learners.reads.identity import Owner, key_of, new_token, set_guest_cookie
from practice.notebook.keep import keep_note, set_star
from practice.notebook.plan import set_plan
from practice.readiness.derive.analyse import analyse
from practice.readiness.plan.reminders.keep import set_reminders
from practice.reviews.make_cards import refresh_cards
from practice.sessions.ending.finish import discard, finish
from practice.sessions.models import PracticeSession
from practice.sessions.player.check import check
from practice.sessions.player.contrast import answer_contrast
from practice.sessions.player.reads.contrasts import next_variant
from practice.sessions.player.rules import Batch, ItemState
from practice.sessions.player.save import claim, pause, save
from practice.start.begin import MockChoice, start_drill, start_mock
from practice.start.reads.fitting import DrillChoice
from questions.catalogue.models import Exam
from questions.versions.models.versions import Solution

VISITOR, GUEST, NEWCOMER, LEARNER = "visitor", "guest", "newcomer", "learner"
REVIEWER, MODERATOR, ADMINISTRATOR = "reviewer", "moderator", "administrator"
GROUPS_OF = {
    NEWCOMER: (),
    LEARNER: (),
    REVIEWER: (EDITORS, REVIEWERS),
    MODERATOR: (MODERATORS,),
    ADMINISTRATOR: (),
}
MOCK = 10
"""Short, since every page is drawn from these: what they show depends on states, not on length."""
DAY = dt.timedelta(days=1)


@dataclass
class Reader:
    """A kind of reader: a test client, and its sessions by state."""

    name: str
    client: Client
    owner: Owner = field(default_factory=Owner)
    sessions: dict[str, PracticeSession] = field(default_factory=dict)
    answered: PracticeSession | None = None  # a variant, under the drill of its family

    @property
    def account(self) -> User:
        """The account of a reader who has signed up."""
        return User.objects.get(pk=self.owner.user_id or 0)


def make_people(exams: list[Exam], now: dt.datetime) -> dict[str, Reader]:
    """All kinds of readers, by name; those who practise have a history."""
    people = {VISITOR: Reader(VISITOR, _browser()), GUEST: _guest()}
    for name, groups in GROUPS_OF.items():
        people[name] = _signed_up(name, groups)
    _history(people[LEARNER], exams[0], now)
    for name in (GUEST, LEARNER):
        _under_way(people[name], exams, now)
    return people


def _browser() -> Client:
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.raise_request_exception = False
    return client


def _guest() -> Reader:
    token, client, response = new_token(), _browser(), HttpResponse()
    set_guest_cookie(response, token)
    client.cookies = response.cookies
    return Reader(GUEST, client, Owner(guest_key=key_of(token)))


def _signed_up(name: str, groups: tuple[str, ...]) -> Reader:
    rights = {"is_staff": name in (REVIEWER, ADMINISTRATOR), "is_superuser": name == ADMINISTRATOR}
    user = User.objects.create_user(f"{name}@{DEMO_DOMAIN}", DEMO_PASSWORD, display_name=f"⟦name of {name}⟧", **rights)
    user.groups.set(Group.objects.get_or_create(name=group)[0] for group in groups)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    if name == ADMINISTRATOR:
        TOTP.activate(user, generate_totp_secret())
        RecoveryCodes.activate(user)
    client = _browser()
    client.force_login(user)
    # As if the password had just been entered; the newcomer visits the pages that ask for it again.
    request = HttpRequest()
    request.user, request.session = user, client.session
    record_authentication(request, user, "password", reauthenticated=True)
    request.session.save()
    return Reader(name, client, Owner(user_id=user.pk))


def _history(who: Reader, exam: Exam, now: dt.datetime) -> None:
    """Finished sessions of all kinds, spread over two weeks, with a bit of everything."""
    owner = who.owner
    blueprint = exam.blueprints.get(is_current=True)
    for place in range(3):
        at = now - (14 - 4 * place) * DAY
        mock = start_mock(owner, blueprint, MockChoice(MOCK), place, at)
        _answer(mock, owner, at)
        analyse(finish(mock.uuid, owner, at + dt.timedelta(minutes=15)).pk, at + dt.timedelta(minutes=16))
        who.sessions["finished mock"] = mock
    for place in range(2):
        at = now - (2 - place) * DAY
        drill = start_drill(owner, exam, DrillChoice(size=10), place, at)
        for state in _states(drill):
            check(drill.uuid, owner, state, None, at + dt.timedelta(minutes=2))
        session = finish(drill.uuid, owner, at + dt.timedelta(minutes=20))
        analyse(session.pk, at + dt.timedelta(minutes=21))
        who.sessions["finished drill"] = drill
    keep_note(owner, who.sessions["finished mock"].uuid, 1, "⟦note⟧", now)
    set_star(owner, who.sessions["finished mock"].uuid, 1, True, now)
    set_plan(owner, exam, (now + 30 * DAY).date(), 30, now)
    set_reminders(owner, exam, range(7))
    refresh_cards(Learner.objects.get(**owner.of_learner).pk, exam.pk)


def _under_way(who: Reader, exams: list[Exam], now: dt.datetime) -> None:
    """A running mock and drill, a discarded mock, and a paused mock and a finished drill in the other exam."""
    owner, (exam, other) = who.owner, exams
    blueprint, others = exam.blueprints.get(is_current=True), other.blueprints.get(is_current=True)
    begun = now - dt.timedelta(minutes=5)
    gone = who.sessions["discarded mock"] = start_mock(owner, blueprint, MockChoice(MOCK), 7, begun)
    discard(gone.uuid, owner, begun)
    mock = who.sessions["running mock"] = start_mock(owner, blueprint, MockChoice(MOCK), 8, begun)
    writer = claim(mock.uuid, owner, begun).writer
    save(mock.uuid, owner, Batch(writer, tuple(list(_states(mock))[:3])), now)
    paused = who.sessions["paused mock"] = start_mock(owner, others, MockChoice(MOCK, pausable=True), 9, begun)
    pause(paused.uuid, owner, now)
    done = who.sessions["short drill"] = start_drill(owner, other, DrillChoice(size=5), 1, begun)
    for state in list(_states(done))[:3]:
        check(done.uuid, owner, state, None, begun)
    finish(done.uuid, owner, now)
    _contrast(who, other, begun)
    drill = who.sessions["running drill"] = start_drill(owner, exam, DrillChoice(size=5, ask_confidence=True), 2, begun)
    for state in list(_states(drill))[:2]:
        check(drill.uuid, owner, state, None, begun)


def _contrast(who: Reader, exam: Exam, at: dt.datetime) -> None:
    """A finished drill with one question of the family and an answered variant; another variant is left."""
    drill = who.sessions["drill of a family"] = start_drill(
        who.owner, exam, DrillChoice(size=5, concepts=(FAMILY_CONCEPT,)), 3, at
    )
    check(drill.uuid, who.owner, next(_states(drill)), None, at)
    variant = next_variant(drill, 1)
    if variant is not None:
        slot = variant.options[0]["slot"]
        who.answered = answer_contrast(who.owner, drill, 1, variant.question_id, [slot], at)
    finish(drill.uuid, who.owner, at)


def _answer(session: PracticeSession, owner: Owner, at: dt.datetime) -> None:
    writer = claim(session.uuid, owner, at).writer
    states = [state for state in _states(session) if state.position % 10]  # one question is skipped
    save(session.uuid, owner, Batch(writer, tuple(states)), at + dt.timedelta(minutes=14))


def _states(session: PracticeSession) -> Iterator[ItemState]:
    """Every third question wrong, some flagged, answered overconfidently."""
    for item in session.items.order_by("position"):
        key = slots_of(Solution.objects.get(version=item.version_id).key_mask)
        slots = order_slots(item.option_order)
        right = [slots.index(slot) for slot in key]
        wrong = [place for place in range(len(slots)) if place not in right] + right
        places = wrong[: len(right)] if item.position % 3 == 0 else right
        yield ItemState(
            item.position,
            1,
            tuple(sorted(places)),
            flagged=item.position % 4 == 0,
            confidence=1 + item.position % 3 if session.ask_confidence else None,
            seconds=40 + 10 * item.position,
        )
