"""Appeals as seen by their authors and moderators."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db.models import Count, Q

from discussion.comments.models.authors import APPEAL_TIME, APPEALABLE, Appeal, Notice
from discussion.mail.reads import notices_of
from discussion.moderation.reads.desk import waiting_appeals
from discussion.moderation.reads.log import LogLine, log_lines
from discussion.moderation.reads.moderators import PER_PAGE


@dataclass(frozen=True)
class AppealCard:
    """An appeal with its decision as in the log. ``is_others``: this moderator may not answer."""

    appeal: Appeal
    decision: LogLine
    name: str
    is_others: bool

    @property
    def text(self) -> str:
        """The comment's current text; "" if the decision was about a person."""
        comment = self.decision.entry.comment
        return comment.text if comment else ""


@dataclass(frozen=True)
class AppealsPage:
    """Waiting appeals, oldest first, and the latest answers. ``granted`` of ``answered`` decisions were reversed."""

    waiting: list[AppealCard]
    answers: list[AppealCard]
    answered: int
    granted: int


def appeal_of(notice: Notice) -> Appeal | None:
    """The appeal against a notice's decision."""
    return getattr(notice.entry, "appeal", None)


def may_appeal(notice: Notice, now: dt.datetime) -> bool:
    """Whether the reader can still appeal. Not if the text is gone: there is nothing left to look at."""
    entry = notice.entry
    if entry is None or entry.act not in APPEALABLE or appeal_of(notice) or getattr(entry, "reversal", None):
        return False
    is_gone = entry.comment is not None and entry.comment.deleted_at is not None
    return not is_gone and now < entry.at + APPEAL_TIME


def own_notice(notice_id: int, user_id: int, now: dt.datetime) -> Notice | None:
    """A person's own notice about an act that can be appealed against, in time or not."""
    return notices_of(user_id, now).filter(pk=notice_id, entry__act__in=APPEALABLE).first()


def appeals_page(moderator_id: int) -> AppealsPage:
    """The appeals as this moderator sees them, in a constant number of queries."""
    waiting = list(waiting_appeals().select_related("user").order_by("made_at", "pk")[:PER_PAGE])
    done = Appeal.objects.filter(answered_at__isnull=False)
    answers = list(done.select_related("user", "answered_by").order_by("-answered_at", "-pk")[:PER_PAGE])
    counts = done.aggregate(answered=Count("pk"), granted=Count("pk", filter=Q(is_granted=True)))
    return AppealsPage(
        waiting=_cards(waiting, moderator_id),
        answers=_cards(answers, moderator_id),
        answered=counts["answered"],
        granted=counts["granted"],
    )


def _cards(appeals: list[Appeal], moderator_id: int) -> list[AppealCard]:
    lines = {line.entry.pk: line for line in log_lines(Q(appeal__in=appeals))}
    return [
        AppealCard(
            appeal=each,
            decision=lines[each.entry_id],
            name=each.user.get_short_name() if each.user else "",
            is_others=moderator_id in {lines[each.entry_id].entry.by_id, each.user_id},
        )
        for each in appeals
    ]
