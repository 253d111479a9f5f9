"""For each format, a pure parser and, if we export it, a writer."""
