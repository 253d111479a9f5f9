"""What a file would do here, before anything is stored."""
