"""Passkeys: what they are bound to, what is stored of one, and their pages."""
