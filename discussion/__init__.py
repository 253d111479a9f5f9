"""What people say about it: threads, trust, moderation."""
