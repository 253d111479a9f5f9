"""The bank's own files: read, checked as a whole, and loaded all or nothing."""
