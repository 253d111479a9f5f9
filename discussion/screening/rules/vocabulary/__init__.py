"""The words that the rules look for, by family."""
