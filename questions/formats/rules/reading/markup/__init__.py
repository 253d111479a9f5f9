"""What of a text is markup: HTML in a text that does not say so, Moodle's own Markdown."""
