"""What Django does anew for each request although it comes out the same: done once."""
