"""An author as seen by moderators: record, history, and notes."""
