"""How the site runs: its environment, logs and counts, its cache, and what it says when something is away."""
