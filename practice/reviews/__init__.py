"""When a question comes back: scheduling, review cards, what is due today."""
