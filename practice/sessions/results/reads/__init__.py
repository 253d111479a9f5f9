"""Results, booklets, and what became of a question since."""
