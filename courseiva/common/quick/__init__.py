"""Work that Django repeats for each request with the same result, done once."""
