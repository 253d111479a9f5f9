"""A finished page object for each public page."""
