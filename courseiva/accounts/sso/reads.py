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
    """allauth's own, which keeps of a person only their number there."""

    def extract_extra_data(self, data: dict[str, Any]) -> dict[str, Any]:
        """Nothing: names, pictures and groups are none of our business."""
        return {}

    def extract_uid(self, data: dict[str, Any]) -> str:
        """Their number. What is told of another person than the token's is refused, as the standard wants."""
        told = {str(part["sub"]) for part in (data.get("userinfo"), data.get("id_token")) if part}
        if len(told) != 1:
            raise ProviderException("sub")
        return str(super().extract_uid(data))

    def extract_email_addresses(self, data: dict[str, Any]) -> list[EmailAddress]:
        """Their address, verified only where the provider says true: some send the word "false", which is true too."""
        addresses: list[EmailAddress] = super().extract_email_addresses(data)
        for address in addresses:
            address.verified = address.verified is True or str(address.verified).lower() == "true"
        return addresses


class SsoAdapter(DefaultSocialAccountAdapter):
    """allauth's own, for the one provider of the settings: no row of the database can add another."""

    def list_apps(
        self, request: HttpRequest, provider: str | None = None, client_id: str | None = None
    ) -> list[SocialApp]:
        """The one, where that is asked for."""
        if not settings.OIDC or provider not in {None, "openid_connect", settings.OIDC["provider_id"]}:
            return []
        return [SocialApp(provider="openid_connect", **settings.OIDC)]

    def get_connect_redirect_url(self, request: HttpRequest, socialaccount: Any) -> str:
        """There is no page of connections: signing in through the provider connects the account."""
        return reverse("account_home")
