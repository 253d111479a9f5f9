"""A comment's text: safe HTML, references to options, likeness."""
