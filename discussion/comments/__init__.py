"""Comments: rows, safe text, references, counts, limits."""
