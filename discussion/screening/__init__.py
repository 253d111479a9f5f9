"""Reasons to hold a comment, and holding it."""
