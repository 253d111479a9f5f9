"""The discussion of questions: threads, trust, moderation."""
