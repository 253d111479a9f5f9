"""A marked question with its notes, the table of misses, a module's mark."""
