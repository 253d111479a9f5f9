"""One pure parser, and where we export a writer, for each format."""
