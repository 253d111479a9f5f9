"""Which questions a session takes, and the start pages."""
