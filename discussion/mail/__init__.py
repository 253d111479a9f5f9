"""What follows once a comment can be read, and the mail about it."""
