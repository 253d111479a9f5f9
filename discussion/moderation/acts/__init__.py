"""Moderators' actions: each has one log entry and can be reversed."""
