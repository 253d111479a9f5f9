"""Changing the name others see."""

from __future__ import annotations

from courseiva.accounts.models import User


def rename(user: User, name: str) -> None:
    """Show this name with everything the person wrote; if it's empty, a number. The form has validated it."""
    user.display_name = name
    user.save(update_fields=["display_name"])
