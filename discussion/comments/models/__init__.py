"""The rows of comments and of moderation."""
