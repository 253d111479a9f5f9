from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from allauth.account.forms import SignupForm
from django import forms
from django.db.models import Q
from django.http import HttpRequest, HttpResponse

from courseiva.accounts.changes.rename import rename
from courseiva.accounts.models import User
from courseiva.accounts.rules import LONGEST, SHORTEST, BadName, refusal, tidy
from practice.learners.enrol import choose_time_zone
from practice.learners.models import Learner
from practice.learners.reads.identity import Owner
from practice.learners.reads.zones import zone_choices

BROWSERS = "browser"


class DeletionForm(forms.Form):
    """The address typed again, so that nobody deletes an account by accident, or the wrong one."""

    email = forms.CharField(label="Your account’s email address", max_length=254)

    def __init__(self, wanted: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.wanted = wanted

    def clean_email(self) -> str:
        """The account's own address, in any letter case."""
        typed: str = self.cleaned_data["email"]
        if typed.lower() != self.wanted:
            raise forms.ValidationError("This isn’t the address of the account you’re signed in with.", "other")
        return typed


class NameForm(forms.Form):
    """The name others see. Without one they see a number."""

    name = forms.CharField(
        label="Public name",
        max_length=100,
        required=False,
        error_messages={
            BadName.ADDRESS: "Don’t include addresses of any kind: everyone sees this name.",
            BadName.LENGTH: f"Use {SHORTEST} to {LONGEST} characters.",
            BadName.SIGNS: "Use only letters, digits, spaces and the characters ' . - _",
            BadName.NO_LETTER: "Use at least one letter.",
            BadName.ALPHABETS: "Use one alphabet only: letters from different ones can look alike.",
            BadName.OURS: "This name could be mistaken for someone who runs the site. Choose another.",
            "taken": "Someone who helps run the site uses this name. Choose another.",
        },
        help_text="Everyone can see it, so don’t use your email address. "
        "If you leave it empty, others see “Learner” and a number.",
    )

    def __init__(self, user: User, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, initial={"name": user.display_name})
        self.user = user

    def clean_name(self) -> str:
        """Tidied; refused if it could mislead or belongs to somebody who runs the site."""
        name = tidy(self.cleaned_data["name"])
        refused = str(refusal(name) or "")
        team = User.objects.filter(Q(is_staff=True) | Q(groups__isnull=False)).exclude(pk=self.user.pk)
        if not refused and name and team.filter(display_name__iexact=name).exists():
            refused = "taken"
        if refused:
            raise forms.ValidationError(self.fields["name"].error_messages[refused], code=refused)
        return name

    def save(self) -> None:
        rename(self.user, self.cleaned_data["name"])


class ZoneForm(forms.Form):
    """The time zone for days and times: one the user chooses, or the browser's."""

    chosen = forms.ChoiceField(label="Time zone")
    # The browser's own time zone, filled in by site.js.
    zone = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, learner: Learner | None, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, initial={"chosen": learner.chosen_zone if learner else ""})
        self.fields["chosen"].choices = [(BROWSERS, "Same as my browser"), *zone_choices()]  # type: ignore[attr-defined]

    def save(self, owner: Owner, now: dt.datetime) -> None:
        chosen = self.cleaned_data["chosen"]
        choose_time_zone(owner, "" if chosen == BROWSERS else chosen, self.cleaned_data["zone"], now)


class SignUpForm(SignupForm):
    """allauth's form, except that it takes as long for an address that has an account as for one that doesn't."""

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """Hash the password even if the address is taken: skipping the hash would be measurable."""
        if self.account_already_exists:
            User().set_password(self.cleaned_data["password1"])
        user, response = super().try_save(request)
        return user, response
