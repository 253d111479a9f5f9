"""Converting image files, and which pictures a text names."""
