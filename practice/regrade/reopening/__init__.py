"""Reopening a session that a wrong clock closed: staff open it again, and its result is undone."""
