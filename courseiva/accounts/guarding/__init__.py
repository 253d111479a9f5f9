"""What protects accounts: counting attempts and used codes, and requests whose account is deleted."""
