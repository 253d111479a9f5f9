"""When a mail is tried again, when it is given up, and what a mail server's refusal means."""

from __future__ import annotations

import datetime as dt
import re

WAITS = tuple(dt.timedelta(minutes=minutes) for minutes in (2, 5, 15, 60, 180, 360))
"""After each try; the last one repeats. The first is longer than a delivery can take (six answers of ten seconds), so
that nobody else begins with a mail while somebody is still at it."""
GIVEN_UP_AFTER = dt.timedelta(days=3)
"""As long as a link to reset a password holds; a mail that comes later is of no use."""
SERVER_REST = dt.timedelta(minutes=1)
"""So long nothing is tried after a server did not answer: each try holds up the other work of ``periodic``."""
REFUSED_FOR = dt.timedelta(days=1)
"""So long an address is left alone after a server refused it; then one mail asks again."""
KEPT_FOR = dt.timedelta(days=7)
"""How long staff can see that a mail was sent or given up."""
ENHANCED = re.compile(rb"\A5\.(\d{1,3})\.\d{1,3}\b")
OF_THE_ADDRESS = {b"1", b"2"}
"""RFC 3463: x.1.x is about the address, x.2.x about the mailbox; x.7.x is a policy that may be our own mistake."""
UNKNOWN_MAILBOX = {550, 551, 553}


def wait_after(tries: int) -> dt.timedelta:
    """How long to wait after this many tries."""
    return WAITS[min(tries, len(WAITS)) - 1]


def address_is_refused(code: int, reason: bytes) -> bool:
    """Whether the server's answer to a recipient says that nobody can be reached there.

    A relay that refuses us (5.7.1) says nothing about the address: such mail waits until the operator has put it right.
    """
    found = ENHANCED.match(reason.strip())
    if found:
        return code >= 500 and found[1] in OF_THE_ADDRESS
    return code in UNKNOWN_MAILBOX


def mail_is_refused(code: int) -> bool:
    """Whether the server's answer to the text says that it will never take it."""
    return code >= 500
