"""What a reader says is wrong with a comment."""

from __future__ import annotations

import datetime as dt

from django import forms

from courseiva.common.texts.plain_text import PlainText
from discussion.comments.models.comments import Comment
from discussion.comments.models.moderation import MAX_REPORT, CommentReport, Harm
from discussion.reactions.report import report_comment


class CommentReportForm(forms.Form):
    reason = forms.ChoiceField(
        label="What is wrong with it?",
        choices=Harm.choices,
        widget=forms.RadioSelect,
        error_messages={"required": "Choose the closest reason."},
    )
    text = PlainText(
        label="Details",
        max_length=MAX_REPORT,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="Only moderators see this.",
    )

    def save(self, comment: Comment, user_id: int, now: dt.datetime) -> CommentReport:
        """Report it; call after ``is_valid()``. Raises DiscussionError."""
        data = self.cleaned_data
        return report_comment(comment.pk, user_id, Harm(data["reason"]), data["text"], now)
