"""The check that finds out where somebody stands, and stops when it is sure."""
