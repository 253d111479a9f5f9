"""Which network a guest comes from, as a keyed hash: the address itself is kept nowhere."""

from __future__ import annotations

import ipaddress

from allauth.account.adapter import get_adapter
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

SALT = "practice.networks"
# One who rents or hops addresses gets them in blocks: a /24 is the smallest block that is routed, and a /56 is what a
# household is given (a /64 would leave it 256 networks). A school or firm is one network by either measure.
IPV4_PREFIX = 24
IPV6_PREFIX = 56
UNKNOWN = "unknown"


def network_of(request: HttpRequest) -> str:
    """The key of the asker's network. Whoever has no readable address shares one network with all of their kind."""
    try:
        address = get_adapter().get_client_ip(request)
    except (ImproperlyConfigured, PermissionDenied, ValueError):
        address = UNKNOWN
    return key_of_address(address)


def key_of_address(address: str) -> str:
    """The same for every address of a network, and of no use without the site's SECRET_KEY."""
    return salted_hmac(SALT, prefix_of(address), algorithm="sha256").hexdigest()[:32]


def prefix_of(address: str) -> str:
    """The network an address belongs to; an IPv4 address that is written as IPv6 is IPv4."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return UNKNOWN
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is None:
            return str(ipaddress.ip_network((int(parsed), IPV6_PREFIX), strict=False))
        parsed = parsed.ipv4_mapped
    return str(ipaddress.ip_network((int(parsed), IPV4_PREFIX), strict=False))
