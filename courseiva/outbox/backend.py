"""A Django email backend that writes rows. Django and allauth needn't know."""

from __future__ import annotations

from collections.abc import Sequence

from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.utils import timezone

from courseiva.outbox.write import write


class OutboxBackend(BaseEmailBackend):
    """Writes each email in the sender's transaction, so that both are stored or neither is."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Returns how many emails were written."""
        now = timezone.now()
        return sum(bool(write(message, now)) for message in email_messages if message.recipients())
