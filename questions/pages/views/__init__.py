"""The public pages: views that only read."""
