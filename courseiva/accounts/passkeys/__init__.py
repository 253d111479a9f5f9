"""Passkeys: the host they are bound to, the data stored for each, and their pages."""
