"""The form an editor writes a question in: the whole, and its rows."""
