"""Screening: rules on the text alone run when it is posted; rules that need other rows run after the commit."""

from __future__ import annotations

import datetime as dt
import logging
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Q

from discussion.comments.models.comments import READABLE, REPORTED, Comment, Hit, Shingle, State
from discussion.comments.models.moderation import Claim, LogEntry
from discussion.comments.recount import lock, refresh
from discussion.comments.rules.likeness import shingle_values
from discussion.mail.settle import settle
from discussion.screening.models import ListEntry
from discussion.screening.rules import screen as screening
from discussion.screening.rules.classifier import load, shipped
from discussion.screening.rules.parts import Context, Listed, Model
from discussion.screening.rules.parts import Hit as Found
from discussion.trust.reads import is_staff, record_of
from discussion.trust.rules import Record, level_of
from questions.versions.models.drafts import Question

HOUR = dt.timedelta(hours=1)
# The maximum number of the author's own comments, and of other people's, that are compared.
RECENT = 20
ALIKE = 30
SHARED = 2
"""How many hashes two comments must share before they are compared."""
GIVEN_UP = 500
"""Comments per run, after an outage of the worker: oldest first, and the rest follows in the next run, five minutes
later."""
logger = logging.getLogger(__name__)


def first_look(text: str, question_id: int, author_id: int, now: dt.datetime) -> list[Found]:
    """Findings of the rules that need no other text; none for staff."""
    return [] if is_staff(author_id) else screening.screen(text, _context(question_id, author_id, now))


def editors_list(question_id: int | None = None) -> tuple[Listed, ...]:
    """The editors' entries for all exams and for a question's exam."""
    return ListEntry.objects.filter(Q(exam=None) | Q(exam__questions=question_id)).as_listed()


def site_model() -> Model:
    """The operator's own weights, else those in the repository."""
    return load(Path(settings.SCREENING_WEIGHTS)) if settings.SCREENING_WEIGHTS else shipped()


def keep_findings(comment: Comment, found: list[Found]) -> None:
    """Replace a locked comment's hits and hashes."""
    comment.hits.all().delete()
    Hit.objects.bulk_create(
        [
            Hit(comment=comment, rule=h.rule, start=h.start, end=h.end, text=comment.text[h.start : h.end])
            for h in found
        ],
        ignore_conflicts=True,
    )
    comment.shingles.all().delete()
    Shingle.objects.bulk_create([Shingle(comment=comment, value=value) for value in shingle_values(comment.text)])


def second_look(comment_id: int, now: dt.datetime) -> None:
    """Compare the comment with other texts, and hold it if that shows something. Once for each text.

    One held only by screening is released if nothing speaks against it any more.
    """
    with transaction.atomic():
        comment = lock([comment_id]).get(comment_id)
        # Under the lock: a task sent twice, or alongside the sweeper, runs once.
        if comment is None or comment.screened_at or comment.deleted_at:
            return
        written_at = comment.edited_at or comment.created_at
        found = _found_in(comment, written_at)
        known = set(comment.hits.values_list("rule", flat=True))
        fresh = [hit for hit in found if hit.rule not in known]
        keep_findings(comment, found)
        comment.screened_at = now
        # What a moderator approved stays visible, whatever screening finds.
        if fresh and comment.state == State.VISIBLE and comment.state_by_id is None:
            comment.state, comment.state_at = State.HELD, now
        elif not found and _is_held_by_screening(comment):
            comment.state, comment.state_at = State.VISIBLE, now
            Claim.objects.filter(comment=comment).delete()
        comment.save(update_fields=["screened_at", "state", "state_at"])
        refresh(comment)
        settle(comment, now)


def screen_waiting(now: dt.datetime) -> int:
    """Screen comments posted while no worker was running; returns how many. A failing one doesn't stop the others."""
    rows = Comment.objects.filter(screened_at=None, deleted_at=None, created_at__lt=now - dt.timedelta(minutes=1))
    waiting = list(rows.order_by("created_at").values_list("pk", flat=True)[:GIVEN_UP])
    return sum(_looked_at(comment_id, now) for comment_id in waiting)


def _looked_at(comment_id: int, now: dt.datetime) -> bool:
    try:
        second_look(comment_id, now)
    except Exception:
        logger.exception("screening of comment %s failed; it stays as it is", comment_id)
        return False
    return True


def _is_held_by_screening(comment: Comment) -> bool:
    """Whether only screening holds it: no moderator and no readers' reports are involved."""
    by_nobody = comment.state == State.HELD and comment.state_by_id is None and comment.state_reason != REPORTED
    return by_nobody and not LogEntry.objects.filter(comment=comment).exists()


def _found_in(comment: Comment, written_at: dt.datetime) -> list[Found]:
    if comment.author_id and is_staff(comment.author_id):
        return []
    return screening.screen(comment.text, _context(comment.question_id, comment.author_id, written_at, comment))


def _context(question_id: int, author_id: int | None, now: dt.datetime, comment: Comment | None = None) -> Context:
    """The rules' context: about the author always, about other texts only for a stored comment."""
    mine = Comment.objects.filter(author=author_id) if author_id else Comment.objects.none()
    mine = mine.exclude(pk=comment.pk) if comment else mine
    lately = Q(created_at__gt=now - HOUR, created_at__lte=now)
    counts = mine.aggregate(shown=Count("pk", filter=READABLE), lately=Count("pk", filter=lately))
    return Context(
        level=level_of(record_of(author_id, now, comment.pk if comment else None) if author_id else Record()),
        posts_shown=counts["shown"] or 0,
        first_posts=settings.HOLD_FIRST_POSTS,
        posts_last_hour=counts["lately"] or 0,
        recent=_recent(comment) if comment else (),
        stems=_stems(comment) if comment else (),
        listed=editors_list(question_id),
        model=site_model(),
    )


def _recent(comment: Comment) -> tuple[str, ...]:
    """The author's latest texts, and anybody's that share word runs with this one."""
    others = Comment.objects.exclude(pk=comment.pk).filter(deleted_at=None)
    mine = others.filter(author=comment.author_id) if comment.author_id else others.none()
    values = shingle_values(comment.text)
    shared = Shingle.objects.filter(value__in=values).exclude(comment=comment.pk).values("comment")
    alike = shared.annotate(n=Count("pk")).filter(n__gte=min(SHARED, len(values) or 1)).order_by("-n", "-comment")
    ids = [row["comment"] for row in alike[:ALIKE]]
    texts = [*mine.order_by("-pk").values_list("text", flat=True)[:RECENT]]
    texts += others.filter(Q(pk__in=ids)).values_list("text", flat=True)
    same = others.filter(fingerprint=comment.fingerprint).values_list("text", flat=True)[:1]
    return tuple(dict.fromkeys([*texts, *same]))


def _stems(comment: Comment) -> tuple[str, ...]:
    """The scenarios of the exam's other questions, as published."""
    rows = Question.objects.filter(exam__questions=comment.question_id, live_version__isnull=False)
    return tuple(rows.exclude(pk=comment.question_id).values_list("live_version__stem", flat=True))
