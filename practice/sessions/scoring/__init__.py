"""Which selections are right, regrades included, and what a score is."""
