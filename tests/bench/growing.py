"""Fills a scratch database for the measurement of growth; a program, because it needs the site's settings.

``bank N`` adds that many questions. ``sessions N GUESTS`` adds that many sessions, of learners who each took one mock
of 60 and nine drills of 10, and prints the cookies of the first GUESTS of them, one a line.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import sys

import django

MOCK, DRILLS, DRILL = 60, 9, 10
PER_LEARNER = 1 + DRILLS
DOMAINS, CHUNK = 6, 100
DAYS = 40


def make_bank(questions: int) -> None:
    """Add this many public questions, spread evenly over the domains."""
    from django.core.management import call_command

    from tests.support.bank import add_questions, make_exam

    call_command("migrate", interactive=False, verbosity=0)
    exam, left = make_exam(), questions // DOMAINS
    while left > 0:
        add_questions(exam, min(left, CHUNK))
        left -= CHUNK
    vacuum()


def add_sessions(sessions: int, guests: int) -> None:
    """Add copies of one learner's record that the site itself wrote."""
    from django.utils import timezone

    from practice.models import Learner
    from questions.pages.counted.count import count_all
    from tests.bench.copies import copy_learner

    template = Learner.objects.order_by("pk").first() or sat_by_the_site()
    first = copy_learner(template.pk, sessions // PER_LEARNER, guests)
    for learner_id in range(first, first + guests):
        print(named_guest(learner_id))
    count_all(timezone.now())  # as the schedule does every minute
    vacuum()


def sat_by_the_site() -> object:
    """Create a learner with a mock and nine drills, each finished and analysed."""
    from django.utils import timezone

    from practice.sessions.ending.finish import finish
    from practice.sessions.player.save import claim, save
    from questions.models import Exam
    from tests.support.sessions import batch, begin_drill, begin_mock, guest, learner_of, state

    owner, exam, now = guest()[0], Exam.objects.get(), timezone.now()
    for n in range(PER_LEARNER):
        start = now - dt.timedelta(days=DAYS - n)
        session = begin_drill(owner, exam, start, size=DRILL) if n else begin_mock(owner, exam, MOCK, start)
        claim(session.uuid, owner, start)
        states = [state(p, 1, (p + n) % 4, seconds=40) for p in range(1, session.total + 1)]
        save(session.uuid, owner, batch(1, *states), start + dt.timedelta(minutes=5))
        finish(session.uuid, owner, start + dt.timedelta(minutes=90))
    return learner_of(owner, now)


def named_guest(learner_id: int) -> str:
    """Make a guest's cookie for this learner and return it."""
    from django.http import HttpResponse

    from practice.learners.reads.identity import GUEST_COOKIE, key_of, new_token, set_guest_cookie
    from practice.models import Learner

    token, response = new_token(), HttpResponse()
    set_guest_cookie(response, token)
    Learner.objects.filter(pk=learner_id).update(guest_key=key_of(token))
    return f"{GUEST_COOKIE}={response.cookies[GUEST_COOKIE].coded_value}"


def vacuum() -> None:
    """Do what autovacuum would do sooner or later: update the planner's statistics and the visibility map."""
    from django.db import DatabaseError, connection

    with connection.cursor() as cursor:
        if connection.vendor != "postgresql":
            cursor.execute("ANALYZE")
            return
        cursor.execute("VACUUM (ANALYZE)")
        with contextlib.suppress(DatabaseError):
            cursor.execute("CHECKPOINT")


if __name__ == "__main__":
    django.setup()
    if sys.argv[1] == "bank":
        make_bank(int(sys.argv[2]))
    else:
        add_sessions(int(sys.argv[2]), int(sys.argv[3]))
