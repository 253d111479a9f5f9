"""Results, and what became of a question since."""
