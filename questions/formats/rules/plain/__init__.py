"""Formats of plain text."""
