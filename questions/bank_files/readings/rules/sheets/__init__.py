"""Sheets: drawn for a reader, filled in, and recorded or refused as a whole."""
