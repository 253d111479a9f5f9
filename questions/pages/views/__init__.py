"""Views of the public pages, which only read."""
