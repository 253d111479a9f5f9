"""Item statistics for editors, and the bank's coverage."""
