"""A moderator's note about an author."""

from __future__ import annotations

import datetime as dt

from django import forms
from django.contrib.auth.models import AbstractBaseUser

from courseiva.common.texts.plain_text import PlainText
from discussion.comments.models.authors import MAX_NOTE, AuthorNote
from discussion.people.authors.note import note_author


class NoteForm(forms.Form):
    text = PlainText(
        label="Note for other moderators",
        max_length=MAX_NOTE,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="The author doesn’t see it. Write only what you’d be happy to defend.",
        error_messages={"required": "Write something."},
    )

    def save(self, user_id: int, by: AbstractBaseUser, now: dt.datetime) -> AuthorNote:
        """Keep it; call after ``is_valid()``. Raises DiscussionError."""
        return note_author(user_id, self.cleaned_data["text"], by, now)
