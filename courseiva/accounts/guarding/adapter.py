"""allauth's adapter: which wrong guesses lock what, and where signing in may redirect."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context
from allauth.core.internal import ratelimit
from django.db import transaction
from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme

from courseiva.accounts.models import User
from practice.learners.enrol import lock_user

APP = "allauth.account"


class AccountAdapter(DefaultAccountAdapter):
    """allauth's, except that guesses from one network don't lock the account for others (ACCOUNT_RATE_LIMITS)."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "email_password_mismatch": "That email address and password don’t match.",
        "duplicate_email": "Your account already has this email address.",
        "email_taken": "Another account already has this email address.",
        "enter_current_password": "That isn’t your current password.",
        "incorrect_password": "That isn’t your password.",
        "max_email_addresses": "You can have at most %d email addresses.",
        "same_as_current": "That’s the same as before.",
        "too_many_login_attempts": "Too many attempts. Wait a few minutes, then try again.",
        "rate_limited": "Too many attempts. Wait a few minutes, then try again.",
    }

    def get_client_ip(self, request: HttpRequest) -> str:
        """The visitor's address.

        IPv4 mapped into IPv6 becomes IPv4: such visitors would all share their first 64 bits.
        """
        address = super().get_client_ip(request)
        try:
            inner = getattr(ipaddress.ip_address(address), "ipv4_mapped", None)
        except ValueError:
            return address
        return str(inner or address)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count an attempt before the password is checked; if it is right, allauth takes it back.

        The narrowest limit comes first, so that what it refuses doesn't count towards the wider ones.
        """
        # Under allauth's own name, because allauth rolls this one back if the password is right.
        self._login_failed_rl_usage = spent = ratelimit.RateLimitUsage(usage=[])
        for action, key in self._limits(request, credentials):
            usage = ratelimit.consume(request, app=APP, action=action, key=key)
            if not usage:
                spent.rollback()
                raise self.validation_error("too_many_login_attempts")
            spent.usage.extend(usage.usage)

    def login(self, request: HttpRequest, user: User) -> None:
        """Sign in, unless the account is being deleted: deletion comes first or waits. Raises AccountGone."""
        with transaction.atomic():
            lock_user(user.pk)
            super().login(request, user)

    def add_message(
        self,
        request: HttpRequest,
        level: int,
        message_template: str | None = None,
        message_context: dict[str, Any] | None = None,
        extra_tags: str = "",
        message: str | None = None,
    ) -> None:
        """Show a message, tagged with its template's name; a form's refusal has no template and gets a fixed tag."""
        name = PurePosixPath(message_template).stem if message_template else "refused"
        super().add_message(request, level, message_template, message_context, extra_tags or name, message)

    def _limits(self, request: HttpRequest, credentials: dict[str, Any]) -> Iterator[tuple[str, str]]:
        account, network = str(credentials.get("email", "")).lower(), ratelimit.get_ip(request)
        yield "login_failed", f"{account} from {network}"
        yield "login_failed_network", network
        yield "login_failed_account", account

    def _delete_login_attempts_cached_email(self, request: HttpRequest, **credentials: Any) -> None:
        """After a reset the owner gets in, however often others guessed; the network's own count stays."""
        for action, key in self._limits(request, credentials):
            if action != "login_failed_network":
                ratelimit.clear(request, app=APP, action=action, key=key)

    def is_safe_url(self, url: str) -> bool:
        """Whether the URL is ours. From an HTTPS page, a plain HTTP one isn't: it could be changed on the way."""
        secure = context.request.is_secure()
        return super().is_safe_url(url) and url_has_allowed_host_and_scheme(url, urlsplit(url).netloc, secure)
