"""With DEBUG on, the page that says "check your email" shows the link itself, as there is usually no mail server."""

import re
from collections import deque
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.console import EmailBackend
from django.http import HttpRequest

LINK = re.compile(r"https?://\S+")
captured: deque[tuple[str, str]] = deque(maxlen=20)
"""(recipient, link), the newest last. In this process only: with DEBUG there is just one."""


class CapturingBackend(EmailBackend):
    """Prints messages to the console as Django does, and remembers the first link of each."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        for message in email_messages:
            found = LINK.search(str(message.body))
            if found:
                captured.extend((recipient, found.group()) for recipient in message.to)
        return super().send_messages(email_messages) or 0


def captured_link(request: HttpRequest) -> dict[str, Any]:
    """Template variable `captured_link`: the last link emailed; empty unless DEBUG is on."""
    return {"captured_link": captured[-1][1] if settings.DEBUG and captured else ""}
