"""Other people's question files: one pure parser (and, where we export, writer) per format; docs/formats.md."""
