"""Parsing searches, correcting them, and excerpts of matching texts."""
