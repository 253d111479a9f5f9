"""Other people's question files, and taking them in; docs/formats.md."""
