"""``manage.py train_screening``: the weights of the classifier, from the labelled file and from decisions."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from discussion.screening import train
from discussion.screening.rules.classifier import SHIPPED


class Command(BaseCommand):
    """Needs the packages of requirements-dev.lock. The same texts give the same weights."""

    help = "Train the classifier that holds comments, and write its weights as plain numbers."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--labelled", type=Path, default=train.LABELLED, help="CSV with the columns label and text")
        parser.add_argument("--decisions", action="store_true", help="learn from this site's moderators too")
        parser.add_argument("--output", type=Path, default=SHIPPED)

    def handle(self, *args: Any, **options: Any) -> None:
        rows = train.from_file(options["labelled"])
        rows += train.from_decisions() if options["decisions"] else []
        weights = train.train(rows)
        train.write(weights, options["output"])
        self.stdout.write(f"{len(rows)} texts, held above {weights['new']} (new) and {weights['known']} (known)")
