"""The readiness check: it asks until the verdict is sure."""
