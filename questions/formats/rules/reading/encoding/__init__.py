"""What the bytes of a file are: text in some encoding, or no text."""
