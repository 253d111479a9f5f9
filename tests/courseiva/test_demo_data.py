"""The demo database: people who practised, a key that is wrong, reports and held comments; refused anywhere else."""

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.test import Client
from django.utils import timezone

from courseiva.demo.accounts import make_demo_accounts
from courseiva.demo.fill import HELD_COMMENTS, fill
from courseiva.demo.words import REPORTS
from discussion.models import Comment, State
from practice.models import PracticeSession, Standing
from questions.models import ContentReport, Solution, VersionStatistics
from tests.support.bank import add_questions, make_exam
from tests.support.pages import rows
from tests.support.world import STAFF, STRANGER, small_world

pytestmark = pytest.mark.django_db
NOTE = 'class="demo-note"'


def test_the_halls_are_filled(settings):
    settings.DEMO = True
    exam = make_exam()
    add_questions(exam, 28)
    add_questions(exam, 2, pool="reserved")
    before = dict(Solution.objects.values_list("pk", "key_mask"))
    make_demo_accounts()
    fill(exam, timezone.now(), lambda _: None, people=2)
    done = PracticeSession.objects.filter(finished_at__isnull=False, analysed_at__isnull=False)
    assert done.filter(mode="mock").count() == 6
    assert Standing.objects.count() == 3
    assert VersionStatistics.objects.filter(n__gt=0).exists()
    wrong = [pk for pk, mask in Solution.objects.values_list("pk", "key_mask") if before[pk] != mask]
    assert len(wrong) == 1
    assert ContentReport.objects.count() == len(REPORTS)
    assert Comment.objects.filter(state=State.HELD).count() == HELD_COMMENTS


@pytest.mark.parametrize(("is_demo", "persona"), [(True, STRANGER), (True, STAFF), (False, STRANGER)])
def test_every_page_of_the_demo_says_so_and_none_of_a_real_site(settings, is_demo, persona):
    settings.DEMO = is_demo
    world = small_world(timezone.now())
    said = {}
    for row in (row for row in rows() if row.walked(persona) and not row.follows and not row.only_debug):
        with transaction.atomic():
            client = world.client(persona)
            if row.before:
                row.before(world, client)
            ask = client.post if row.method == "POST" else client.get
            extra = {"content_type": row.content_type} if row.content_type else {}
            data = row.data(world, persona) if row.method == "POST" else {}
            response = ask(row.address(world, persona), data, **extra)
            said[row.title] = NOTE in response.content.decode()
            transaction.set_rollback(True)
    assert [title for title, says in said.items() if says != is_demo] == []
    assert len(said) > 50


def test_an_error_page_of_the_demo_says_so(settings):
    settings.DEMO = True
    make_exam()
    assert NOTE in Client().get("/exams/none/").content.decode()


def test_nowhere_else(settings):
    settings.DEMO = False
    with pytest.raises(CommandError, match="DEMO=1"):
        call_command("fill_demo")
