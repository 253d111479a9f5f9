"""Reads of this app, as page dataclasses."""
