"""The whole tour: every kind of reader, the emails, and the scripts' messages."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.core import mail
from django.test.utils import override_settings

from courseiva.demo.texts.affairs import make_affairs
from courseiva.demo.texts.bank import make_bank
from courseiva.demo.texts.people import make_people
from courseiva.demo.texts.rules.layout import layout_of
from courseiva.demo.texts.rules.scripts import script_strings
from courseiva.demo.texts.rules.strings import mail_strings
from courseiva.demo.texts.stage import standing_clock
from courseiva.demo.texts.starts import starts_of
from courseiva.demo.texts.walk import Met, Walk

SCRIPTS = ("static/js", "templates/practice")
STYLESHEETS = "static/css"
JUST_CONFIRMED = override_settings(ACCOUNT_REAUTHENTICATION_TIMEOUT=86400)
"""A slow walk takes longer than the five minutes after which the admin asks again who it is."""


def tour() -> Met:
    """Fill the database, which must be empty, and walk. The order decides where a string is found first."""
    met = Met(layout_of("\n".join(path.read_text() for path in (settings.BASE_DIR / STYLESHEETS).rglob("*.css"))))
    with standing_clock() as now, JUST_CONFIRMED:
        exams = make_bank(now)
        people = make_people(exams, now)
        make_affairs(exams, people, now)
        for who in people.values():
            walk = Walk(who, met)
            walk.go(starts_of(who, exams))
    for message in mail.outbox:
        met.collection.add("mails", mail_strings(str(message.subject), str(message.body)))
    for path in scripts():
        met.collection.add(f"scripts: {path.name}", script_strings(path.read_text(encoding="utf-8")))
    return met


def scripts() -> list[Path]:
    """Our scripts, including the service worker."""
    return [path for folder in SCRIPTS for path in sorted((settings.BASE_DIR / folder).rglob("*.js"))]
