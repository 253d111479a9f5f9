"""The plan as a calendar that other programs fetch from a secret address."""
