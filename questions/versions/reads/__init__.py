"""Which questions the public may see, and a question as its readers find it."""
