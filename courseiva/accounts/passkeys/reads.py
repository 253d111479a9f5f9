"""The host passkeys are bound to, their names, and which part of one is stored."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.conf import settings
from fido2.cose import CoseKey
from fido2.utils import websafe_encode
from fido2.webauthn import RegistrationResponse

from courseiva.accounts.models import User

MOST_PASSKEYS = 20
"""More than anybody has devices. All are sent to the browser whenever it is asked for one."""
NAME_LENGTH = 60
"""Room for a device and a browser, on one line of the list."""
SECOND_STEPS = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)


class PasskeyAdapter(DefaultMFAAdapter):
    """allauth's adapter with the site's host, names and messages."""

    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "add_email_blocked": "Remove your passkeys and authenticator app before you add an email address.",
        "cannot_generate_recovery_codes": "Add a passkey or an authenticator app first: recovery codes come with them.",
        "incorrect_code": "That didn’t match. Try again.",
        "unverified_email": "Confirm your email address first.",
    }

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """Passkeys belong to SITE_URL's host, whatever other names the site has; without SITE_URL, to the request's
        host."""
        host = urlsplit(settings.SITE_URL).hostname or context.request.get_host().partition(":")[0]
        return {"id": host, "name": settings.SITE_NAME}

    def get_public_key_credential_user_entity(self, user: User) -> dict[str, Any]:
        """What the browser shows for the account: its address, and the name others see."""
        return {**super().get_public_key_credential_user_entity(user), "display_name": user.public_name}

    def generate_authenticator_name(self, user: User, type: Authenticator.Type) -> str:  # noqa: A002 - allauth's name
        """A name for a passkey that was added without one."""
        count = Authenticator.objects.filter(user_id=user.pk, type=type).count()
        return f"Passkey {count + 1}" if count else "Passkey"


def has_room(user: User) -> bool:
    """Whether the account may have another passkey."""
    return Authenticator.objects.filter(user=user, type=Authenticator.Type.WEBAUTHN).count() < MOST_PASSKEYS


def is_last_step(authenticator: Authenticator) -> bool:
    """Whether the password alone will be enough to sign in once this one is removed."""
    steps = Authenticator.objects.filter(user_id=authenticator.user_id, type__in=SECOND_STEPS)
    return not steps.exclude(pk=authenticator.pk).exists()


def is_usable(credential: dict[str, Any]) -> bool:
    """Whether signatures by this new credential will be verifiable."""
    made = RegistrationResponse.from_dict(credential).response.attestation_object.auth_data.credential_data
    return made is not None and made.public_key.ALGORITHM in CoseKey.supported_algorithms()


def essence(credential: dict[str, Any], alone: bool) -> dict[str, Any]:
    """The stored part of a new credential: only the fields that signing in needs.

    ``alone``: it was requested as a way to sign in on its own. Some authenticators do that unasked, and say so.
    """
    made = RegistrationResponse.from_dict(credential)
    return {
        "id": made.id,
        "rawId": made.id,
        "type": "public-key",
        "response": {
            "clientDataJSON": websafe_encode(made.response.client_data),
            "attestationObject": websafe_encode(made.response.attestation_object),
        },
        "clientExtensionResults": {"credProps": {"rk": alone or _says_alone(credential)}},
    }


def _says_alone(credential: dict[str, Any]) -> bool:
    try:
        return credential["clientExtensionResults"]["credProps"]["rk"] is True
    except (KeyError, TypeError):
        return False
