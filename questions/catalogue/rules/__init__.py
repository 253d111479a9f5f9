"""Shares of a blueprint, and the exam's own file."""
