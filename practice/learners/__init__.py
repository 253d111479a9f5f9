"""Who practises: a signed-in user or a guest, and their own notes and settings."""
