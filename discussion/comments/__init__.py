"""A comment as it is kept: rows, safe text, references, counts, limits."""
