"""The admin pages for listing and writing questions."""
