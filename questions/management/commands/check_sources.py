"""``manage.py check_sources``: check whether the pages that questions cite can still be opened."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from questions.versions.material.sources.check import DELAY, check_due
from questions.versions.material.sources.look import Looker
from questions.versions.material.sources.models import SourceCheck
from questions.versions.material.sources.rules import Outcome, is_dead


class Command(BaseCommand):
    help = (
        "Check whether the pages that questions cite can still be opened, one server at a time. Each answer is"
        " kept at once: stop it whenever you like, and the next run continues. Dead pages are listed on the desk."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--most", type=int, default=10_000, help="pages at most in this run")
        parser.add_argument("--delay", type=float, default=DELAY, help="seconds between two requests to one server")
        parser.add_argument(
            "--private", action="store_true", help="ask servers of private networks too; for trying it out"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["most"] < 1 or not 0 <= options["delay"] <= 3600:
            raise CommandError("--most is at least 1, --delay between 0 and 3600.")
        looker = Looker(settings.SITE_URL, private=options["private"])

        def look(url: str) -> Outcome:
            outcome = looker.look(url)
            self.stdout.write(f"{outcome.status or outcome.trouble:>12}  {url}")
            return outcome

        try:
            done = check_due(timezone.now, look, time.sleep, options["most"], options["delay"])
        except KeyboardInterrupt:
            self.stdout.write("Stopped. The next run continues from here.")
            return
        self._say(done)

    def _say(self, done: list[SourceCheck]) -> None:
        dead = [row for row in done if is_dead(row.status, row.failures)]
        self.stdout.write(f"{len(done)} checked, {len(dead)} of them dead.")
