"""Corrections: the history of one question, and the list of all errata."""
