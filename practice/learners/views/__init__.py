"""What a view demands before it runs."""
