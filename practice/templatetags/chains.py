"""What session pages show from rooms above them: the chain after a verdict, another mock after a result."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils import timezone

from practice.learners.reads.networks import network_of
from practice.measurement.statistics.reads import Standing, standing_of
from practice.notebook.reads.chains import Chain, Marked, chains_of
from practice.sessions.models import PracticeSession
from practice.start.reads.mocks import Retake, retake_of

register = template.Library()


@register.simple_tag
def chains(session: PracticeSession, marked: Marked) -> dict[int, Chain]:
    """By position, the chain of each marked question, for all of them at once."""
    return chains_of(session, marked, timezone.now())


@register.simple_tag(takes_context=True)
def retake(context: dict[str, Any], session: PracticeSession) -> Retake | None:
    """Another mock like this one, and how many of its questions would be unseen."""
    return retake_of(session, timezone.now(), network_of(context["request"]))


@register.simple_tag
def standing(session: PracticeSession, fresh: int) -> Standing | None:
    """A mock compared with others'; None if fewer than half of its questions were ``fresh``, which would flatter."""
    return standing_of(session) if session.total and 2 * fresh >= session.total else None


@register.filter
def at(found: dict[int, Chain], position: int) -> Chain | None:
    """The chain of one question; None if it isn't marked."""
    return found.get(position)
