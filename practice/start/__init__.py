"""Composing and starting sessions: mocks, drills and reviews."""
