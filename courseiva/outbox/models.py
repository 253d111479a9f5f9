"""Email waiting to be delivered, one row per recipient, and the addresses that were refused."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class MailState(models.TextChoices):
    """Whether an email is waiting, sent, refused, or given up after too long."""

    WAITING = "waiting", "waiting"
    SENT = "sent", "sent"
    REFUSED = "refused", "refused"
    GIVEN_UP = "given-up", "failed"


class OutgoingMail(models.Model):
    """An email to one recipient. The text is kept only while it waits: it contains links that sign people in."""

    # Fixed when the mail is written: if it goes out twice after a crash, mail programs show it once.
    message_id = models.CharField("Message-ID", max_length=255)
    sender = models.CharField(max_length=320)
    recipient = models.CharField(max_length=320)
    subject = models.CharField(max_length=255)
    # The bytes for the server, so that what was written is what is sent, whichever release sends it.
    text = models.BinaryField()
    state = models.CharField(max_length=8, choices=MailState.choices, default=MailState.WAITING)
    tries = models.PositiveSmallIntegerField(default=0)
    error = models.CharField("last error", max_length=255, blank=True)
    written_at = models.DateTimeField("written")
    due_at = models.DateTimeField("next try")
    ended_at = models.DateTimeField("sent or failed", null=True, blank=True)

    class Meta:
        verbose_name = "email"
        verbose_name_plural = "emails"
        default_permissions = ("view",)
        # A constraint, because a link that resets a password mustn't stay in a table for a week, whatever code ends the
        # mail.
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=models.Q(state="waiting", ended_at=None) | ~models.Q(state="waiting") & models.Q(text=b""),
                name="mail_that_has_ended_has_no_text",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            # An index for the query that runs every five seconds and nearly always finds nothing.
            models.Index(fields=["due_at"], name="mail_that_waits", condition=models.Q(state="waiting")),
            models.Index(fields=["ended_at"], name="mail_that_ended", condition=~models.Q(state="waiting")),
        ]

    def __str__(self) -> str:
        return f"{self.subject} to {self.recipient}"


class RefusedAddress(models.Model):
    """An address that a mail server says can't be reached. A successful delivery removes the row."""

    # By address, not by account: a misspelt address belongs to nobody.
    address = models.CharField(primary_key=True, max_length=320)
    reason = models.CharField(max_length=255)
    refused_at = models.DateTimeField("refused")

    class Meta:
        verbose_name = "refused address"
        verbose_name_plural = "refused addresses"
        default_permissions = ("view", "delete")

    def __str__(self) -> str:
        return self.address
