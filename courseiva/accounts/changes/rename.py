"""Changing the name under which others see somebody."""

from __future__ import annotations

from courseiva.accounts.models import User


def rename(user: User, name: str) -> None:
    """Show this name beside whatever the person wrote; an empty one is a number. Its form has checked it."""
    user.display_name = name
    user.save(update_fields=["display_name"])
