"""Reads of this app, as page dataclasses."""

from practice.selectors.threads import may_read_thread

__all__ = ["may_read_thread"]
