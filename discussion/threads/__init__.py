"""A question's thread: reading and writing."""
