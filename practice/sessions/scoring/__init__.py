"""Which selections are right, including regrades, and how scores are computed."""
