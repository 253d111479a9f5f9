"""What an author takes away while it is in question stays with staff for thirty days."""
