"""The formats of the language the site is in."""
