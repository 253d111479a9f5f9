"""The queue, a comment with its evidence, and the log."""
