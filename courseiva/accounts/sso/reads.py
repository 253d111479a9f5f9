"""The sign-in provider: which of its claims are trusted, and which are stored. Imported only if one is configured."""

from __future__ import annotations

from typing import Any

from allauth.account.models import EmailAddress
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers.base import ProviderException
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse


class Provider(OpenIDConnectProvider):
    """allauth's provider, which stores only the person's ID there."""

    def extract_extra_data(self, data: dict[str, Any]) -> dict[str, Any]:
        """Nothing: names, pictures and groups are none of our business."""
        return {}

    def extract_uid(self, data: dict[str, Any]) -> str:
        """Their ID. Claims about anybody other than the token's subject are refused, as the standard requires."""
        told = {str(part["sub"]) for part in (data.get("userinfo"), data.get("id_token")) if part}
        if len(told) != 1:
            raise ProviderException("sub")
        return str(super().extract_uid(data))

    def extract_email_addresses(self, data: dict[str, Any]) -> list[EmailAddress]:
        """Their address, verified only if the provider says true: some send the string "false", which is truthy."""
        addresses: list[EmailAddress] = super().extract_email_addresses(data)
        for address in addresses:
            address.verified = address.verified is True or str(address.verified).lower() == "true"
        return addresses


class SsoAdapter(DefaultSocialAccountAdapter):
    """allauth's adapter, for the one provider in the settings: no database row can add another."""

    def list_apps(
        self, request: HttpRequest, provider: str | None = None, client_id: str | None = None
    ) -> list[SocialApp]:
        """The configured provider, if it is the one asked for."""
        if not settings.OIDC or provider not in {None, "openid_connect", settings.OIDC["provider_id"]}:
            return []
        return [SocialApp(provider="openid_connect", **settings.OIDC)]

    def get_connect_redirect_url(self, request: HttpRequest, socialaccount: Any) -> str:
        """There is no page for connections: signing in through the provider connects the account."""
        return reverse("account_home")
