"""Requests to take something down: anybody may make one, moderators answer."""
