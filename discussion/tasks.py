"""This app's tasks, each from its own room; Celery finds them here."""

from discussion.keeping.tasks import purge_kept
from discussion.mail.tasks import send_corrections, send_notices, send_reply_mails
from discussion.moderation.tasks import raise_alarm, send_digest
from discussion.people.takedowns.tasks import tell_of_takedowns
from discussion.screening.tasks import screen_comment, screen_waiting

__all__ = [
    "purge_kept",
    "raise_alarm",
    "screen_comment",
    "screen_waiting",
    "send_corrections",
    "send_digest",
    "send_notices",
    "send_reply_mails",
    "tell_of_takedowns",
]
