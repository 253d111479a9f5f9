"""People with an account: signing up and in, their name, their passkeys, and leaving."""
