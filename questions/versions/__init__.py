"""A question: its draft, its published versions, and how they are rendered."""
