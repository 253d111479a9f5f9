"""Counts of each version's first exposures, added exactly once."""
