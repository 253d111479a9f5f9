"""Error reports: a reader says what is wrong with a version, an editor answers."""
