"""An author as moderators see them: record, history, and notes of their own."""
