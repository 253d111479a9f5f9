"""Reads of this app, as page dataclasses; ``may_read_thread`` is what the settings name for the discussion."""

from practice.selectors.threads import may_read_thread

__all__ = ["may_read_thread"]
