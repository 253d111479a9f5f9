"""The results of a finished session."""
