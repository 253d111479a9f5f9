"""The admin's pages on which questions are listed and written."""
