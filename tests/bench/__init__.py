"""Requests per second of the main addresses beside a bare Django view; ``python -m tests.bench`` runs it."""
