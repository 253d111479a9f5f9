"""A passkey in software: it answers the site as a browser with an authenticator would, with real signatures."""

from __future__ import annotations

import json
import os
from hashlib import sha256
from typing import Any

from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.models import Authenticator
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from fido2.cose import ES256, CoseKey
from fido2.utils import websafe_encode
from fido2.webauthn import (
    Aaguid,
    AttestationObject,
    AttestedCredentialData,
    AuthenticatorData,
    CollectedClientData,
)

from courseiva.accounts.models import User
from courseiva.accounts.passkeys.reads import essence

HOST, ORIGIN = "testserver", "https://testserver"
SEEN, KNOWN, NEW = (AuthenticatorData.FLAG[name] for name in ("UP", "UV", "AT"))


class SoftPasskey:
    """One credential. Its host, its origin and whether it verifies its user can be set to wrong values."""

    def __init__(self, origin: str = ORIGIN, host: str = HOST) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.id = os.urandom(32)
        self.origin, self.host = origin, host
        self.knows_its_owner = True
        self.signed = 0
        self.user_handle = ""

    @property
    def public(self) -> CoseKey:
        """Return the public half, which the site keeps."""
        return ES256.from_cryptography_key(self.key.public_key())

    def create(self, options: dict[str, Any]) -> dict[str, Any]:
        """Return the result of ``navigator.credentials.create``, as static/js/passkey.js sends it."""
        asked = options["publicKey"]
        self.user_handle = asked["user"]["id"]
        data = self._data(NEW, AttestedCredentialData.create(Aaguid.NONE, self.id, self.public))
        made = AttestationObject.create("none", data, {})
        client = CollectedClientData.create("webauthn.create", asked["challenge"], self.origin)
        response = {"clientDataJSON": websafe_encode(client), "attestationObject": websafe_encode(made)}
        return {**self._facts(), "response": response, "clientExtensionResults": {}}

    def get(self, options: dict[str, Any]) -> dict[str, Any]:
        """Return the result of ``navigator.credentials.get``."""
        data = self._data()
        client = CollectedClientData.create("webauthn.get", options["publicKey"]["challenge"], self.origin)
        signature = self.key.sign(data + sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        response = {
            "clientDataJSON": websafe_encode(client),
            "authenticatorData": websafe_encode(data),
            "signature": websafe_encode(signature),
            "userHandle": self.user_handle,
        }
        return {**self._facts(), "response": response}

    def put_into(self, user: User, name: str = "Passkey") -> Authenticator:
        """Add the passkey to a user without going through the pages."""
        handle = websafe_encode(user_pk_to_url_str(user).encode())
        made = self.create({"publicKey": {"challenge": websafe_encode(os.urandom(32)), "user": {"id": handle}}})
        data = {"name": name, "credential": essence(made, True)}
        return Authenticator.objects.create(user=user, type=Authenticator.Type.WEBAUTHN, data=data)

    def _facts(self) -> dict[str, str]:
        return {"id": websafe_encode(self.id), "rawId": websafe_encode(self.id), "type": "public-key"}

    def _data(self, more: int = 0, credential: bytes = b"") -> AuthenticatorData:
        self.signed += 1
        flags = SEEN | more | (KNOWN if self.knows_its_owner else 0)
        return AuthenticatorData.create(sha256(self.host.encode()).digest(), flags, self.signed, credential)


def posted(credential: Any) -> dict[str, str]:
    """Return the form field that carries this credential."""
    return {"credential": json.dumps(credential)}
