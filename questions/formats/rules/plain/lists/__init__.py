"""The lines of lists of options in text: which are code, where a question starts, where an option does."""
