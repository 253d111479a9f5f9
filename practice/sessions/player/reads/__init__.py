"""The page of a running session, and the question a public form speaks of."""
