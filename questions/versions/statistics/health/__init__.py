"""What the health of a question says in figures, with when each is called out and how often by chance alone."""
