"""The plan as a calendar that other programs fetch, at an address that is its key."""
