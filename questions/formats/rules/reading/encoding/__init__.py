"""What a file's bytes are: text in some encoding, or not text."""
