"""Error reports: a reader says what is wrong with a version, and an editor answers."""
