"""What becomes of an image file, and which pictures a text names."""
