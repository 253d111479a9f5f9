"""An author's appeal, and the second moderator's answer."""

from __future__ import annotations

import datetime as dt

from django import forms
from django.contrib.auth.models import AbstractBaseUser

from courseiva.common.texts.plain_text import PlainText
from discussion.comments.models.authors import MAX_APPEAL, Appeal
from discussion.comments.models.moderation import MAX_WORDS
from discussion.people.appeals.appeal import answer_appeal, make_appeal


class AppealForm(forms.Form):
    text = PlainText(
        label="Why should a moderator look again?",
        max_length=MAX_APPEAL,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text="You can appeal once against each decision. A different moderator will read it.",
        error_messages={"required": "Say why."},
    )

    def save(self, notice_id: int, user_id: int, now: dt.datetime) -> Appeal:
        """Appeal; call after ``is_valid()``. Raises DiscussionError."""
        return make_appeal(notice_id, user_id, self.cleaned_data["text"], now)


class AnswerForm(forms.Form):
    """Whether to reverse the decision, with a button each."""

    granted = forms.ChoiceField(choices=[("1", ""), ("0", "")])
    words = PlainText(
        label="Note to the author",
        max_length=MAX_WORDS,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Required if the decision stays.",
    )

    def save(self, appeal_id: int, by: AbstractBaseUser, now: dt.datetime) -> Appeal:
        """Answer; call after ``is_valid()``. Raises DiscussionError."""
        data = self.cleaned_data
        return answer_appeal(appeal_id, data["granted"] == "1", by, now, data["words"])
