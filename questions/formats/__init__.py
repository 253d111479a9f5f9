"""Other people's question files, and importing them; docs/formats.md."""
