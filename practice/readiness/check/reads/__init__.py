"""What a check's own answers say, what it asks next, and its page."""
