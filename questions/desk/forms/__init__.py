"""The editor's forms: the whole, and its rows."""
