"""What people say: comments with what became of them, votes, reports, and the moderators' records."""

from discussion.comments.models.comments import (
    EDIT_TIME,
    MAX_TEXT,
    READABLE,
    UNSENT_CORRECTION,
    Comment,
    Hit,
    Kind,
    ReplyMail,
    Shingle,
    State,
    Subscription,
    ThreadState,
    Vote,
)
from discussion.comments.models.moderation import Act, Claim, CommentReport, Harm, LogEntry, Notice, Reason, Suspension

__all__ = [
    "EDIT_TIME",
    "MAX_TEXT",
    "READABLE",
    "UNSENT_CORRECTION",
    "Act",
    "Claim",
    "Comment",
    "CommentReport",
    "Harm",
    "Hit",
    "Kind",
    "LogEntry",
    "Notice",
    "Reason",
    "ReplyMail",
    "Shingle",
    "State",
    "Subscription",
    "Suspension",
    "ThreadState",
    "Vote",
]
