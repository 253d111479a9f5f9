"""Reasons to hold a comment: text and context in, hits out; no framework."""
