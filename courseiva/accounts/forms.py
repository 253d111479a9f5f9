"""What an account's own pages ask, and what comes back from a passkey."""

from __future__ import annotations

import datetime as dt
import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from allauth.account.forms import SignupForm
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    EditWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
)
from cryptography.exceptions import UnsupportedAlgorithm
from django import forms
from django.db.models import Q
from django.http import HttpRequest, HttpResponse

from courseiva.accounts.models import User
from courseiva.accounts.naming import refusal, tidy
from courseiva.accounts.passkeys import MOST_PASSKEYS, NAME_LENGTH, essence, has_room, is_usable
from courseiva.accounts.renaming import rename
from practice.identity import Owner
from practice.learners import choose_time_zone
from practice.models import Learner
from practice.zones import zone_choices

BROWSERS = "browser"
LONGEST_CREDENTIAL = 20_000
NOTHING = "Nothing came from the passkey. Try again."
# What the library raises over bytes that no browser makes; it leaves that to whoever calls it.
MALFORMED = (
    ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError, UnsupportedAlgorithm,
    ValueError, struct.error,
)  # fmt: skip


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


@contextmanager
def malformed_is_wrong() -> Iterator[None]:
    """What cannot be read is refused like what does not fit."""
    try:
        yield
    except MALFORMED as error:
        raise get_adapter().validation_error("incorrect_code") from error


class CredentialField(forms.JSONField):
    """The field static/js/passkey.js fills in."""

    def __init__(self) -> None:
        words = {"required": NOTHING, "invalid": NOTHING}
        super().__init__(widget=forms.HiddenInput, error_messages=words)

    def to_python(self, value: Any) -> Any:
        """As JSON; what is too long, too deep or no JSON is refused."""
        if value and len(value) > LONGEST_CREDENTIAL:
            raise forms.ValidationError(NOTHING)
        try:
            return super().to_python(value)
        except (RecursionError, ValueError) as error:
            raise forms.ValidationError(NOTHING) from error


class AddPasskeyForm(AddWebAuthnForm):
    """A new passkey: its name, and whether it opens the account alone, as it does unless one says no."""

    name = forms.CharField(required=False, max_length=NAME_LENGTH)
    credential = CredentialField()
    passwordless = forms.BooleanField(required=False, initial=True)

    def clean(self) -> dict[str, Any]:
        """Checked by allauth; of what came, only what is needed is kept."""
        if not has_room(self.user):
            raise forms.ValidationError(f"You have {MOST_PASSKEYS} passkeys. Remove one before you add another.")
        with malformed_is_wrong():
            cleaned: dict[str, Any] = super().clean()
            credential = cleaned.get("credential")
            if credential:
                if not is_usable(credential):
                    raise get_adapter().validation_error("incorrect_code")
                cleaned["credential"] = essence(credential, bool(cleaned.get("passwordless")))
        return cleaned


class RenamePasskeyForm(EditWebAuthnForm):
    """A passkey's name."""

    name = forms.CharField(max_length=NAME_LENGTH)


class PasskeyStepForm(AuthenticateWebAuthnForm):
    """A passkey after the password."""

    credential = CredentialField()

    def clean_credential(self) -> Authenticator:
        """Whose passkey it is."""
        with malformed_is_wrong():
            return super().clean_credential()


class PasskeySignInForm(PasskeyStepForm, LoginWebAuthnForm):
    """A passkey alone."""


class PasskeyAgainForm(PasskeyStepForm, ReauthenticateWebAuthnForm):
    """A passkey before what matters."""


class SignUpForm(SignupForm):
    """allauth's own, which takes as long for an address that has an account as for one that has none."""

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """Hash the password of a known address too: nearly all the time a sign-up takes is spent on that."""
        if self.account_already_exists:
            User().set_password(self.cleaned_data["password1"])
        user, response = super().try_save(request)
        return user, response
