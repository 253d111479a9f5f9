"""A module's file, its text, its checks and its HTML."""
