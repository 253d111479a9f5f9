"""What public pages tell machines: heads, data blocks, dates."""
