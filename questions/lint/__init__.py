"""The checks that a question, a bank and its files must pass."""
