"""The last check of each cited URL. Derived: it can be deleted and rebuilt."""

from __future__ import annotations

from django.db import models


class SourceCheck(models.Model):
    """A cited URL, whichever questions cite it, and its last response. ``failures`` are consecutive ones."""

    # By address, not by question: a page that twenty questions cite is fetched once.
    url = models.URLField(max_length=500, unique=True)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    trouble = models.CharField(max_length=20, blank=True, help_text="What kept it from a status.")
    moved_to = models.URLField(max_length=500, blank=True)
    failures = models.PositiveSmallIntegerField(default=0)
    failed_since = models.DateTimeField(null=True, blank=True)
    checked_at = models.DateTimeField()
    due_at = models.DateTimeField()

    class Meta:
        ordering = ["failed_since", "url"]
        default_permissions = ()
        indexes = [
            # Only the few that failed: the desk looks for them on each visit.
            models.Index(fields=["failures"], condition=models.Q(failures__gt=0), name="source_check_failed"),
        ]

    def __str__(self) -> str:
        return self.url
