"""What is asked for, what was meant by it, and what is shown of a text that says it."""
