"""Our own form, as JSON and YAML."""
