"""When an email is retried, when it is given up, and what a mail server's refusal means."""

from __future__ import annotations

import datetime as dt
import re

WAITS = tuple(dt.timedelta(minutes=minutes) for minutes in (2, 5, 15, 60, 180, 360))
"""After each try; the last one repeats.

The first is longer than a delivery can take (six responses of ten seconds), so that nobody else starts on an email that
is still being sent.
"""
GIVEN_UP_AFTER = dt.timedelta(days=3)
"""As long as a password reset link is valid; an email that arrives later is useless."""
SERVER_REST = dt.timedelta(minutes=1)
"""How long nothing is tried after a server didn't answer: each try holds up ``periodic``'s other work."""
REFUSED_FOR = dt.timedelta(days=1)
"""How long an address is left alone after a refusal; then one email tries again."""
KEPT_FOR = dt.timedelta(days=7)
"""How long staff can see that an email was sent or given up."""
ENHANCED = re.compile(rb"\A5\.(\d{1,3})\.\d{1,3}\b")
OF_THE_ADDRESS = {b"1", b"2"}
"""RFC 3463: x.1.x is about the address, x.2.x about the mailbox; x.7.x is a policy that may be our own mistake."""
UNKNOWN_MAILBOX = {550, 551, 553}


def wait_after(tries: int) -> dt.timedelta:
    """How long to wait after this many tries."""
    return WAITS[min(tries, len(WAITS)) - 1]


def address_is_refused(code: int, reason: bytes) -> bool:
    """Whether the server's response to a recipient says that nobody can be reached there.

    A relay that refuses us (5.7.1) says nothing about the address: such email waits until the operator has fixed the
    cause.
    """
    found = ENHANCED.match(reason.strip())
    if found:
        return code >= 500 and found[1] in OF_THE_ADDRESS
    return code in UNKNOWN_MAILBOX


def mail_is_refused(code: int) -> bool:
    """Whether the server's response to the text says that it will never accept it."""
    return code >= 500
