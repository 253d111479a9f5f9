"""The moderators' pages."""
