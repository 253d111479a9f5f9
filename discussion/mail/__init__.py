"""What follows once a comment is visible, and the emails about it."""
