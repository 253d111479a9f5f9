"""What moderators send: a decision, a text without what breaks a rule, a closed thread, a suspension, a search."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

from django import forms

from courseiva.common.plain_text import PlainText
from discussion.comments.models.moderation import MAX_WORDS, Act, Reason
from discussion.comments.rules import markup
from discussion.moderation.acts.decide_many import Choice
from discussion.moderation.reads.moderators import STATES

MOST = 50
MAX_DIGITS = 18
NEEDS_WORDS = "Explain the reason: the author sees only what you write."
TAKEN_OUT = "[removed by a moderator]"
LONGEST = dt.timedelta(days=3650)
MAX_SEARCH = 100
STAMP = re.compile(r"([0-9]{1,18})-[a-z]+-[0-9.]+")


class Stamps(forms.Field):
    """How the page showed each comment: the stamps of all of them."""

    widget = forms.MultipleHiddenInput

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, **options)

    def to_python(self, value: Any) -> dict[int, str]:
        """The stamps by comment. What is none is left out, and decides nothing."""
        found = [(STAMP.fullmatch(each), each) for each in value or []]
        return {int(match[1]): each for match, each in found if match}


class CommentIds(forms.Field):
    """The comments that are ticked, or acts that are undone: numbers."""

    widget = forms.SelectMultiple

    def to_python(self, value: Any) -> list[int]:
        """The numbers; anything else is refused."""
        given = value or []
        if len(given) > MOST or not all(v.isascii() and v.isdecimal() and len(v) <= MAX_DIGITS for v in given):
            raise forms.ValidationError("Choose 50 at most.", "most")
        return [int(v) for v in given]


class IdsForm(forms.Form):
    comment = CommentIds(error_messages={"required": "Tick at least one comment."})


class EntriesForm(forms.Form):
    """Some acts of the log, to be reversed."""

    entry = CommentIds()
    words = PlainText(max_length=MAX_WORDS, required=False)


class DecisionForm(IdsForm):
    """A decision: one button each for approving, for spam, and for every reason to reject."""

    act = forms.ChoiceField(choices=[(Act.APPROVE, ""), (Act.SPAM, ""), (Act.REJECT, "")], required=False)
    reject = forms.ChoiceField(choices=Reason.choices, required=False)
    words = PlainText(max_length=MAX_WORDS, required=False)
    seen = Stamps()

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("reject"):
            data["act"] = Act.REJECT
        if self.errors:
            return data
        if not data.get("act"):
            self.add_error(None, forms.ValidationError("Choose an action.", "act"))
        elif data["act"] == Act.REJECT and not data.get("reject"):
            self.add_error(None, forms.ValidationError("Choose a reason; the author sees it.", "reason"))
        elif data.get("reject") == Reason.OTHER and not data.get("words", "").strip():
            self.add_error(None, forms.ValidationError(NEEDS_WORDS, "words"))
        return data

    def choice(self) -> Choice:
        """What was decided; call after ``is_valid()``."""
        data = self.cleaned_data
        reason = data["reject"] if data["act"] == Act.REJECT else ""
        return Choice(Act(data["act"]), reason, data["words"].strip(), data["seen"])


class EditOutForm(forms.Form):
    """The text as it is to stand, and why."""

    text = PlainText(
        label="Text",
        max_length=markup.MAX_TEXT,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=f"Replace anything that breaks a rule with {TAKEN_OUT}. The rest stays public.",
    )
    reason = forms.ChoiceField(
        label="Why",
        choices=[("", "Choose"), *Reason.choices],
        error_messages={"required": "Choose a reason; the author sees it."},
    )
    words = PlainText(
        label="Note to the author", max_length=MAX_WORDS, required=False, widget=forms.Textarea(attrs={"rows": 2})
    )
    seen = Stamps()

    def clean(self) -> dict[str, Any]:
        """Another reason needs words."""
        data = super().clean() or {}
        if data.get("reason") == Reason.OTHER and not data.get("words", "").strip():
            self.add_error("words", forms.ValidationError(NEEDS_WORDS, "words"))
        return data

    def choice(self) -> Choice:
        """Why; call after ``is_valid()``."""
        data = self.cleaned_data
        return Choice(Act.EDIT_OUT, data["reason"], data["words"].strip(), data["seen"])


class LockForm(forms.Form):
    words = PlainText(
        label="Why",
        max_length=200,
        required=False,
        help_text="Shown to everybody in place of the comment form.",
        widget=forms.TextInput,
    )


class SuspendForm(forms.Form):
    """Until when an author may not write, and why."""

    until = forms.DateField(
        label="Until",
        widget=forms.DateInput(attrs={"type": "date"}),
        help_text="The first day they can post again (UTC).",
        error_messages={"invalid": "Enter a date, for example 2030-01-31.", "required": "Enter a date."},
    )
    words = PlainText(
        label="Why",
        max_length=MAX_WORDS,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="The author sees this.",
        error_messages={"required": "Give a reason; the author sees it."},
    )

    def clean_until(self) -> dt.datetime:
        day: dt.date = self.cleaned_data["until"]
        if day > dt.datetime.now(dt.UTC).date() + LONGEST:
            raise forms.ValidationError("Ten years is the maximum.", "most")
        return dt.datetime.combine(day, dt.time(), dt.UTC)


class SearchForm(forms.Form):
    q = forms.CharField(label="Text contains", max_length=MAX_SEARCH, required=False)
    author = forms.CharField(label="Author's name", max_length=MAX_SEARCH, required=False)
    state = forms.ChoiceField(label="State", choices=[("", "any"), *STATES.items()], required=False)
