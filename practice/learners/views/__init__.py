"""Checks before a view runs."""
