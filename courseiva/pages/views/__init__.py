"""Pages that don't belong to one app."""
