"""User accounts: signing up and in, names, passkeys, and deletion."""
