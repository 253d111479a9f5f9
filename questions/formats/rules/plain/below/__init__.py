"""Answers that are named below the options, or together below the questions."""
