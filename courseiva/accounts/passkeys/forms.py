from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

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

from courseiva.accounts.passkeys.reads import MOST_PASSKEYS, NAME_LENGTH, essence, has_room, is_usable

LONGEST_CREDENTIAL = 20_000
"""Attestations take a few thousand characters. It's parsed before anybody is known, so it must be bounded."""
NOTHING = "We didn’t get a response from the passkey. Try again."
# The exceptions that the library raises for bytes that no browser would send; the caller has to catch them.
MALFORMED = (
    ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError, UnsupportedAlgorithm,
    ValueError, struct.error,
)  # fmt: skip


@contextmanager
def malformed_is_wrong() -> Iterator[None]:
    """Refuse what can't be read just like a wrong credential."""
    try:
        yield
    except MALFORMED as error:
        raise get_adapter().validation_error("incorrect_code") from error


class CredentialField(forms.JSONField):
    def __init__(self) -> None:
        words = {"required": NOTHING, "invalid": NOTHING}
        super().__init__(widget=forms.HiddenInput, error_messages=words)

    def to_python(self, value: Any) -> Any:
        """The value parsed from JSON. Raises ValidationError if it is too long, too deep or not JSON."""
        if value and len(value) > LONGEST_CREDENTIAL:
            raise forms.ValidationError(NOTHING, "invalid")
        try:
            return super().to_python(value)
        except (RecursionError, ValueError) as error:
            raise forms.ValidationError(NOTHING, "invalid") from error


class AddPasskeyForm(AddWebAuthnForm):
    """A new passkey: its name, and whether it signs in on its own, which is the default."""

    name = forms.CharField(required=False, max_length=NAME_LENGTH)
    credential = CredentialField()
    passwordless = forms.BooleanField(required=False, initial=True)

    def clean(self) -> dict[str, Any]:
        """Let allauth check the credential, and keep only the fields that are needed."""
        if not has_room(self.user):
            raise forms.ValidationError(
                f"You already have {MOST_PASSKEYS} passkeys. Remove one before adding another.", "too_many"
            )
        with malformed_is_wrong():
            cleaned: dict[str, Any] = super().clean()
            credential = cleaned.get("credential")
            if credential:
                if not is_usable(credential):
                    raise get_adapter().validation_error("incorrect_code")
                cleaned["credential"] = essence(credential, bool(cleaned.get("passwordless")))
        return cleaned


class RenamePasskeyForm(EditWebAuthnForm):
    name = forms.CharField(max_length=NAME_LENGTH)


class PasskeyStepForm(AuthenticateWebAuthnForm):
    credential = CredentialField()

    def clean_credential(self) -> Authenticator:
        with malformed_is_wrong():
            return super().clean_credential()


class PasskeySignInForm(PasskeyStepForm, LoginWebAuthnForm):
    """Signing in with a passkey alone."""


class PasskeyAgainForm(PasskeyStepForm, ReauthenticateWebAuthnForm):
    """A passkey for re-authentication."""
