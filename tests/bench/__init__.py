"""What the site carries, what it costs beside other things, and how that grows; ``python -m tests.bench`` runs it."""
