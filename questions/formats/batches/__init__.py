"""Batches of questions as people handle them: an import's page and its undo, and questions exported to be edited."""
