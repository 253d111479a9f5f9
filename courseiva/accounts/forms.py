"""What an account's own pages ask."""

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
from courseiva.accounts.rules import refusal, tidy
from practice.learners.enrol import choose_time_zone
from practice.learners.models import Learner
from practice.learners.reads.identity import Owner
from practice.learners.reads.zones import zone_choices

BROWSERS = "browser"


class DeletionForm(forms.Form):
    """The address typed once more, so that nobody deletes an account by a slip or deletes the wrong one."""

    email = forms.CharField(label="The e-mail address of this account", max_length=254)

    def __init__(self, wanted: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.wanted = wanted

    def clean_email(self) -> str:
        """The account's own address, in any letter case."""
        typed: str = self.cleaned_data["email"]
        if typed.lower() != self.wanted:
            raise forms.ValidationError("This is not the address of the account you are signed in with.")
        return typed


class NameForm(forms.Form):
    """The name others see. Without one they see a number."""

    name = forms.CharField(
        label="The name others see",
        max_length=100,
        required=False,
        help_text="Never your e-mail address: everybody can read it. Left empty, others see a number.",
    )

    def __init__(self, user: User, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, initial={"name": user.display_name})
        self.user = user

    def clean_name(self) -> str:
        """Tidied; refused where it could mislead, or is that of somebody who runs the site."""
        name = tidy(self.cleaned_data["name"])
        why_not = refusal(name)
        team = User.objects.filter(Q(is_staff=True) | Q(groups__isnull=False)).exclude(pk=self.user.pk)
        if not why_not and name and team.filter(display_name__iexact=name).exists():
            why_not = "Somebody who helps to run the site has this name. Choose another."
        if why_not:
            raise forms.ValidationError(why_not)
        return name

    def save(self) -> None:
        """Keep the name."""
        rename(self.user, self.cleaned_data["name"])


class ZoneForm(forms.Form):
    """Whose days the site counts in: those of a zone one chooses, or of the browser."""

    chosen = forms.ChoiceField(label="Time zone")
    zone = forms.CharField(required=False, widget=forms.HiddenInput)  # the browser's own, filled in by site.js

    def __init__(self, learner: Learner | None, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, initial={"chosen": learner.chosen_zone if learner else ""})
        self.fields["chosen"].choices = [(BROWSERS, "Same as this browser"), *zone_choices()]  # type: ignore[attr-defined]

    def save(self, owner: Owner, now: dt.datetime) -> None:
        """Keep the choice."""
        chosen = self.cleaned_data["chosen"]
        choose_time_zone(owner, "" if chosen == BROWSERS else chosen, self.cleaned_data["zone"], now)


class SignUpForm(SignupForm):
    """allauth's own, which takes as long for an address that has an account as for one that has none."""

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """Hash the password of a known address too: nearly all the time a sign-up takes is spent on that."""
        if self.account_already_exists:
            User().set_password(self.cleaned_data["password1"])
        user, response = super().try_save(request)
        return user, response
