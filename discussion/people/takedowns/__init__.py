"""Takedown requests: anybody can make one, moderators answer."""
