"""Which column of a table means what: by its name, or as chosen by somebody. Loaded by the site, unlike parsers."""
