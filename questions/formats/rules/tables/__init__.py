"""Tabular formats."""
