"""A comment's text: safe HTML, references to options, similarity."""
