"""A takedown request, and its answer."""

from __future__ import annotations

import datetime as dt

from django import forms
from django.contrib.auth.models import AbstractBaseUser

from courseiva.common.texts.plain_text import PlainText
from discussion.comments.models.takedowns import MAX_ADDRESS, MAX_TEXT, Ground, Outcome, Takedown
from discussion.people.takedowns.request import Request, answer_takedown, ask
from questions.reports.reads.reporters import Reporter


class TakedownForm(forms.Form):
    """What, why, and whom to answer."""

    address = forms.CharField(
        label="Where is it?",
        max_length=MAX_ADDRESS,
        help_text="The page’s address. For a comment, copy the link on its date.",
        error_messages={"required": "Give the page’s address, so that we can find it."},
    )
    ground = forms.ChoiceField(
        label="Why should it be taken down?",
        choices=Ground.choices,
        widget=forms.RadioSelect,
        error_messages={"required": "Choose the closest reason."},
    )
    text = PlainText(
        label="What exactly, and on what grounds?",
        max_length=MAX_TEXT,
        widget=forms.Textarea(attrs={"rows": 7}),
        help_text="Quote the words you mean. If you hold the rights, name the work and say why they’re yours (author, "
        "publisher, agent).",
        error_messages={"required": "Say what should be taken down and why: the moderator has nothing else to go on."},
    )
    name = forms.CharField(label="Your name", max_length=100, required=False)
    email = forms.EmailField(
        label="Your email address",
        help_text="So that we can answer you. Only moderators see it.",
        error_messages={"required": "Give an email address, so that we can answer you."},
    )

    def save(self, asker: Reporter, now: dt.datetime) -> Takedown:
        """Ask; call after ``is_valid()``. Raises DiscussionError."""
        return ask(Request(**self.cleaned_data), asker, now)


class TakedownAnswerForm(forms.Form):
    outcome = forms.ChoiceField(
        label="What did you do?",
        choices=[(Outcome.REMOVED, "Removed it"), (Outcome.PARTLY, "Removed part of it"), (Outcome.KEPT, "Left it")],
        widget=forms.RadioSelect,
        error_messages={"required": "Choose one."},
    )
    answer = PlainText(
        label="Answer",
        max_length=MAX_TEXT,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text="Emailed to the person who asked, and shown on their receipt. It can’t be changed later.",
        error_messages={"required": "Say what you did and why."},
    )

    def save(self, takedown_id: int, by: AbstractBaseUser, now: dt.datetime) -> Takedown:
        """Answer; call after ``is_valid()``. Raises DiscussionError."""
        data = self.cleaned_data
        return answer_takedown(takedown_id, Outcome(data["outcome"]), data["answer"], by, now)
