"""Exports for learners, and forgetting a guest."""
