"""Batches of questions: an import's page and its undo, and exports for editing."""
