"""What the page of an exam guide shows, and its head."""
