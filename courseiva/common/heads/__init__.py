"""Metadata for machines in the heads of pages and emails."""
