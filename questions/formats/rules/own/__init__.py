"""Our own format, as JSON and YAML."""
