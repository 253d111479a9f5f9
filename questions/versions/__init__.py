"""A question: its draft as it is written, its versions as they were published, and what they look like."""
