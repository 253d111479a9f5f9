"""A session from its first save to its result; nothing acknowledged is ever lost."""
