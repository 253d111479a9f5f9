"""How the site runs: environment, logs and metrics, cache, and responses during outages."""
