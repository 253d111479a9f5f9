"""Public pages for machines: heads, data blocks, dates."""
