"""Where guests come from, for two days: no address, only a keyed hash of its network."""

from __future__ import annotations

from django.db import models

from practice.models.sittings import PracticeSession


class GuestNetwork(models.Model):
    """A network that guests came from. Its row is the lock under which their mocks are counted."""

    key = models.CharField(max_length=32, primary_key=True, editable=False)
    seen_at = models.DateTimeField(editable=False)

    class Meta:
        verbose_name = "network of guests"
        verbose_name_plural = "networks of guests"

    def __str__(self) -> str:
        return f"network {self.key[:8]}"


class GuestAct(models.Model):
    """A guest's cookie handed out, or with ``session`` a mock started, ``reserved`` if of reserved questions."""

    network = models.ForeignKey(GuestNetwork, models.CASCADE, related_name="acts", db_index=False)
    at = models.DateTimeField()
    session = models.OneToOneField(PracticeSession, models.CASCADE, null=True, related_name="guest_act")
    reserved = models.BooleanField(default=False)

    class Meta:
        indexes = [models.Index(fields=["network", "at"], name="guest_act_by_network")]

    def __str__(self) -> str:
        return f"{self.network_id[:8]} at {self.at}"
