"""How practice pages print times, shares and the cells of a marked sheet."""

from __future__ import annotations

import datetime as dt

from django import template
from django.urls import reverse
from django.utils.dateformat import format as format_date

from practice.readiness.check.reads.own import check_result
from practice.readiness.check.rules import MOST
from practice.readiness.reads.steps import Step
from practice.sessions.models import PracticeSession
from practice.sessions.reads.history import SheetCell

register = template.Library()
STEPS = {
    "rest": "That’s enough for today",
    "review": "Review what’s due",
    "measure": "Take a readiness check",
    "mock": "Take a mock exam",
}


@register.filter
def step_title(step: Step) -> str:
    """A recommended step as button text; a separate template would put a space before the colon."""
    if step.module:
        return f"Read module {step.module.number}"
    if step.advice.kind == "practise" and step.advice.domain:
        return f"Practise domain {step.advice.domain.number}"
    return STEPS[step.advice.kind]


@register.simple_tag
def item_addresses(session: PracticeSession) -> str:
    """The URL prefix of each marked question of a session; its position and a slash follow.

    A page with sixty of them twice would otherwise look up 120 URLs.
    """
    return reverse("breakdown", args=[session.uuid, 0]).removesuffix("0/")


@register.inclusion_tag("practice/_check_verdict.html")
def check_verdict(session: PracticeSession) -> dict[str, object]:
    """What a finished check found, and why it ended."""
    return {"result": check_result(session), "session": session, "exam": session.exam, "most": MOST}


@register.filter
def clock(milliseconds: int) -> str:
    """As in "1:24:07", or "24:07" below an hour."""
    seconds = max(0, int(milliseconds) // 1000)
    hours, rest = divmod(seconds, 3600)
    minutes, seconds = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


@register.filter(expects_localtime=True)
def stamp(moment: dt.datetime, form: str) -> str:
    """A time with its zone: 25 October 2026, 02:30 CEST. Django's T has no zone in the hour that comes twice."""
    return f"{format_date(moment, form)} {moment.tzname()}"


@register.filter(expects_localtime=True)
def iso(moment: dt.datetime) -> str:
    """For machines, with the offset, which Django's O omits in that hour too."""
    return moment.isoformat(timespec="seconds")


@register.filter
def duration(seconds: int | None) -> str:
    """As in "1 h 24 min", "3 min 20 s", "3 min" or "40 s"."""
    if seconds is None:
        return "not measured"
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    if minutes:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    return f"{rest} s"


@register.filter
def percent_of(right: int, total: int) -> str:
    """As in "43 of 60, 72%"."""
    return f"{right} of {total}, {round(100 * right / total)}%" if total else f"{right} of {total}"


@register.filter
def from_hundred(percent: float) -> float:
    """100 - percent: how far below the top edge a share is drawn."""
    return 100 - percent


@register.filter
def cell_classes(cell: SheetCell) -> str:
    """The class names of a cell on the marked answer sheet."""
    states = {
        "is-answered": cell.is_answered,
        "is-right": cell.mark is True,
        "is-wrong": cell.mark is False,
        "is-flagged": cell.is_flagged,
        "is-late": cell.is_late,
    }
    return " ".join(["cell", *(name for name, holds in states.items() if holds)])


@register.filter
def points(share: float) -> str:
    """A difference of shares in percentage points, with its sign: +4.9."""
    return f"{100 * share:+.1f}".replace("-", "−")  # noqa: RUF001 - a minus sign, to be read


@register.filter
def thousands(count: int) -> str:
    """As in "3,000"."""
    return f"{count:,}"
