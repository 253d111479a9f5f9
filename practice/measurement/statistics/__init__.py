"""Counts of each version's first exposures, each added exactly once."""
