"""The pages of a finished session."""
