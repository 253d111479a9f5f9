"""Sheets: drawn for a reader, filled in, taken in or refused whole."""
