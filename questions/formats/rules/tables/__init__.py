"""Formats of rows and columns."""
