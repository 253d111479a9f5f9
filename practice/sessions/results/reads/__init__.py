"""Results, and changes to a question since."""
