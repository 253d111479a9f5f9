"""Which parts of a text are markup: undeclared HTML, and Moodle's own Markdown."""
