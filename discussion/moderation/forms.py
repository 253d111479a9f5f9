"""Moderators' forms: a decision, an edited text, a closed discussion, a suspension, a search."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

from django import forms

from courseiva.common.texts.plain_text import PlainText
from discussion.comments.models.moderation import MAX_WORDS, Act, Reason, SavedReply
from discussion.comments.rules import markup
from discussion.moderation.acts.decide_many import Choice
from discussion.moderation.reads.moderators import STATES

MOST = 50
"""Somewhat more than a page of the queue holds. Each is decided in a transaction that locks its comment."""
MAX_DIGITS = 18
"""Any number of so many digits fits a 64-bit key; one digit more, and the database would answer with an error instead
of "not found"."""
NEEDS_WORDS = "Explain the reason: the author sees only what you write."
TOO_LONG = "With the saved reply, this is over %(most)s characters. Shorten your note."
GONE = "That saved reply has been deleted. Choose another, or none."
TAKEN_OUT = "[removed by a moderator]"
LONGEST = dt.timedelta(days=3650)
"""Nobody means longer than ten years; a later date is a slip in the year."""
MAX_SEARCH = 100
"""It's matched against every comment, without an index."""
DAYS = {"day": "a day", "week": "7 days", "month": "30 days"}
AGES = {"hour": "an hour", "day": "a day", "three-days": "three days", "week": "a week"}
SORTS = {
    "urgent": "Urgent first",
    "oldest": "Oldest first",
    "newest": "Newest first",
    "reports": "Most reported first",
}
PACES = {"5": "5 minutes", "15": "15 minutes", "60": "hour", "1440": "day"}
STAMP = re.compile(r"([0-9]{1,18})-[a-z]+-[0-9.]+")


class Stamps(forms.Field):
    """The stamps of all comments on the page."""

    widget = forms.MultipleHiddenInput

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, **options)

    def to_python(self, value: Any) -> dict[int, str]:
        """The stamps by comment. Invalid ones are left out, so nothing is decided on those."""
        found = [(STAMP.fullmatch(each), each) for each in value or []]
        return {int(match[1]): each for match, each in found if match}


class CommentIds(forms.Field):
    """The selected comments, or actions to undo, as ids."""

    widget = forms.SelectMultiple

    def to_python(self, value: Any) -> list[int]:
        """The ids; anything else is refused."""
        given = value or []
        if len(given) > MOST or not all(v.isascii() and v.isdecimal() and len(v) <= MAX_DIGITS for v in given):
            raise forms.ValidationError(f"Tick at most {MOST}.", "most")
        return [int(v) for v in given]


class IdsForm(forms.Form):
    comment = CommentIds(error_messages={"required": "Tick at least one comment."})


class EntriesForm(forms.Form):
    """Log entries to reverse: selected ones, or all done together with one."""

    entry = CommentIds(required=False)
    together = forms.IntegerField(required=False, min_value=1)
    words = PlainText(max_length=MAX_WORDS, required=False)


class ChoiceForm(forms.Form):
    """A decision, with a button each for approving, spam, and every reason to reject."""

    act = forms.ChoiceField(choices=[(Act.APPROVE, ""), (Act.SPAM, ""), (Act.REJECT, "")], required=False)
    reject = forms.ChoiceField(choices=Reason.choices, required=False)
    words = PlainText(max_length=MAX_WORDS, required=False)
    saved = forms.ModelChoiceField(SavedReply.objects.all(), required=False, error_messages={"invalid_choice": GONE})

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        self._add_saved(data)
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

    def _add_saved(self, data: dict[str, Any]) -> None:
        """A saved reply's words come before what was typed."""
        if not data.get("saved"):
            return
        data["words"] = "\n\n".join(filter(None, [data["saved"].text, data.get("words", "").strip()]))
        if len(data["words"]) > MAX_WORDS:
            self.add_error("words", forms.ValidationError(TOO_LONG, "max_length", {"most": MAX_WORDS}))

    def choice(self) -> Choice:
        """The decision; call after ``is_valid()``."""
        data = self.cleaned_data
        reason = data["reject"] if data["act"] == Act.REJECT else ""
        return Choice(Act(data["act"]), reason, data["words"].strip(), data.get("seen", {}))


class DecisionForm(ChoiceForm, IdsForm):
    """A decision on the selected comments, as the page showed them."""

    seen = Stamps()


class AuthorDecisionForm(ChoiceForm):
    """A decision on everything by one author, up to the latest comment known to the page."""

    upto = forms.IntegerField(min_value=0)


class EditOutForm(forms.Form):
    """The edited text, and the reason."""

    text = PlainText(
        label="Text",
        max_length=markup.MAX_TEXT,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=f"Replace anything that breaks a rule with {TAKEN_OUT}. The rest is published.",
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
        """The reason "other" needs words."""
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
        help_text="Shown to everyone in place of the comment form.",
        widget=forms.TextInput,
    )


class SlowForm(forms.Form):
    minutes = forms.TypedChoiceField(
        label="One comment per person every",
        choices=[("0", "(no limit)"), *PACES.items()],
        coerce=int,
        help_text="Moderators are exempt.",
    )


class SavedReplyForm(forms.Form):
    """A reusable reply for moderators."""

    title = PlainText(
        label="Title", max_length=80, widget=forms.TextInput, error_messages={"required": "Give it a title."}
    )
    text = PlainText(
        label="Text",
        max_length=MAX_WORDS,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="The author reads it after the reason.",
        error_messages={"required": "Write something."},
    )


class SuspendForm(forms.Form):
    """Until when an author can't write, and why."""

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
    author = forms.CharField(label="Author’s name", max_length=MAX_SEARCH, required=False)
    state = forms.ChoiceField(label="State", choices=[("", "any"), *STATES.items()], required=False)
