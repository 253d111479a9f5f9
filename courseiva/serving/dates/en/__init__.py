"""Formats for the site's language."""
