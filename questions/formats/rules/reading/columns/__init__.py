"""Which column of a table holds what: by its name, or because somebody says so. Loaded by the site, unlike parsers."""
