"""The rows of drafts and of versions."""
