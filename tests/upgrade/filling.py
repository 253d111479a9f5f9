"""Fills a dump, with the code of its release: people, their running sessions, and what their browsers still hold.

Imported by make_dump.py alone, inside the site of the release.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import random
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any

import time_machine
from allauth.account.models import EmailAddress
from desk_and_talk import desk, talk
from django.conf import settings
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client
from players import Player, Tab, wrong
from practice.notebook.classify import set_miss_class
from small_bank import SLUG, real_rows

from courseiva.accounts.changes.delete import delete_own_account
from courseiva.accounts.models import User
from courseiva.common.masks import slots_of
from practice.learners.reads.identity import Owner, key_of, new_token, set_guest_cookie
from practice.measurement.calibration.nightly import calibrate_all
from practice.models import PracticeSession
from practice.notebook.keep import keep_note, set_bookmark
from practice.notebook.mark_read import set_read
from practice.notebook.plan import set_plan
from practice.readiness.derive.analyse import analyse_waiting, refresh_standings
from practice.regrade.apply import Correction, regrade
from practice.sessions.ending.finish import discard, finish
from practice.sessions.player import save as saving
from practice.sessions.player.check import answer_on_page
from practice.sessions.player.reads.page import sitting_page
from practice.start.begin import MockChoice, start_drill, start_mock
from practice.start.reads.fitting import DrillChoice
from questions.models import Exam, Question, Solution, StudyModule

NOW = dt.datetime(2026, 11, 22, 10, 0, tzinfo=dt.UTC)
"""The moment at which the site is stopped for the upgrade."""
BACK = NOW + dt.timedelta(minutes=5)
"""The moment at which the site is back."""
FIXTURES = "fixtures"
PASSWORD = "three plain words of the dump"
CSRF = "c" * 32
PEOPLE = ("anna", "ben", "clara", "dora", "emil", "finn")
STAFF = {"edith": ("Editors",), "rolf": ("Reviewers",), "mona": ("Moderators",)}


@dataclass
class Site:
    """The site while its dump is being made. ``clock`` is moved to whatever happens next."""

    clock: Any
    exam: Exam
    rng: random.Random
    users: dict[str, User] = field(default_factory=dict)
    owners: dict[str, Owner] = field(default_factory=dict)
    guest_token: str = ""
    sittings: dict[str, PracticeSession] = field(default_factory=dict)
    tabs: dict[str, Tab] = field(default_factory=dict)
    form: dict[str, Any] = field(default_factory=dict)

    def at(self, days: float = 0, minutes: float = 0) -> dt.datetime:
        """Move the clock to a moment before the upgrade; return that moment."""
        now = NOW - dt.timedelta(days=days, minutes=minutes)
        self.clock.move_to(now, tick=False)
        return now


def fill(bank: Path) -> dict[str, Any]:
    """Fill the database; return what the tests need to know of it and of the browsers."""
    with time_machine.travel(NOW - dt.timedelta(days=40), tick=False) as clock:
        call_command("migrate", interactive=False, verbosity=0)
        call_command("load_bank", str(bank), stdout=StringIO())
        site = Site(clock, Exam.objects.get(slug=SLUG), random.Random(7))
        _people(site)
        _past(site)
        _kept(site)
        desk(site)
        talk(site)
        _regrades(site)
        _running(site)
        _guest(site)
        now = site.at()
        analyse_waiting(now)
        calibrate_all(lambda: now)
        refresh_standings(now)
        delete_own_account(site.users["dora"], now)
        return _world(site)


def _people(site: Site) -> None:
    site.at(days=35)
    for name in (*PEOPLE, *STAFF, "bossa"):
        user = User.objects.create_user(f"{name}@example.org", PASSWORD, display_name=name.capitalize())
        user.is_staff = name in STAFF or name == "bossa"
        user.is_superuser = name == "bossa"
        user.save()
        user.groups.set(Group.objects.filter(name__in=STAFF.get(name, ())))
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        site.users[name], site.owners[name] = user, Owner(user_id=user.pk)
    site.guest_token = new_token()
    site.owners["guest"] = Owner(guest_key=key_of(site.guest_token))


def _mock(site: Site, name: str, now: dt.datetime, count: int = 8, **choice: Any) -> PracticeSession:
    guide = site.exam.blueprints.get(is_current=True)
    return start_mock(site.owners[name], guide, MockChoice(count, **choice), site.rng.randrange(10**6), now)


def _drill(site: Site, name: str, now: dt.datetime, exam: Exam | None = None, **choice: Any) -> PracticeSession:
    chosen = DrillChoice(**choice)
    return start_drill(site.owners[name], exam or site.exam, chosen, site.rng.randrange(10**6), now)


def _past(site: Site) -> None:
    """Finish a month of sessions: five fresh mocks by each of three people, drills, and a discarded mock."""
    for n, days in enumerate((30, 26, 21, 15, 9)):
        for place, name in enumerate(("anna", "ben", "dora")):
            now = site.at(days=days, minutes=-60 * place)
            _sit(site, name, f"{name} past mock {n}", _mock(site, name, now), now, right=0.5 + 0.1 * n)
        now = site.at(days=days, minutes=-200)
        analyse_waiting(now)
        calibrate_all(lambda now=now: now)
    for name in ("clara", "finn"):
        now = site.at(days=12)
        _sit(site, name, f"{name} past drill", _drill(site, name, now, size=10, feedback_each=False), now, right=0.4)
    now = site.at(days=11)
    discard(_mock(site, "finn", now).uuid, site.owners["finn"], now)
    now = site.at(days=10)
    real = _drill(site, "clara", now, Exam.objects.get(slug="pmle"), size=4, feedback_each=False)
    _sit(site, "clara", "clara past real drill", real, now, right=0.5)


def _sit(site: Site, who: str, name: str, session: PracticeSession, now: dt.datetime, right: float) -> None:
    """Answer as the player would, submit, and send one answer after the end."""
    owner = site.owners[who]
    player = Player(session, owner, now)
    for item in player.positions:
        player.answer(item, right=site.rng.random() < right, seconds=40 + 10 * item)
    player.send(now + dt.timedelta(minutes=5))
    site.clock.move_to(now + dt.timedelta(minutes=6), tick=False)
    finish(session.uuid, owner, now + dt.timedelta(minutes=6))
    if name.endswith("0"):
        player.answer(1, right=False, other=True)
        player.send(now + dt.timedelta(minutes=7))
    site.sittings[name] = session


def _kept(site: Site) -> None:
    """Store notes, stars, reasons for misses and plans, and mark a module as read."""
    now = site.at(days=8)
    for name in ("anna", "ben"):
        owner, session = site.owners[name], site.sittings[f"{name} past mock 1"]
        keep_note(owner, session.uuid, 1, f"A note of {name}: read the hours first.", now)
        set_bookmark(owner, session.uuid, 2, True, now)
        wrong_one = wrong(session)
        set_miss_class(owner, session.uuid, wrong_one, "misread")
        set_plan(owner, site.exam, (now + dt.timedelta(days=30)).date(), 20, now)
        set_read(owner, StudyModule.objects.get(exam=site.exam), True, now)


def _regrades(site: Site) -> None:
    """Correct two keys: one question accepts either answer, the other is left out of the score."""
    now = site.at(days=5)
    session = site.sittings["anna past mock 0"]
    items = session.items.select_related("version").filter(version__kind="single").order_by("position")
    first, second = items[0].version, items[1].version
    key = slots_of(Solution.objects.get(version=first).key_mask)[0]
    other = next(option["slot"] for option in first.options if option["slot"] != key)
    either = Correction("either", ((key,), (other,)), "Both steps hold in this harbour.")
    regrade(first, either, site.users["rolf"], now)
    regrade(second, Correction("left_out", (), "No step is right here."), site.users["rolf"], now)


def _running(site: Site) -> None:
    """Begin the running sessions: each tab has some answers on the server and a queue that was not sent."""
    now = site.at(minutes=5)
    site.tabs["exam conditions"] = _tab(site, "anna", _mock(site, "anna", now), now)
    paused = _mock(site, "ben", now, pausable=True)
    site.tabs["paused"] = _tab(site, "ben", paused, now, queue=False)
    saving.pause(paused.uuid, site.owners["ben"], site.at(minutes=3))
    now = site.at(minutes=6)
    drill = _drill(site, "ben", now, size=6, ask_confidence=True)
    site.tabs["drill"] = _tab(site, "ben", drill, now, checks=True)
    now = site.at(minutes=7)
    site.tabs["untimed"] = _tab(site, "clara", _mock(site, "clara", now, time_factor=0), now, reloaded=True)
    now = site.at(minutes=8)
    review = _drill(site, "clara", now, state="due", size=4)
    site.tabs["review"] = _tab(site, "clara", review, now, checks=True)
    now = site.at(minutes=13)  # sixteen minutes: its time runs out while the site is down
    site.tabs["time ran out"] = _tab(site, "emil", _mock(site, "emil", now), now)
    now = site.at(minutes=9)
    site.form = _form(site, now)
    site.tabs["two tabs"] = _tab(site, "finn", _mock(site, "finn", now), now, overtaken=True)


def _tab(site: Site, who: str, session: PracticeSession, now: dt.datetime, **kind: bool) -> Tab:
    """Return a page with three answers acknowledged, and a change of one of them and three more in its queue."""
    site.sittings[f"running {session.uuid}"] = session
    player = Player(session, site.owners[who], now)
    for item in player.positions[:3]:
        player.answer(item, right=item != 2, seconds=20)
    player.send(now + dt.timedelta(minutes=1))
    if kind.get("checks") and len(player.positions) > 3:  # otherwise the queue would end the session
        player.check(1, now + dt.timedelta(minutes=1))
    if kind.get("queue", True):
        player.change(2, now + dt.timedelta(minutes=2), checks=kind.get("checks", False))
    if kind.get("overtaken"):
        Player(session, site.owners[who], now + dt.timedelta(minutes=2))
    return player.tab(who, reloaded=kind.get("reloaded", False))


def _form(site: Site, now: dt.datetime) -> dict[str, Any]:
    """Return the fields of a page without script that was loaded before the upgrade and is sent after it."""
    session = _drill(site, "finn", now, Exam.objects.get(slug="pmle"), size=4, feedback_each=False)
    page = sitting_page(session, now)
    fields = {"writer": str(session.writer), "base": page.base, "a-1": ["0"], "a-2": ["1"], "f-2": "on", "place": "1"}
    return {"who": "finn", "uuid": str(session.uuid), "address": session.get_absolute_url(), "fields": fields,
            "held": {"1": [0], "2": [1]}}  # fmt: skip


def _guest(site: Site) -> None:
    """Give a guest answers on question pages, a finished drill, and a timed one in progress."""
    now = site.at(days=4)
    owner = site.owners["guest"]
    pages = Question.objects.filter(exam=site.exam, pool="open", number__isnull=False).order_by("number")
    for question in pages[:3]:
        answer_on_page(owner, question, [1], now)
    now = site.at(days=3)
    _sit(site, "guest", "guest past drill", _drill(site, "guest", now, size=5, feedback_each=False), now, right=0.6)
    keep_note(owner, site.sittings["guest past drill"].uuid, 1, "A guest's note.", now)
    now = site.at(minutes=4)
    timed = _drill(site, "guest", now, size=6, minutes_each=3)
    site.tabs["guest drill"] = _tab(site, "guest", timed, now, checks=True)


def _world(site: Site) -> dict[str, Any]:
    """Return everything outside the database, and what must still hold after it is migrated."""
    finished = PracticeSession.objects.filter(finished_at__isnull=False).exclude(learner__user=None)
    return {
        "now": NOW.isoformat(),
        "exam": SLUG,
        "password": PASSWORD,
        "csrf": CSRF,
        "emails": {name: user.email for name, user in site.users.items()},
        "logins": {name: _login(site.users[name]) for name in (*PEOPLE, *STAFF, "bossa") if name != "dora"},
        "guest": _guest_cookies(site.guest_token),
        "back": BACK.isoformat(),
        "tabs": {name: tab.told | tab.player.end(BACK) for name, tab in site.tabs.items()},
        "form": site.form,
        "scores": {str(row.uuid): [row.learner.user.display_name.lower(), row.score, row.total] for row in finished},
        "guest_scores": _guest_scores(site),
        "versions": _versions(),
        "real": real_rows(Path(FIXTURES)),
        "questions": {q.key: [q.pool, q.number] for q in Question.objects.filter(live_version__isnull=False)},
    }


def _guest_scores(site: Site) -> dict[str, list[int | None]]:
    mine = PracticeSession.objects.filter(finished_at__isnull=False, **site.owners["guest"].of_row)
    return {str(row.uuid): [row.score, row.total] for row in mine}


def _login(user: User) -> str:
    """Return the value of a cookie that keeps this person signed in."""
    client = Client()
    client.force_login(user)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def _guest_cookies(token: str) -> dict[str, str]:
    """Return the guest's cookie under both of its names, because a signature is valid for one name only."""
    from practice.learners.reads import identity

    cookies = {}
    for name in ("courseiva-guest", "__Host-courseiva-guest"):
        identity.GUEST_COOKIE, response = name, HttpResponse()
        set_guest_cookie(response, token)
        cookies[name] = response.cookies[name].value
    return cookies


def _versions() -> dict[str, str]:
    """Return a digest of each published version, by question and number."""
    rows = Solution.objects.select_related("version__question").order_by("pk")
    return {f"{row.version.question.key} {row.version.number}": short(row) for row in rows}


def short(row: Solution) -> str:
    """Return a digest of title, stem, options and key, by which a learner's past answers are shown."""
    version = row.version
    options = [[option["slot"], option["text"]] for option in version.options]
    return hashlib.sha256(json.dumps([version.title, version.stem, options, row.key_mask]).encode()).hexdigest()[:16]
