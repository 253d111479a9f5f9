"""Reasons to hold a text, each with the words that show it; docs/moderation.md lists them."""
