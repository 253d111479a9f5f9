"""What editors see of a question besides its text."""
