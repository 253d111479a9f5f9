"""Forms for a comment, a reply, an edit. They ask what bare option letters mean."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django import forms

from courseiva.common.texts.plain_text import PlainText
from discussion.comments.models.comments import Comment, Kind
from discussion.comments.rules import markup
from discussion.comments.rules.references import bare_letters, name_options
from discussion.threads.post import Draft, edit, post
from discussion.threads.reads import Thread

NO_OPTION = "none"
LETTERS = "ABCDEFGH"
TOO_LONG = (
    "You typed %(typed)s characters, and each option letter becomes a longer reference. That is %(over)s over the "
    "limit of %(most)s: shorten the text, or mention the options less often."
)
KINDS = [
    (Kind.TIP, "A tip"),
    (Kind.QUESTION, "A question"),
    (Kind.CORRECTION, "A correction: something in the question or its answer is wrong"),
]


class TextForm(forms.Form):
    """A text about a question. For a bare "B is right", it asks which option is meant."""

    text = PlainText(
        label="Your comment",
        max_length=markup.MAX_TEXT,
        strip=True,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=(
            "Markdown: **bold**, `code`, ```python for a block of code, lists, > quote. @Name notifies someone in "
            f"this discussion. Up to {markup.MAX_TEXT:,} characters."
        ),
        error_messages={"required": "Write something first."},
    )

    def __init__(self, thread: Thread, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.auto_id = f"id_{thread.question.pk}_%s"  # a page can have several threads
        self.thread = thread
        self.asked: list[str] = []
        text = PlainText().to_python(self.data.get("text")) if self.is_bound else ""
        self.why_not = markup.refusal(text)
        if not self.why_not:
            for letter in bare_letters(text):
                self._ask(letter)

    def _ask(self, letter: str) -> None:
        """A choice of what the letter means, if the question has that many options."""
        options = [(str(chip.slot), chip.words) for chip in self.thread.chips]
        if letter not in LETTERS[: len(options)]:
            return
        self.asked.append(letter)
        self.fields[f"means_{letter}"] = forms.ChoiceField(
            label=f"Which option do you mean by “{letter}”?",
            choices=[*options, (NO_OPTION, "None, I don’t mean an option")],
            widget=forms.RadioSelect,
            required=False,
        )

    @property
    def questions(self) -> list[forms.BoundField]:
        """The letters whose meaning is still open."""
        return [self[f"means_{letter}"] for letter in self.asked]

    def clean(self) -> dict[str, Any]:
        """The text with letters replaced by what they mean."""
        data = super().clean() or {}
        text = data.get("text")
        if text is None:
            return data
        if self.why_not:
            self.add_error("text", forms.ValidationError(self.why_not.words, self.why_not.code))
            return data
        meant = {letter: data.get(f"means_{letter}") for letter in self.asked}
        if not all(meant.values()):
            letters = "Readers see the options in different orders. Say below which option you mean."
            self.add_error(None, forms.ValidationError(letters, "letters"))
            return data
        data["text"] = name_options(text, {k: None if v == NO_OPTION else int(str(v)) for k, v in meant.items()})
        over = len(data["text"]) - markup.MAX_TEXT
        if over > 0:
            told = {"typed": len(text), "over": over, "most": markup.MAX_TEXT}
            self.add_error("text", forms.ValidationError(TOO_LONG, "too-long", told))
        return data


class CommentForm(TextForm):
    kind = forms.ChoiceField(
        label="Type",
        choices=KINDS,
        widget=forms.RadioSelect,
        error_messages={"required": "Choose a type."},
    )
    follow = forms.BooleanField(label="Email me when someone replies", required=False)

    def save(self, user_id: int, now: dt.datetime) -> Comment:
        """Post it; call after ``is_valid()``. Raises DiscussionError."""
        data = self.cleaned_data
        return post(self.thread.version, user_id, Draft(Kind(data["kind"]), data["text"], data["follow"]), now)


class ReplyForm(TextForm):
    follow = forms.BooleanField(label="Email me when someone replies", required=False)

    def save(self, parent: Comment, user_id: int, now: dt.datetime) -> Comment:
        """Post it; call after ``is_valid()``. Raises DiscussionError."""
        data = self.cleaned_data
        draft = Draft(Kind.REPLY, data["text"], data["follow"])
        return post(self.thread.version, user_id, draft, now, parent.pk)


class EditForm(TextForm):
    def save(self, comment: Comment, user_id: int, now: dt.datetime) -> Comment:
        """Store it; call after ``is_valid()``. Raises DiscussionError."""
        return edit(comment.pk, user_id, self.cleaned_data["text"], now)
