"""The page of a running check: one question, and how far it has come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from courseiva.common.masks import order_slots
from practice.readiness.check.rules import MOST
from practice.sessions.models import PracticeSession
from practice.sessions.player.reads.page import OptionView
from questions.versions.models.versions import QuestionVersion
from questions.versions.reads.breakdowns import LETTERS


@dataclass(frozen=True)
class CheckPage:
    """A check's current question. It loads only the prompt: no key, hint or solution."""

    position: int
    kind: str
    choose: int
    stem_html: str
    options: list[OptionView]
    most: int = MOST


def check_page(session: PracticeSession, chosen: Sequence[int] = ()) -> CheckPage | None:
    """The current question, with a ``chosen`` selection that was refused; None if no answer is awaited."""
    item = session.items.filter(checked_at=None).order_by("position").first()
    if item is None:
        return None
    version = QuestionVersion.objects.only("kind", "choose", "stem_html", "options_html").get(pk=item.version_id)
    options = [
        OptionView(place, LETTERS[place], version.options_html[str(slot)], place in chosen, struck=False)
        for place, slot in enumerate(order_slots(item.option_order))
    ]
    return CheckPage(item.position, version.kind, version.choose, version.stem_html, options)
