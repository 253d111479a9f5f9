"""Our own bank files: read, checked as a whole, and loaded all or nothing."""
