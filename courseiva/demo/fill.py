"""Filling a separate database with learners, a miskeyed question, reports and held comments."""

from __future__ import annotations

import datetime as dt
import random
import time
from collections.abc import Callable

from courseiva.accounts.models import User
from courseiva.common.masks import mask_of, slots_of
from courseiva.demo.accounts import DEMO_ACCOUNTS, DEMO_DOMAIN
from courseiva.demo.comments import COMMENTS
from courseiva.demo.sessions import Person, Truth, person, practise
from courseiva.demo.words import NAMES, REPORTS
from discussion.comments.models.comments import Comment, Kind, State
from discussion.comments.models.moderation import Harm
from discussion.reactions.report import report_comment
from discussion.threads.post import Draft, post
from practice.learners.reads.identity import Owner
from practice.measurement.calibration.nightly import calibrate_exam
from practice.measurement.health.measure import measure_exam
from practice.readiness.derive.analyse import analyse_waiting, refresh_standings
from questions.catalogue.models import Exam
from questions.reports.models import ReportKind
from questions.reports.reads.reporters import Reporter
from questions.reports.report import Complaint, report
from questions.versions.models.drafts import Pool, Question
from questions.versions.models.versions import QuestionVersion, Solution

SEED = 20_261_121
"""Fixed, so that pictures and tests of the demo show the same people each time."""
PEOPLE = 60
"""Enough people for item statistics to mean something, few enough that filling doesn't take long."""
Say = Callable[[str], object]


def fill(exam: Exam, now: dt.datetime, say: Say, people: int = PEOPLE) -> None:
    """Make everything; the same bank and day give the same data.

    Only for a separate database: it makes one key wrong.
    """
    rng = random.Random(SEED)
    truth = Truth.of(exam, miskey(exam))
    crowd = _crowd(rng, people)
    began = time.monotonic()
    for place, who in enumerate(crowd, 1):
        practise(who, exam, truth, rng, now)
        if place % 5 == 0:
            left = (time.monotonic() - began) / place * (len(crowd) - place)
            say(f"    {place} of {len(crowd)} learners, about {left:.0f} s left")
    say("    Difficulties, reports and comments")
    analyse_waiting(now)
    calibrate_exam(exam, lambda: now)
    measure_exam(exam)
    refresh_standings(now)
    say(f"    {_reports(exam, crowd, rng, now)} reports, {_comments(exam, now)} comments")


def miskey(exam: Exam) -> dict[int, tuple[int, ...]]:
    """Make the key of the first single-answer reserved question wrong; returns the true key by version id."""
    rows = QuestionVersion.objects.filter(live_of__exam=exam, pool=Pool.RESERVED, kind="single")
    version = rows.order_by("question__key")[0]
    solution = Solution.objects.get(version=version)
    right = tuple(slots_of(solution.key_mask))
    wrong = next(option["slot"] for option in version.options if option["slot"] not in right)
    Solution.objects.filter(pk=solution.pk).update(key_mask=mask_of([wrong]))
    return {version.pk: right}


def _crowd(rng: random.Random, people: int) -> list[Person]:
    learner = User.objects.get(email=DEMO_ACCOUNTS[0].email)
    crowd = [Person(Owner(user_id=learner.pk), 0.9, mocks=2, drills=6)]
    for place in range(people):
        name = NAMES[place % len(NAMES)]
        email = f"{name.lower()}{place}@{DEMO_DOMAIN}"
        crowd.append(person(email, name, rng.gauss(0.5, 1), mocks=2, drills=rng.randrange(1, 4)))
    return crowd


def _reports(exam: Exam, crowd: list[Person], rng: random.Random, now: dt.datetime) -> int:
    questions = Question.objects.filter(exam=exam, pool=Pool.PUBLIC).select_related("live_version").order_by("number")
    for place, (kind, text) in enumerate(REPORTS):
        version = questions[place * 2].live_version
        who = Reporter(user_id=rng.choice(crowd).owner.user_id)
        if version:
            report(version, Complaint(ReportKind(kind), text), who, now - dt.timedelta(hours=place), limited=False)
    return len(REPORTS)


def _comments(exam: Exam, now: dt.datetime) -> int:
    """Comments by new users; a reader has reported those that aren't held.

    This way moderators see all of them, some as reports about comments that are already public.
    """
    questions = list(
        Question.objects.filter(exam=exam, pool=Pool.PUBLIC).select_related("live_version").order_by("number")[:20]
    )
    versions = [question.live_version for question in questions if question.live_version]
    reader = User.objects.get(email=DEMO_ACCOUNTS[0].email)
    for place, (harm, text) in enumerate(COMMENTS):
        author, version = _writer(place // 2), versions[place % len(versions)]
        at = now - dt.timedelta(hours=len(COMMENTS) - place)
        made = post(version, author.pk, Draft(Kind.TIP, text), at)
        if made.state == State.VISIBLE:
            report_comment(made.pk, reader.pk, Harm(harm), "", at + dt.timedelta(minutes=20))
    return Comment.objects.count()


def _writer(place: int) -> User:
    name = NAMES[place % len(NAMES)]
    author, _ = User.objects.get_or_create(email=f"writer{place}@{DEMO_DOMAIN}", defaults={"display_name": name})
    return author
