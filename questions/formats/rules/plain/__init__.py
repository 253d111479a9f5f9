"""Plain-text formats."""
