"""A question's health figures, when each is flagged, and how often by chance alone."""
