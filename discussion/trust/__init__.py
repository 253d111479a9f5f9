"""Who may write and who moderates."""
