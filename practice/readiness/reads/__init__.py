"""The hub, the progress page, the one next step, and the record of honesty."""
