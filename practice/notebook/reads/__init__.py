"""A marked question with its notes, the table of misses, whether a module is read."""
