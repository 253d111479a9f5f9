"""The network a guest comes from, as a keyed hash: the address itself isn't stored anywhere."""

from __future__ import annotations

import ipaddress

from allauth.account.adapter import get_adapter
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

SALT = "practice.networks"
# People who rent or rotate addresses get them in blocks: a /24 is the smallest routed block, and a /56 is what a
# household gets (counted by /64, it would have 256 networks). A school or company is one network either way.
IPV4_PREFIX = 24
IPV6_PREFIX = 56
UNKNOWN = "unknown"


def network_of(request: HttpRequest) -> str:
    """The key of the requester's network. All requests without a readable address share one network."""
    try:
        address = get_adapter().get_client_ip(request)
    except (ImproperlyConfigured, PermissionDenied, ValueError):
        address = UNKNOWN
    return key_of_address(address)


def key_of_address(address: str) -> str:
    """The same for every address in a network, and useless without the site's SECRET_KEY."""
    return salted_hmac(SALT, prefix_of(address), algorithm="sha256").hexdigest()[:32]


def prefix_of(address: str) -> str:
    """The network an address belongs to; an IPv4 address mapped into IPv6 counts as IPv4."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return UNKNOWN
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is None:
            return str(ipaddress.ip_network((int(parsed), IPV6_PREFIX), strict=False))
        parsed = parsed.ipv4_mapped
    return str(ipaddress.ip_network((int(parsed), IPV4_PREFIX), strict=False))
