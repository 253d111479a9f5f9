"""Who reports an error: a signed-in user, or a guest distinguished by network address."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass

from allauth.account.adapter import get_adapter
from django.http import HttpRequest

IPV6_HOME = 64  # all addresses of a household or company share these bits


@dataclass(frozen=True)
class Reporter:
    """A person, for counting and finding repeats; a guest's network is only stored hashed."""

    user_id: int | None = None
    network: str = ""

    @property
    def key(self) -> str:
        return f"user {self.user_id}" if self.user_id else f"guest {self.network}"


def reporter_of(request: HttpRequest) -> Reporter:
    if request.user.is_authenticated:
        return Reporter(user_id=request.user.pk)
    return Reporter(network=network_of(get_adapter().get_client_ip(request)))


def network_of(address: str) -> str:
    """An IPv4 address itself; for IPv6 the network, because one person has all its addresses."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    return str(ipaddress.ip_network((address, IPV6_HOME), strict=False)) if parsed.version == 6 else address
