"""An email that a comment is reported as a leak or abuse: at once, and once per comment and day."""

from __future__ import annotations

import datetime as dt

from django.template.loader import render_to_string
from django.urls import reverse

from courseiva.common.page_cache import site_address
from discussion.comments.models.comments import REPORTED, Comment
from discussion.comments.models.moderation import LIVE_HARM, CommentReport
from discussion.moderation.digest import tell
from discussion.moderation.reads.moderators import moderators


def raise_alarm(comment_id: int, now: dt.datetime) -> int:
    """Notify all moderators; returns how many. Does nothing for comments that have since been decided."""
    comment = Comment.objects.filter(pk=comment_id, deleted_at=None).first()
    reports = CommentReport.objects.filter(comment=comment_id, closed_at=None, reason__in=LIVE_HARM)
    count = reports.count()
    if comment is None or not count:
        return 0
    address = site_address() + reverse("moderation-comment", args=[comment_id])
    words = {"count": count, "is_hidden": comment.state_reason == REPORTED, "address": address}
    text = render_to_string("discussion/email/alarm.txt", words)
    subject = render_to_string("discussion/email/alarm_subject.txt", words).strip()
    about = f"alarm.{comment_id}"
    return sum(tell(person, about, subject, text, now) for person in moderators(now))
