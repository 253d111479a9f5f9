"""Adverts, contacts and links."""
