"""Formats of XML, and the packages they come in."""
