"""Template tags of the page frame."""
