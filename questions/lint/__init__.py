"""The checks for questions, banks and their files."""
