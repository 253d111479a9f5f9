"""The public pages: views that only read, and answer everybody alike."""
