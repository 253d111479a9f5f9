"""The models of drafts and versions."""
