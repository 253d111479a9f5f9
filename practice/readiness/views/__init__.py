"""The hub, the progress page, and the page on honesty."""
