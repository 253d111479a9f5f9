"""`manage.py fill_demo`: simulated learners, a miskeyed question, reports and held comments, for a demo database."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from courseiva.demo.fill import fill
from practice.sessions.models import PracticeSession
from questions.catalogue.reads import offered


class Command(BaseCommand):
    """Refused if DEMO is off, and done only once."""

    help = "Fill the demo database with simulated people."

    def handle(self, *args: Any, **options: Any) -> None:
        """Fill it, unless somebody has already practised there."""
        if not settings.DEMO:
            raise CommandError("Only for a database of its own: it makes a key wrong. Set DEMO=1, as make demo does.")
        if PracticeSession.objects.exists():
            self.stdout.write("    filled already")
            return
        exam = offered().first()
        if exam is None:
            raise CommandError("There is no exam to practise. Load the bank first: manage.py load_bank fixtures.")
        fill(exam, timezone.now(), self.stdout.write)
