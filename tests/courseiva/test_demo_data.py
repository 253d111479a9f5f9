"""The demo database has people who practised, a wrong key, reports and held comments; it is refused anywhere else."""

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from courseiva.demo.accounts import make_demo_accounts
from courseiva.demo.comments import COMMENTS
from courseiva.demo.fill import fill
from courseiva.demo.words import REPORTS
from discussion.models import CommentReport
from discussion.moderation.reads.queue import waiting
from practice.models import PracticeSession, Standing
from questions.models import ContentReport, Solution, VersionStatistics
from tests.support.bank import add_questions, make_exam
from tests.support.pages import rows
from tests.support.walk import DEMO_NOTE, walk
from tests.support.world import STAFF, STRANGER

pytestmark = pytest.mark.django_db


def test_the_demo_is_populated(settings):
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
    cards = list(waiting())
    texts = {card.text for card in cards}
    assert len(texts) == len(COMMENTS) == 80
    assert texts == {text for _, text in COMMENTS}
    assert any(card.harm == 0 for card in cards), "live harm is among them"
    assert CommentReport.objects.values("reason").distinct().count() >= 2


class TestInTheSmallWorld:
    @pytest.mark.long("many requests")
    @pytest.mark.parametrize("persona", [STRANGER, STAFF])
    def test_every_page_of_the_demo_says_it_is_the_demo(self, settings, world, persona):
        """tests/test_addresses.py checks that no page of a real site does."""
        settings.DEMO = True
        pages = [row for row in rows() if row.walked(persona) and not row.follows and not row.only_debug]
        seen = walk(world, pages, [persona])
        assert [case for case, of_page in seen.items() if not of_page.says_demo] == []
        assert len(seen) > 50


def test_an_error_page_of_the_demo_says_it_is_the_demo(settings):
    settings.DEMO = True
    make_exam()
    assert DEMO_NOTE in Client().get("/exams/none/").content


def test_no_other_site_says_it_is_the_demo(settings):
    settings.DEMO = False
    with pytest.raises(CommandError, match="DEMO=1"):
        call_command("fill_demo")
